//===- StageFunctions.h - The functions of the stages of kernels ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_STAGEFUNCTIONS_H
#define DELTANET_LIB_GPU_STAGEFUNCTIONS_H

#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::deltanet {

/// A function that runs a range of the work items of a stage. Its arguments are
/// those of the kernel, then workspace, scratch, begin and end.
struct StageFunction {
  func::FuncOp kernel, function;

  /// Whether the argument is the initial or the final state.
  bool isState(Value argument);
  BlockArgument getScratch() {
    return function.getArgument(kernel.getNumArguments() + 1);
  }
  BlockArgument getBegin() {
    return function.getArgument(kernel.getNumArguments() + 2);
  }
  BlockArgument getEnd() {
    return function.getArgument(kernel.getNumArguments() + 3);
  }
};

/// Of all kernels of a module that are split into work items, in order.
/// Error: a name that is no function's or a second time there, or a function of
/// another form.
FailureOr<SmallVector<StageFunction>> findStageFunctions(ModuleOp module);

/// 32 for each warp of a block.
constexpr int64_t kWarpThreads = 32;

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_STAGEFUNCTIONS_H
