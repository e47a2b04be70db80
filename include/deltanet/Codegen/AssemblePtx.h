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

/// Assembles PTX for a chip, appends the cubin to `out` and tells what each
/// kernel takes, in order. Errors: what ptxas says.
LogicalResult assemblePtx(StringRef ptx, StringRef chip, StringRef ptxas,
                          SmallVectorImpl<char> &out,
                          SmallVectorImpl<KernelResources> &resources,
                          EmitErrorFn emitError);

/// Tells of each kernel that a module holds what it takes on a chip, as remarks
/// of the compiler.
void reportResources(ModuleOp module, StringRef chip,
                     ArrayRef<KernelResources> resources);

} // namespace mlir::deltanet

#endif // DELTANET_CODEGEN_ASSEMBLEPTX_H
