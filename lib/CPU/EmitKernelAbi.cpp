//===- EmitKernelAbi.cpp - Kernels behind the C ABI -----------------------===//
//
// Part of the Delta-Net project.
//
// For each kernel that is split into work items: the three functions that the
// descriptor of kernel_abi.h points to, and the descriptor itself. The stage
// functions are inlined into `run`.
//
//===----------------------------------------------------------------------===//

#include "CallArguments.h"
#include "FloatEnvironment.h"
#include "KernelDescriptor.h"
#include "deltanet/CPU/KernelText.h"
#include "deltanet/Target/Target.h"
#include "deltanet/Transforms/KernelName.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_EMITKERNELABI
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::cpu;

namespace {

struct SplitKernel {
  func::FuncOp signature;
  KernelAttr facts;
  SmallVector<Role> roles;
  SmallVector<func::FuncOp> stages;
  SmallVector<func::FuncOp> items;
  func::FuncOp workspace;
};

/// Whether a function of a kernel has a body and begins with the arguments of
/// the kernel, then has those that `isRest` accepts and the results `results`.
LogicalResult checkPart(func::FuncOp signature, func::FuncOp part,
                        StringRef expected,
                        function_ref<bool(TypeRange)> isRest,
                        TypeRange results) {
  ArrayRef<Type> arguments = part.getArgumentTypes();
  ArrayRef<Type> shared = signature.getArgumentTypes();
  if (!part.isExternal() && !part->hasAttr(DeltaNetDialect::kKernelAttr) &&
      arguments.take_front(shared.size()) == shared &&
      isRest(arguments.drop_front(shared.size())) &&
      TypeRange(part.getResultTypes()) == results)
    return success();
  InFlightDiagnostic error = signature.emitError("expected '@")
                             << part.getName() << "' to be a function of the "
                             << "arguments of the kernel" << expected
                             << ", got ";
  if (part->hasAttr(DeltaNetDialect::kKernelAttr))
    return error << "a kernel";
  if (part.isExternal())
    return error << "a declaration";
  return error << part.getFunctionType();
}

/// Whether the functions of a split kernel are what `.run` and the others call.
LogicalResult checkParts(SplitKernel &kernel) {
  Builder builder(kernel.signature.getContext());
  Type index = builder.getIndexType();
  auto isNothing = [](TypeRange rest) { return rest.empty(); };
  for (func::FuncOp count : llvm::concat<func::FuncOp>(
           kernel.items, MutableArrayRef(kernel.workspace)))
    if (failed(
            checkPart(kernel.signature, count, " to index", isNothing, index)))
      return failure();
  auto isRange = [&](TypeRange rest) {
    auto bytes = MemRefType::get(ShapedType::kDynamic, builder.getI8Type());
    auto scratch =
        rest.size() == 4 ? dyn_cast<MemRefType>(rest[1]) : MemRefType();
    return scratch && rest[0] == bytes && rest[2] == index &&
           rest[3] == index && scratch.hasStaticShape() &&
           scratch ==
               MemRefType::get(scratch.getShape(), builder.getI8Type()) &&
           scratch.getRank() == 1;
  };
  for (func::FuncOp stage : kernel.stages)
    if (failed(checkPart(kernel.signature, stage,
                         ", memref<?xi8>, a static memref of i8, index and "
                         "index without results",
                         isRange, {})))
      return failure();
  return success();
}

FailureOr<SplitKernel> analyse(func::FuncOp signature, SymbolTable &symbols) {
  SplitKernel kernel;
  kernel.signature = signature;
  kernel.facts =
      signature->getAttrOfType<KernelAttr>(DeltaNetDialect::kKernelAttr);
  if (failed(verifyKernelName(signature, signature.getName())))
    return failure();
  FailureOr<SmallVector<Role>> roles = getRoles(signature);
  if (failed(roles))
    return failure();
  kernel.roles = std::move(*roles);

  auto find = [&](Attribute name) -> func::FuncOp {
    auto symbol = dyn_cast_or_null<FlatSymbolRefAttr>(name);
    return symbol ? symbols.lookup<func::FuncOp>(symbol.getAttr())
                  : func::FuncOp();
  };
  auto findAll = [&](StringRef name, SmallVector<func::FuncOp> &functions) {
    auto names = signature->getAttrOfType<ArrayAttr>(name);
    if (!names || names.empty())
      return false;
    functions = llvm::map_to_vector(names, find);
    return llvm::all_of(functions, [](func::FuncOp f) { return !!f; });
  };
  kernel.workspace = find(signature->getAttr(DeltaNetDialect::kWorkspaceAttr));
  if (!findAll(DeltaNetDialect::kStagesAttr, kernel.stages) ||
      !findAll(DeltaNetDialect::kItemsAttr, kernel.items) ||
      kernel.stages.size() != kernel.items.size() || !kernel.workspace)
    return signature.emitError("expected a kernel that is split into work "
                               "items, got one without its functions");
  if (failed(checkParts(kernel)))
    return failure();
  return kernel;
}

/// Attributes of every function: the machine, and that nothing but what is
/// written may be called.
ArrayAttr functionAttributes(Builder &builder, TargetAttr target,
                             bool inlined) {
  TargetNames names = getTargetNames(target);
  SmallVector<Attribute> attributes = {builder.getStringAttr("no-builtins"),
                                       builder.getStringAttr("nounwind")};
  auto add = [&](StringRef name, StringRef value) {
    if (!value.empty())
      attributes.push_back(builder.getStrArrayAttr({name, value}));
  };
  add("target-cpu", names.cpu);
  add("target-features", names.features);
  add("tune-cpu", names.tuneCpu);
  if (inlined)
    attributes.push_back(builder.getStringAttr("alwaysinline"));
  return builder.getArrayAttr(attributes);
}

class AbiBuilder {
public:
  AbiBuilder(SplitKernel &kernel, TargetAttr target,
             const LLVMTypeConverter &converter)
      : kernel(kernel), target(target), converter(converter),
        builder(kernel.signature), loc(kernel.signature.getLoc()),
        pointer(LLVM::LLVMPointerType::get(builder.getContext())),
        i32(builder.getI32Type()), i64(builder.getI64Type()) {}

  void build() {
    KernelDescription description;
    StringRef name = kernel.signature.getName();
    description.name = name;
    description.facts = kernel.facts;
    description.isa = target.getIsa();
    description.roles = kernel.roles;
    description.stages = kernel.stages.size();
    for (func::FuncOp stage : kernel.stages)
      description.scratchBytes = std::max<uint64_t>(
          description.scratchBytes, scratchType(stage).getDimSize(0));
    description.workspaceBytes = buildWorkspaceBytes();
    description.items = buildItems();
    description.run = buildRun();
    builder.setInsertionPoint(kernel.signature);
    LLVM::GlobalOp global = createDescriptor(
        builder, loc, getDescriptorName(name, target.getIsa()), description);
    // For those who describe the kernel after this step.
    global->setAttr(DeltaNetDialect::kKernelAttr, kernel.facts);
    global->setAttr(DeltaNetDialect::kRolesAttr,
                    builder.getArrayAttr(llvm::map_to_vector(
                        kernel.roles, [&](Role role) -> Attribute {
                          return RoleAttr::get(builder.getContext(), role);
                        })));

    finish(kernel.workspace);
    for (func::FuncOp function :
         llvm::concat<func::FuncOp>(kernel.stages, kernel.items))
      finish(function);
    kernel.signature.erase();
  }

private:
  /// Arguments after those of the kernel: workspace, scratch, begin, end.
  MemRefType scratchType(func::FuncOp stage) {
    return cast<MemRefType>(
        stage.getArgumentTypes()[kernel.signature.getNumArguments() + 1]);
  }

  LLVM::LLVMFuncOp startFunction(const Twine &suffix, Type result,
                                 ArrayRef<Type> arguments) {
    builder.setInsertionPoint(kernel.signature);
    auto function = LLVM::LLVMFuncOp::create(
        builder, loc, (kernel.signature.getName() + suffix).str(),
        LLVM::LLVMFunctionType::get(result, arguments),
        LLVM::Linkage::Internal);
    function.setPassthroughAttr(functionAttributes(builder, target, false));
    builder.setInsertionPointToStart(function.addEntryBlock(builder));
    return function;
  }

  SmallVector<Value> kernelArguments(LLVM::LLVMFuncOp function) {
    return CallArguments(builder, loc, converter, function.getArgument(0))
        .build(kernel.signature, kernel.facts);
  }

  Value toIndex(Value value) {
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        value);
  }

  Value callCount(func::FuncOp count, ValueRange arguments) {
    Value result =
        func::CallOp::create(builder, loc, count, arguments).getResult(0);
    return arith::IndexCastOp::create(builder, loc, i64, result);
  }

  LLVM::LLVMFuncOp buildWorkspaceBytes() {
    LLVM::LLVMFuncOp function =
        startFunction(".workspace_bytes", i64, {pointer});
    LLVM::ReturnOp::create(
        builder, loc, callCount(kernel.workspace, kernelArguments(function)));
    return function;
  }

  /// A switch over the stages, which `build` fills; nothing for numbers beyond.
  scf::IndexSwitchOp
  switchOverStages(Value stage, TypeRange results,
                   function_ref<SmallVector<Value>(unsigned)> build,
                   ArrayRef<Value> otherwise) {
    unsigned count = kernel.stages.size();
    auto choice = scf::IndexSwitchOp::create(
        builder, loc, results, toIndex(stage),
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

  LLVM::LLVMFuncOp buildItems() {
    LLVM::LLVMFuncOp function = startFunction(".items", i64, {pointer, i32});
    SmallVector<Value> arguments = kernelArguments(function);
    Value zero = LLVM::ConstantOp::create(builder, loc, i64,
                                          builder.getI64IntegerAttr(0));
    auto choice = switchOverStages(
        function.getArgument(1), i64,
        [&](unsigned i) -> SmallVector<Value> {
          return {callCount(kernel.items[i], arguments)};
        },
        zero);
    LLVM::ReturnOp::create(builder, loc, choice.getResults());
    return function;
  }

  LLVM::LLVMFuncOp buildRun() {
    LLVM::LLVMFuncOp function =
        startFunction(".run", LLVM::LLVMVoidType::get(builder.getContext()),
                      {pointer, i32, pointer, i64, i64});
    CallArguments call(builder, loc, converter, function.getArgument(0));
    Value saved = enterFloatEnvironment(builder, loc, target.getArch());
    SmallVector<Value> arguments = call.build(kernel.signature, kernel.facts);
    arguments.push_back(call.workspace());
    Value begin = toIndex(function.getArgument(3));
    Value end = toIndex(function.getArgument(4));
    switchOverStages(function.getArgument(1), {},
                     [&](unsigned i) -> SmallVector<Value> {
                       SmallVector<Value> all(arguments);
                       all.push_back(call.memory(scratchType(kernel.stages[i]),
                                                 function.getArgument(2)));
                       all.append({begin, end});
                       func::CallOp::create(builder, loc, kernel.stages[i],
                                            all);
                       return {};
                     },
                     {});
    restoreFloatEnvironment(builder, loc, target.getArch(), saved);
    LLVM::ReturnOp::create(builder, loc, ValueRange());
    return function;
  }

  /// Makes a function of the target step internal and inlined.
  void finish(func::FuncOp function) {
    function->setAttr("passthrough", functionAttributes(builder, target, true));
    function->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
    function->removeAttr(DeltaNetDialect::kScheduleAttr);
  }

  SplitKernel &kernel;
  TargetAttr target;
  const LLVMTypeConverter &converter;
  OpBuilder builder;
  Location loc;
  Type pointer, i32, i64;
};

struct EmitKernelAbi : deltanet::impl::EmitKernelAbiBase<EmitKernelAbi> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    SmallVector<SplitKernel> kernels;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (!function->hasAttr(DeltaNetDialect::kKernelAttr))
        continue;
      FailureOr<SplitKernel> kernel = analyse(function, symbols);
      if (failed(kernel))
        return signalPassFailure();
      kernels.push_back(std::move(*kernel));
    }
    if (kernels.empty())
      return;
    FailureOr<TargetAttr> target = getTarget(module);
    if (failed(target))
      return signalPassFailure();
    LLVMTypeConverter converter(&getContext());
    for (SplitKernel &kernel : kernels)
      AbiBuilder(kernel, *target, converter).build();
  }
};

} // namespace
