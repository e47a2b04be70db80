//===- DeviceModule.h - The functions of a kernel that a GPU runs ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_DEVICEMODULE_H
#define DELTANET_LIB_GPU_DEVICEMODULE_H

#include "deltanet/ABI/SplitKernel.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"

namespace mlir::deltanet {

/// A function of a stage, and the name of the kernel function that calls it.
struct DeviceFunction {
  func::FuncOp body;
  std::string entry;
};

/// How a stage is launched.
struct DeviceStage {
  DeviceFunction function;
  /// For calls that are not aligned; none if `function` serves all.
  std::optional<DeviceFunction> unaligned;
  uint32_t threads;
  uint32_t sharedBytes;
};

/// What the ABI says of the stages of a kernel. Error: a stage without its
/// number of threads, with more shared memory than the target has, one that
/// names what is not in it, or an unaligned version of another form.
FailureOr<SmallVector<DeviceStage>>
analyseDeviceStages(abi::SplitKernel &kernel, GpuTargetAttr target,
                    SymbolTable &symbols);

/// Creates the module NAME.device where `builder` stands: the functions of
/// each stage, as kernel functions and copies of what they call.
void createDeviceModule(OpBuilder &builder, abi::SplitKernel &kernel,
                        ArrayRef<DeviceStage> stages,
                        const LLVMTypeConverter &converter);

/// Address spaces of LLVM's NVPTX, as numbers of memory spaces.
abi::StageMemory getDeviceMemory(MLIRContext *context);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_DEVICEMODULE_H
