//===- DeviceImage.h - The code of kernels for one kind of GPU ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_CODEGEN_DEVICEIMAGE_H
#define DELTANET_CODEGEN_DEVICEIMAGE_H

#include "deltanet/Codegen/CudaToolkit.h"

namespace mlir::deltanet {

struct DeviceOptions {
  /// Without ptxas, images are PTX alone.
  CudaToolkit cuda;
  /// Tell what each kernel takes, as remarks of the compiler.
  bool verbose = false;
};

struct DeviceImage {
  SmallVector<char> ptx;
  SmallVector<char> cubin; ///< empty: the driver compiles the PTX
};

/// The module in a module at the stage `llvm` that holds what the GPU runs of a
/// kernel. Error: there is none.
FailureOr<ModuleOp> findDeviceModule(ModuleOp module, StringRef kernel);

/// PTX of the modules of one or more kernels, for the chip of the target.
/// Errors: those of emitPtx.
FailureOr<SmallVector<char>> makeDevicePtx(ArrayRef<ModuleOp> devices,
                                           GpuTargetAttr target);

/// The same and, where ptxas is found, machine code; a remark of the category
/// `deltanet-codegen` says which. Errors: those of emitPtx and assemblePtx, or
/// no ptxas in a toolkit that is named.
FailureOr<DeviceImage> makeDeviceImage(ArrayRef<ModuleOp> devices,
                                       GpuTargetAttr target,
                                       const DeviceOptions &options);

} // namespace mlir::deltanet

#endif // DELTANET_CODEGEN_DEVICEIMAGE_H
