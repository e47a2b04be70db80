//===- SpecialRegisters.h - Names of PTX's special registers --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_SPECIALREGISTERS_H
#define DELTANET_LIB_EMULATION_PTX_SPECIALREGISTERS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::deltanet::ptx {

/// "%laneid", or the first part of "%tid.x".
bool isSpecialRegister(llvm::StringRef name);
/// Whether it has the components x, y, z and w.
bool isSpecialVector(llvm::StringRef name);

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_SPECIALREGISTERS_H
