//===- SplitIntoWorkItems.cpp - Stages and their work items ---------------===//
//
// Part of the Delta-Net project.
//
// Each top-level scf.forall of a kernel becomes a function that runs a range of
// its linearised items, last dimension fastest. Everything else at the top of a
// kernel must be computable by every stage on its own and before any of them
// runs, so it is free of memory effects: it is cloned where it is used.
// Workspace allocations become views of one buffer, at 64-byte steps.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_SPLITINTOWORKITEMS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

constexpr int64_t kWorkspaceAlignment = 64;

struct Stage {
  scf::ForallOp forall;
  memref::AllocOp scratch; // null: the stage needs none
};

struct KernelParts {
  func::FuncOp kernel;
  SmallVector<Stage> stages;
  SmallVector<memref::AllocOp> workspaces;
};

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

FailureOr<Stage> analyseStage(scf::ForallOp forall) {
  Stage stage = {forall, nullptr};
  if (!forall.getResults().empty())
    return forall.emitOpError("expected a loop over buffers, got results");
  if (!forall.getTerminator().getRegion().front().empty())
    return forall.emitOpError("expected an empty terminator");
  WalkResult result = forall.getBody()->walk([&](Operation *op) {
    if (!isa<memref::AllocOp, memref::AllocaOp>(op))
      return WalkResult::advance();
    auto alloc = dyn_cast<memref::AllocOp>(op);
    if (!alloc || !op->hasAttr(DeltaNetDialect::kScratchAttr) ||
        op->getBlock() != forall.getBody() || stage.scratch)
      return WalkResult(
          op->emitOpError("expected one allocation at the top of a stage, "
                          "marked '")
          << DeltaNetDialect::kScratchAttr << "'");
    MemRefType type = alloc.getType();
    if (!type.hasStaticShape() || type.getRank() != 1 ||
        !type.getElementType().isInteger(8))
      return WalkResult(alloc.emitOpError("expected scratch of a static number "
                                          "of i8, got ")
                        << type);
    stage.scratch = alloc;
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return stage;
}

FailureOr<KernelParts> analyse(func::FuncOp kernel) {
  KernelParts parts = {kernel, {}, {}};
  if (!kernel.getBody().hasOneBlock())
    return kernel.emitError("expected a kernel of one block");
  if (kernel.getNumResults())
    return kernel.emitError("expected a kernel without results");
  for (Operation &op : kernel.getBody().front()) {
    if (auto forall = dyn_cast<scf::ForallOp>(op)) {
      FailureOr<Stage> stage = analyseStage(forall);
      if (failed(stage))
        return failure();
      parts.stages.push_back(*stage);
    } else if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      if (!op.hasAttr(DeltaNetDialect::kWorkspaceAttr) ||
          !alloc.getType().getLayout().isIdentity())
        return alloc.emitOpError("expected a contiguous allocation marked '")
               << DeltaNetDialect::kWorkspaceAttr << "' between stages";
      parts.workspaces.push_back(alloc);
    } else if (!isa<func::ReturnOp>(op) && !isMemoryEffectFree(&op)) {
      return op.emitOpError("expected no effect on memory between the stages "
                            "of a kernel");
    }
  }
  if (parts.stages.empty())
    return kernel.emitError("expected at least one scf.forall in a kernel");
  return parts;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// One of the functions that a kernel is split into, while it is built.
class PartBuilder {
public:
  PartBuilder(KernelParts &parts, const Twine &suffix, ArrayRef<Type> extra,
              TypeRange results)
      : parts(parts), kernel(parts.kernel), builder(kernel->getContext()),
        loc(kernel.getLoc()) {
    builder.setInsertionPoint(kernel);
    SmallVector<Type> types(kernel.getArgumentTypes());
    llvm::append_range(types, extra);
    function =
        func::FuncOp::create(builder, loc, (kernel.getName() + suffix).str(),
                             builder.getFunctionType(types, results));
    function.setPrivate();
    // Loops that fill or copy must not become calls of memset and memcpy.
    function->setAttr("passthrough", builder.getStrArrayAttr({"no-builtins"}));
    Block *entry = function.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    mapping.map(kernel.getArguments(),
                entry->getArguments().take_front(kernel.getNumArguments()));
  }

  Value extra(unsigned i) {
    return function.getArgument(kernel.getNumArguments() + i);
  }

  /// The value here of a value at the top of the kernel: clones what makes it.
  Value materialize(Value value) {
    if (Value here = mapping.lookupOrNull(value))
      return here;
    Operation *op = value.getDefiningOp();
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      mapping.map(value, viewWorkspace(alloc));
    } else {
      materializeOperands(op);
      builder.clone(*op, mapping);
    }
    return mapping.lookup(value);
  }

  void materializeOperands(Operation *op) {
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (Value value : used)
      materialize(value);
  }

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  Value materialize(OpFoldResult size) {
    if (auto value = dyn_cast<Value>(size))
      return materialize(value);
    return index(cast<IntegerAttr>(cast<Attribute>(size)).getInt());
  }

  /// Trip counts of a stage's dimensions.
  SmallVector<Value> tripCounts(scf::ForallOp forall) {
    SmallVector<Value> counts;
    for (auto [low, high, step] :
         llvm::zip(forall.getMixedLowerBound(), forall.getMixedUpperBound(),
                   forall.getMixedStep())) {
      Value count = materialize(high);
      if (!isConstantIntValue(low, 0))
        count = arith::SubIOp::create(builder, loc, count, materialize(low));
      if (!isConstantIntValue(step, 1))
        count =
            arith::CeilDivSIOp::create(builder, loc, count, materialize(step));
      counts.push_back(count);
    }
    return counts;
  }

  /// Bytes of the workspace buffers before `end`, or of all of them.
  Value workspaceBytes(memref::AllocOp end = nullptr) {
    Value sum = index(0);
    for (memref::AllocOp alloc : parts.workspaces) {
      if (alloc == end)
        break;
      MemRefType type = alloc.getType();
      int64_t fixed = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
      for (int64_t size : type.getShape())
        fixed *= ShapedType::isDynamic(size) ? 1 : size;
      Value bytes = index(fixed);
      for (Value size : alloc.getDynamicSizes())
        bytes = arith::MulIOp::create(builder, loc, bytes, materialize(size));
      bytes = arith::AddIOp::create(builder, loc, bytes,
                                    index(kWorkspaceAlignment - 1));
      bytes = arith::AndIOp::create(builder, loc, bytes,
                                    index(-kWorkspaceAlignment));
      sum = arith::AddIOp::create(builder, loc, sum, bytes);
    }
    return sum;
  }

  func::FuncOp function;
  KernelParts &parts;
  func::FuncOp kernel;
  OpBuilder builder;
  Location loc;
  IRMapping mapping;

private:
  Value viewWorkspace(memref::AllocOp alloc) {
    SmallVector<Value> sizes;
    for (Value size : alloc.getDynamicSizes())
      sizes.push_back(materialize(size));
    return memref::ViewOp::create(builder, alloc.getLoc(), alloc.getType(),
                                  extra(0), workspaceBytes(alloc), sizes);
  }
};

func::FuncOp buildStage(KernelParts &parts, unsigned number) {
  Stage &stage = parts.stages[number];
  scf::ForallOp forall = stage.forall;
  MLIRContext *context = forall.getContext();
  Type byte = IntegerType::get(context, 8), index = IndexType::get(context);
  Type workspace = MemRefType::get(ShapedType::kDynamic, byte);
  Type scratch = stage.scratch ? stage.scratch.getType()
                               : MemRefType::get(int64_t(0), byte);
  PartBuilder part(parts, ".stage" + Twine(number),
                   {workspace, scratch, index, index}, {});
  OpBuilder &builder = part.builder;
  Location loc = forall.getLoc();
  part.loc = loc;
  if (Attribute schedule = forall->getAttr(DeltaNetDialect::kScheduleAttr))
    part.function->setAttr(DeltaNetDialect::kScheduleAttr, schedule);

  SmallVector<Value> counts = part.tripCounts(forall);
  part.materializeOperands(forall);
  auto loop = scf::ForOp::create(builder, loc, part.extra(2), part.extra(3),
                                 part.index(1));
  func::ReturnOp::create(builder, loc);

  builder.setInsertionPointToStart(loop.getBody());
  Value rest = loop.getInductionVar();
  SmallVector<OpFoldResult> lows = forall.getMixedLowerBound();
  SmallVector<OpFoldResult> steps = forall.getMixedStep();
  for (int64_t i = counts.size() - 1; i >= 0; --i) {
    Value position = rest;
    if (i > 0) {
      position = arith::RemUIOp::create(builder, loc, rest, counts[i]);
      rest = arith::DivUIOp::create(builder, loc, rest, counts[i]);
    }
    if (!isConstantIntValue(steps[i], 1))
      position = arith::MulIOp::create(builder, loc, position,
                                       part.materialize(steps[i]));
    if (!isConstantIntValue(lows[i], 0))
      position = arith::AddIOp::create(builder, loc, position,
                                       part.materialize(lows[i]));
    part.mapping.map(forall.getInductionVars()[i], position);
  }
  if (stage.scratch)
    part.mapping.map(stage.scratch.getResult(), part.extra(1));
  for (Operation &op : forall.getBody()->without_terminator())
    if (&op != stage.scratch)
      builder.clone(op, part.mapping);
  return part.function;
}

func::FuncOp buildItems(KernelParts &parts, unsigned number) {
  Type index = IndexType::get(parts.kernel.getContext());
  PartBuilder part(parts, ".items" + Twine(number), {}, index);
  Value product;
  for (Value count : part.tripCounts(parts.stages[number].forall))
    product =
        product ? arith::MulIOp::create(part.builder, part.loc, product, count)
                : count;
  func::ReturnOp::create(part.builder, part.loc, product);
  return part.function;
}

func::FuncOp buildWorkspace(KernelParts &parts) {
  Type index = IndexType::get(parts.kernel.getContext());
  PartBuilder part(parts, ".workspace", {}, index);
  func::ReturnOp::create(part.builder, part.loc, part.workspaceBytes());
  return part.function;
}

void rewrite(KernelParts &parts) {
  func::FuncOp kernel = parts.kernel;
  SmallVector<Attribute> stages, items;
  for (unsigned i = 0, e = parts.stages.size(); i < e; ++i) {
    stages.push_back(FlatSymbolRefAttr::get(buildStage(parts, i)));
    items.push_back(FlatSymbolRefAttr::get(buildItems(parts, i)));
  }
  Builder builder(kernel.getContext());
  kernel->setAttr(DeltaNetDialect::kStagesAttr, builder.getArrayAttr(stages));
  kernel->setAttr(DeltaNetDialect::kItemsAttr, builder.getArrayAttr(items));
  kernel->setAttr(DeltaNetDialect::kWorkspaceAttr,
                  FlatSymbolRefAttr::get(buildWorkspace(parts)));
  // What is left is the signature, which the stages share.
  kernel.eraseBody();
  kernel.setPrivate();
}

struct SplitIntoWorkItems
    : deltanet::impl::SplitIntoWorkItemsBase<SplitIntoWorkItems> {
  void runOnOperation() override {
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (function.isExternal() ||
          !function->hasAttr(DeltaNetDialect::kKernelAttr))
        continue;
      FailureOr<KernelParts> parts = analyse(function);
      if (failed(parts))
        return signalPassFailure();
      rewrite(*parts);
    }
  }
};

} // namespace
