//===- DeviceArtifact.h - Files of GPU code alone -------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_CODEGEN_DEVICEARTIFACT_H
#define DELTANET_CODEGEN_DEVICEARTIFACT_H

#include "deltanet/Codegen/DeviceImage.h"

namespace mlir::deltanet {

/// Appends to `out` the PTX of all kernels of a module at the stage `llvm` for
/// a GPU. Errors: those of makeDevicePtx, or another module.
LogicalResult emitModulePtx(ModuleOp module, SmallVectorImpl<char> &out);

/// The same as machine code. Error: no ptxas, or what it says.
LogicalResult emitCubin(ModuleOp module, const DeviceOptions &options,
                        SmallVectorImpl<char> &out);

/// Appends a fat binary of modules for different kinds of GPU, by the toolkit's
/// fatbinary. Errors: it is not found, or what it says.
LogicalResult emitFatBinary(ArrayRef<ModuleOp> modules,
                            const DeviceOptions &options,
                            SmallVectorImpl<char> &out);

} // namespace mlir::deltanet

#endif // DELTANET_CODEGEN_DEVICEARTIFACT_H
