//===- VariableSyntax.h - Declarations of variables and registers ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_VARIABLESYNTAX_H
#define DELTANET_LIB_EMULATION_PTX_VARIABLESYNTAX_H

#include "TokenStream.h"

namespace mlir::deltanet::ptx {

/// What a declaration says before the name.
struct VariableType {
  uint64_t bytes = 0, alignment = 0;
};

/// `.align 16 .v4 .b32`, of which only the last must be there.
bool parseVariableType(TokenStream &stream, VariableType &type);

/// `.ptr .global .align 4`, where it is there: what a parameter points to.
bool skipPointee(TokenStream &stream);

/// `name`, `name[4]` or `name[4][8]` of a type, or `name[]` if it isDynamic.
bool parseVariableName(TokenStream &stream, const VariableType &type,
                       VariableSyntax &variable);

/// `.b32`: sets all of a register but its index.
bool parseRegisterType(TokenStream &stream, Register &reg);

/// Gives the variables of a kernel their places in order, each at a multiple of
/// its alignment, and the dynamic ones one place behind all others. What they
/// skip for their alignment counts as static.
bool layOutVariables(TokenStream &stream, KernelSyntax &kernel);

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_VARIABLESYNTAX_H
