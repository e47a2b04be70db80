//===- EmitKernelAbi.cpp - Kernels behind the C ABI -----------------------===//
//
// Part of the Delta-Net project.
//
// For each kernel that is split into work items: the three functions that the
// descriptor of kernel_abi.h points to, and the descriptor itself. The stage
// functions are inlined into `run`.
//
//===----------------------------------------------------------------------===//

#include "FloatEnvironment.h"
#include "deltanet/ABI/CallArguments.h"
#include "deltanet/ABI/HostFunctions.h"
#include "deltanet/ABI/KernelDescriptor.h"
#include "deltanet/Transforms/Passes.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_EMITKERNELABI
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::abi;
using namespace mlir::deltanet::cpu;

namespace {

LLVM::LLVMFuncOp buildRun(HostFunctions &host, SplitKernel &kernel,
                          TargetAttr target,
                          const LLVMTypeConverter &converter) {
  OpBuilder &builder = host.builder;
  Location loc = host.loc;
  LLVM::LLVMFuncOp function =
      host.start(".run", LLVM::LLVMVoidType::get(builder.getContext()),
                 {host.pointer, host.i32, host.pointer, host.i64, host.i64});
  CallArguments call(builder, loc, converter, function.getArgument(0));
  Value saved = enterFloatEnvironment(builder, loc, target.getArch());
  SmallVector<Value> arguments = call.build(kernel.signature, kernel.facts);
  arguments.push_back(call.workspace());
  auto toIndex = [&](Value value) -> Value {
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        value);
  };
  Value begin = toIndex(function.getArgument(3));
  Value end = toIndex(function.getArgument(4));
  host.switchOverStages(
      function.getArgument(1), {},
      [&](unsigned i) -> SmallVector<Value> {
        SmallVector<Value> all(arguments);
        all.push_back(call.memory(kernel.scratchType(kernel.stages[i]),
                                  function.getArgument(2)));
        all.append({begin, end});
        func::CallOp::create(builder, loc, kernel.stages[i], all);
        return {};
      },
      {});
  restoreFloatEnvironment(builder, loc, target.getArch(), saved);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return function;
}

void emit(SplitKernel &kernel, TargetAttr target,
          const LLVMTypeConverter &converter) {
  HostFunctions host(kernel, getTargetNames(target), converter);
  KernelDescription description;
  description.name = kernel.signature.getName();
  description.facts = kernel.facts;
  description.level = getLevel(target);
  description.roles = kernel.roles;
  description.stages = kernel.stages.size();
  for (func::FuncOp stage : kernel.stages)
    description.scratchBytes = std::max<uint64_t>(
        description.scratchBytes, kernel.scratchType(stage).getDimSize(0));
  description.workspaceBytes = host.buildWorkspaceBytes();
  description.items = host.buildItems();
  description.run = buildRun(host, kernel, target, converter);
  host.builder.setInsertionPoint(kernel.signature);
  createDescriptor(host.builder, host.loc, description);

  host.finish(kernel.workspace);
  for (func::FuncOp function :
       llvm::concat<func::FuncOp>(kernel.stages, kernel.items))
    host.finish(function);
  kernel.signature.erase();
}

struct EmitKernelAbi : deltanet::impl::EmitKernelAbiBase<EmitKernelAbi> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<SmallVector<SplitKernel>> kernels = findSplitKernels(module);
    if (failed(kernels))
      return signalPassFailure();
    if (kernels->empty())
      return;
    FailureOr<TargetAttr> target = getTarget(module);
    if (failed(target))
      return signalPassFailure();
    LLVMTypeConverter converter(&getContext());
    for (SplitKernel &kernel : *kernels)
      emit(kernel, *target, converter);
  }
};

} // namespace
