//===- HostFunctions.h - Functions of a descriptor that a CPU runs --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_ABI_HOSTFUNCTIONS_H
#define DELTANET_ABI_HOSTFUNCTIONS_H

#include "deltanet/ABI/SplitKernel.h"
#include "deltanet/Target/Target.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::deltanet::abi {

/// Builds the functions of a kernel before its signature.
class HostFunctions {
public:
  /// Functions say that they are for `machine`; without one, that is left to
  /// whoever knows it.
  HostFunctions(SplitKernel &kernel, std::optional<TargetNames> machine,
                const LLVMTypeConverter &converter);

  /// An internal function, with the builder in its body.
  LLVM::LLVMFuncOp start(const Twine &suffix, Type result,
                         ArrayRef<Type> arguments);

  /// A switch over the stages, which `build` fills; nothing for numbers beyond.
  scf::IndexSwitchOp
  switchOverStages(Value stage, TypeRange results,
                   function_ref<SmallVector<Value>(unsigned)> build,
                   ArrayRef<Value> otherwise);

  LLVM::LLVMFuncOp buildWorkspaceBytes();
  LLVM::LLVMFuncOp buildItems();

  /// Makes a function of the stage `target` internal and inlined.
  void finish(func::FuncOp function);

  OpBuilder builder;
  Location loc;
  Type pointer, i32, i64;

private:
  ArrayAttr attributes(bool inlined);
  SmallVector<Value> kernelArguments(LLVM::LLVMFuncOp function);
  Value callCount(func::FuncOp count, ValueRange arguments);

  SplitKernel &kernel;
  std::optional<TargetNames> machine;
  const LLVMTypeConverter &converter;
};

} // namespace mlir::deltanet::abi

#endif // DELTANET_ABI_HOSTFUNCTIONS_H
