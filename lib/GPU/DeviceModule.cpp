//===- DeviceModule.cpp - The functions of a kernel that a GPU runs -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "DeviceModule.h"
#include "StageFunctions.h"
#include "deltanet-c/kernel_abi.h"
#include "deltanet/ABI/CallArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::deltanet;

static constexpr unsigned kSharedAddressSpace =
    static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
/// Of the dynamic shared memory: enough for every copy and swizzle.
static constexpr int64_t kScratchAlignment = 128;
static constexpr StringLiteral kScratchName = "scratch";

abi::StageMemory mlir::deltanet::getDeviceMemory(MLIRContext *context) {
  Builder builder(context);
  return {builder.getI64IntegerAttr(
              static_cast<unsigned>(NVVM::NVVMMemorySpace::Global)),
          builder.getI64IntegerAttr(kSharedAddressSpace)};
}

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

static FailureOr<uint32_t> getThreads(func::FuncOp stage) {
  // What it may be, the dialect's verifier has checked (C16).
  if (auto threads =
          stage->getAttrOfType<IntegerAttr>(DeltaNetDialect::kThreadsAttr))
    return threads.getInt();
  return stage.emitError("expected '")
         << DeltaNetDialect::kThreadsAttr << "' on a stage, got none";
}

/// A stage goes into a module of its own, where no other symbol is.
static LogicalResult checkUses(func::FuncOp stage) {
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(&stage.getBody());
  if (!uses)
    return stage.emitError("expected a stage of operations whose symbols are "
                           "known, got others");
  for (const SymbolTable::SymbolUse &use : *uses)
    return use.getUser()->emitError("expected a stage without symbols, got '")
           << use.getSymbolRef() << "'";
  return success();
}

/// The function that a stage names for unaligned calls.
static FailureOr<func::FuncOp> findUnaligned(func::FuncOp stage,
                                             SymbolTable &symbols) {
  Attribute given = stage->getAttr(DeltaNetDialect::kUnalignedAttr);
  auto symbol = dyn_cast<FlatSymbolRefAttr>(given);
  auto function =
      symbol ? symbols.lookup<func::FuncOp>(symbol.getAttr()) : func::FuncOp();
  if (function && !function.isExternal() &&
      function.getFunctionType() == stage.getFunctionType())
    return function;
  return stage.emitError("expected a function like this one in '")
         << DeltaNetDialect::kUnalignedAttr << "', got " << given;
}

static FailureOr<DeviceStage> analyseStage(func::FuncOp stage,
                                           const Twine &entry, int64_t scratch,
                                           GpuTargetAttr target,
                                           SymbolTable &symbols) {
  FailureOr<uint32_t> threads = getThreads(stage);
  if (failed(threads) || failed(checkUses(stage)))
    return failure();
  if (scratch > target.getSharedBytes())
    return stage.emitError("expected at most ")
           << target.getSharedBytes() << " bytes of scratch on "
           << stringifyChip(target.getChip()) << ", got " << scratch;
  DeviceStage result{{stage, entry.str()},
                     std::nullopt,
                     *threads,
                     static_cast<uint32_t>(scratch)};
  if (!stage->hasAttr(DeltaNetDialect::kUnalignedAttr))
    return result;
  FailureOr<func::FuncOp> unaligned = findUnaligned(stage, symbols);
  if (failed(unaligned) || failed(checkUses(*unaligned)))
    return failure();
  result.unaligned = {*unaligned, (entry + "_unaligned").str()};
  return result;
}

FailureOr<SmallVector<DeviceStage>> mlir::deltanet::analyseDeviceStages(
    abi::SplitKernel &kernel, GpuTargetAttr target, SymbolTable &symbols) {
  SmallVector<DeviceStage> stages;
  for (auto [number, function] : llvm::enumerate(kernel.stages)) {
    // PTX has no dots in names; a kernel's name is a C identifier.
    FailureOr<DeviceStage> stage = analyseStage(
        function, kernel.signature.getName() + "_stage" + Twine(number),
        kernel.scratchType(function).getDimSize(0), target, symbols);
    if (failed(stage))
      return failure();
    stages.push_back(std::move(*stage));
  }
  return stages;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

namespace {

class DeviceModuleBuilder {
public:
  DeviceModuleBuilder(OpBuilder &builder, abi::SplitKernel &kernel,
                      const LLVMTypeConverter &converter)
      : builder(builder), kernel(kernel), converter(converter),
        loc(kernel.signature.getLoc()) {}

  void build(ArrayRef<DeviceStage> stages) {
    std::string name = (kernel.signature.getName() + ".device").str();
    auto module = ModuleOp::create(builder, loc, name);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    // Declared without a size, it is the memory that a launch adds.
    auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
    scratch = LLVM::GlobalOp::create(
        builder, loc, bytes, /*isConstant=*/false, LLVM::Linkage::External,
        kScratchName, Attribute(), kScratchAlignment, kSharedAddressSpace);
    for (const DeviceStage &stage : stages) {
      build(stage.function, stage);
      if (stage.unaligned)
        build(*stage.unaligned, stage);
    }
  }

private:
  /// A kernel function and what it calls. One function may be more than one
  /// stage, so each gets a copy.
  void build(const DeviceFunction &function, const DeviceStage &stage) {
    Operation *original = function.body;
    auto copy = cast<func::FuncOp>(builder.clone(*original));
    copy.setSymName(function.entry + ".body");
    finish(copy);
    OpBuilder::InsertionGuard guard(builder);
    buildEntry(copy, function.entry, stage);
  }

  /// The kernel function: one work item a block.
  void buildEntry(func::FuncOp body, StringRef name, const DeviceStage &stage) {
    Location loc = body.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Type i64 = builder.getI64Type();
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(builder.getContext()), {pointer, i64});
    auto entry = LLVM::LLVMFuncOp::create(builder, loc, name, type);
    entry.setPassthroughAttr(attributes(/*inlined=*/false));
    entry->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                   builder.getUnitAttr());
    entry->setAttr(DeltaNetDialect::kSharedBytesAttr,
                   builder.getI64IntegerAttr(stage.sharedBytes));
    entry->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                   builder.getDenseI32ArrayAttr(stage.threads));
    auto args = LLVM::LLVMArrayType::get(builder.getI8Type(), sizeof(dn_args));
    entry.setArgAttr(0, LLVM::LLVMDialect::getByValAttrName(),
                     TypeAttr::get(args));
    entry.setArgAttr(0, LLVM::LLVMDialect::getAlignAttrName(),
                     builder.getI64IntegerAttr(alignof(dn_args)));
    entry.setArgAttr(0, NVVM::NVVMDialect::getGridConstantAttrName(),
                     builder.getUnitAttr());
    builder.setInsertionPointToStart(entry.addEntryBlock(builder));

    abi::CallArguments call(builder, loc, converter, entry.getArgument(0),
                            getDeviceMemory(builder.getContext()).tensors);
    SmallVector<Value> arguments = call.build(kernel.signature, kernel.facts);
    arguments.push_back(call.workspace());
    arguments.push_back(
        call.memory(kernel.scratchType(body),
                    LLVM::AddressOfOp::create(builder, loc, scratch)));
    Value block = LLVM::ZExtOp::create(
        builder, loc, i64,
        NVVM::BlockIdXOp::create(builder, loc, builder.getI32Type()));
    Value begin = add(entry.getArgument(1), block);
    Value one = LLVM::ConstantOp::create(builder, loc, i64,
                                         builder.getI64IntegerAttr(1));
    for (Value limit : {begin, add(begin, one)})
      arguments.push_back(arith::IndexCastOp::create(
          builder, loc, builder.getIndexType(), limit));
    func::CallOp::create(builder, loc, body, arguments);
    LLVM::ReturnOp::create(builder, loc, ValueRange());
  }

  /// Numbers of work items are far from an overflow: LLVM sees that the loop
  /// over one of them is none.
  Value add(Value a, Value b) {
    return LLVM::AddOp::create(builder, loc, a, b,
                               LLVM::IntegerOverflowFlags::nsw |
                                   LLVM::IntegerOverflowFlags::nuw);
  }

  ArrayAttr attributes(bool inlined) {
    SmallVector<Attribute> attributes = {
        builder.getStringAttr("no-builtins"), builder.getStringAttr("nounwind"),
        // As on CPUs: see FloatEnvironment.
        builder.getStrArrayAttr(
            {"denormal-fp-math-f32", "preserve-sign,preserve-sign"})};
    if (inlined)
      attributes.push_back(builder.getStringAttr("alwaysinline"));
    return builder.getArrayAttr(attributes);
  }

  void finish(func::FuncOp stage) {
    stage->setAttr("passthrough", attributes(/*inlined=*/true));
    stage->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
    stage->removeAttr(DeltaNetDialect::kScheduleAttr);
    stage->removeAttr(DeltaNetDialect::kThreadsAttr);
    stage->removeAttr(DeltaNetDialect::kUnalignedAttr);
  }

  OpBuilder &builder;
  abi::SplitKernel &kernel;
  const LLVMTypeConverter &converter;
  Location loc;
  LLVM::GlobalOp scratch;
};

} // namespace

void mlir::deltanet::createDeviceModule(OpBuilder &builder,
                                        abi::SplitKernel &kernel,
                                        ArrayRef<DeviceStage> stages,
                                        const LLVMTypeConverter &converter) {
  DeviceModuleBuilder(builder, kernel, converter).build(stages);
}
