//===- HostFunctions.cpp - Functions of a descriptor that a CPU runs ------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/ABI/HostFunctions.h"
#include "deltanet/ABI/CallArguments.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::abi;

HostFunctions::HostFunctions(SplitKernel &kernel,
                             std::optional<TargetNames> machine,
                             const LLVMTypeConverter &converter)
    : builder(kernel.signature), loc(kernel.signature.getLoc()),
      pointer(LLVM::LLVMPointerType::get(builder.getContext())),
      i32(builder.getI32Type()), i64(builder.getI64Type()), kernel(kernel),
      machine(machine), converter(converter) {}

/// Of every function: the machine, and that nothing but what is written may be
/// called.
ArrayAttr HostFunctions::attributes(bool inlined) {
  SmallVector<Attribute> attributes = {builder.getStringAttr("no-builtins"),
                                       builder.getStringAttr("nounwind")};
  auto add = [&](StringRef name, StringRef value) {
    if (!value.empty())
      attributes.push_back(builder.getStrArrayAttr({name, value}));
  };
  if (machine) {
    add("target-cpu", machine->cpu);
    add("target-features", machine->features);
    add("tune-cpu", machine->tuneCpu);
  }
  if (inlined)
    attributes.push_back(builder.getStringAttr("alwaysinline"));
  return builder.getArrayAttr(attributes);
}

LLVM::LLVMFuncOp HostFunctions::start(const Twine &suffix, Type result,
                                      ArrayRef<Type> arguments) {
  builder.setInsertionPoint(kernel.signature);
  auto function = LLVM::LLVMFuncOp::create(
      builder, loc, (kernel.signature.getName() + suffix).str(),
      LLVM::LLVMFunctionType::get(result, arguments), LLVM::Linkage::Internal);
  function.setPassthroughAttr(attributes(false));
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  return function;
}

SmallVector<Value> HostFunctions::kernelArguments(LLVM::LLVMFuncOp function) {
  return CallArguments(builder, loc, converter, function.getArgument(0))
      .build(kernel.signature, kernel.facts);
}

Value HostFunctions::callCount(func::FuncOp count, ValueRange arguments) {
  Value result =
      func::CallOp::create(builder, loc, count, arguments).getResult(0);
  return arith::IndexCastOp::create(builder, loc, i64, result);
}

scf::IndexSwitchOp HostFunctions::switchOverStages(
    Value stage, TypeRange results,
    function_ref<SmallVector<Value>(unsigned)> build,
    ArrayRef<Value> otherwise) {
  unsigned count = kernel.stages.size();
  Value number =
      arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), stage);
  auto choice = scf::IndexSwitchOp::create(
      builder, loc, results, number,
      llvm::to_vector(llvm::seq<int64_t>(0, count)), count);
  OpBuilder::InsertionGuard guard(builder);
  for (unsigned i = 0; i < count; ++i) {
    builder.createBlock(&choice.getCaseRegions()[i]);
    scf::YieldOp::create(builder, loc, build(i));
  }
  builder.createBlock(&choice.getDefaultRegion());
  scf::YieldOp::create(builder, loc, otherwise);
  return choice;
}

LLVM::LLVMFuncOp HostFunctions::buildWorkspaceBytes() {
  LLVM::LLVMFuncOp function = start(".workspace_bytes", i64, {pointer});
  LLVM::ReturnOp::create(
      builder, loc, callCount(kernel.workspace, kernelArguments(function)));
  return function;
}

LLVM::LLVMFuncOp HostFunctions::buildItems() {
  LLVM::LLVMFuncOp function = start(".items", i64, {pointer, i32});
  SmallVector<Value> arguments = kernelArguments(function);
  Value zero =
      LLVM::ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(0));
  auto choice = switchOverStages(
      function.getArgument(1), i64,
      [&](unsigned i) -> SmallVector<Value> {
        return {callCount(kernel.items[i], arguments)};
      },
      zero);
  LLVM::ReturnOp::create(builder, loc, choice.getResults());
  return function;
}

void HostFunctions::finish(func::FuncOp function) {
  function->setAttr("passthrough", attributes(true));
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  function->removeAttr(DeltaNetDialect::kScheduleAttr);
}
