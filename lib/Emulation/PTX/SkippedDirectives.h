//===- SkippedDirectives.h - Directives that change no results ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_SKIPPEDDIRECTIVES_H
#define DELTANET_LIB_EMULATION_PTX_SKIPPEDDIRECTIVES_H

#include "TokenStream.h"

namespace mlir::deltanet::ptx {

/// .file, .loc, .pragma, and .section for debuggers.
bool isSkippedDirective(const Token &token);
/// Of those between a kernel's head and its body.
bool isSkippedKernelDirective(const Token &token);

/// Skips the directive that comes next, which is one of these.
bool skipDirective(TokenStream &stream);

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_SKIPPEDDIRECTIVES_H
