//===- AssemblePtx.h - PTX to machine code by ptxas -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_CODEGEN_ASSEMBLEPTX_H
#define DELTANET_CODEGEN_ASSEMBLEPTX_H

#include "deltanet/Target/Target.h"

namespace mlir::deltanet {

/// What ptxas tells of a kernel.
struct KernelResources {
  std::string kernel;
  unsigned registers = 0;       ///< of a thread
  unsigned stackBytes = 0;      ///< of a thread
  unsigned spillStoreBytes = 0; ///< of a thread
  unsigned spillLoadBytes = 0;
  unsigned sharedBytes = 0; ///< of a block, but for what a launch adds
};

/// The path of ptxas: in `folder`/bin, or in PATH if that is empty. Error: it
/// is not there.
FailureOr<std::string> findPtxas(StringRef folder, EmitErrorFn emitError);

/// Assembles PTX for a chip, appends the cubin to `out` and tells what each
/// kernel takes, in order. Errors: what ptxas says.
LogicalResult assemblePtx(StringRef ptx, StringRef chip, StringRef ptxas,
                          SmallVectorImpl<char> &out,
                          SmallVectorImpl<KernelResources> &resources,
                          EmitErrorFn emitError);

} // namespace mlir::deltanet

#endif // DELTANET_CODEGEN_ASSEMBLEPTX_H
