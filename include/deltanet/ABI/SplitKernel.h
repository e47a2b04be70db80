//===- SplitKernel.h - A kernel that is split into work items -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_ABI_SPLITKERNEL_H
#define DELTANET_ABI_SPLITKERNEL_H

#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::deltanet::abi {

/// Where what a stage gets lies; null: the default memory space.
struct StageMemory {
  Attribute tensors; ///< and the workspace
  Attribute scratch;
};

/// The functions that the passes before have made of a kernel.
struct SplitKernel {
  func::FuncOp signature;
  KernelAttr facts;
  SmallVector<Role> roles;
  SmallVector<func::FuncOp> stages;
  SmallVector<func::FuncOp> items;
  func::FuncOp workspace;

  /// A stage takes the arguments of the kernel, then workspace, scratch, begin
  /// and end.
  MemRefType scratchType(func::FuncOp stage) const;
};

/// The kernels of a module at the stage `target`. Error: one without its
/// functions, or with functions that take something else.
FailureOr<SmallVector<SplitKernel>>
findSplitKernels(ModuleOp module, const StageMemory &memory = {});

} // namespace mlir::deltanet::abi

#endif // DELTANET_ABI_SPLITKERNEL_H
