//===- EmitPtx.h - LLVM IR to PTX -----------------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_CODEGEN_EMITPTX_H
#define DELTANET_CODEGEN_EMITPTX_H

#include "deltanet/Target/Target.h"

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::deltanet {

/// Optimizes a module of GPU kernels for a chip by LLVM's name, such as
/// "sm_90a", and appends the PTX of it to `out`, in the oldest version of PTX
/// that knows the chip. All but the kernels becomes internal; external arrays
/// of no size in shared memory are what a launch adds. Errors: LLVM was built
/// without NVPTX or does not know the chip, no kernel, a call of a function
/// that is not in the module, or what the code generator says.
LogicalResult emitPtx(llvm::Module &module, StringRef chip,
                      SmallVectorImpl<char> &out, EmitErrorFn emitError);

} // namespace mlir::deltanet

#endif // DELTANET_CODEGEN_EMITPTX_H
