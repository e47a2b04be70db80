//===- PipelineCopies.cpp - Copies of the next turn of a loop -------------===//
//
// Part of the Delta-Net project.
//
// Decides first: a loop whose body begins with copies of slices that the number
// of the turn tells, to memory that is made for the turn. What tells the slices
// is then computed for another turn by cloning it.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Fragment/IR/Fragment.h"
#include "deltanet/Transforms/MemoryRanges.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_PIPELINECOPIES
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

namespace {

constexpr unsigned kSlots = 2;

/// The copies of a turn, and the operations of the body that tell what they
/// copy, in order.
struct CopiedTurn {
  scf::ForOp loop;
  SmallVector<CopyAsyncOp> copies;
  llvm::SetVector<Operation *> slice;
};

/// Adds what the value is computed from in the body; only pure operations can
/// be computed in another turn.
bool addSlice(Value value, scf::ForOp loop,
              llvm::SetVector<Operation *> &slice) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() != loop.getBody() ||
           argument == loop.getInductionVar();
  Operation *op = value.getDefiningOp();
  if (op->getBlock() != loop.getBody())
    return !loop->isAncestor(op);
  if (slice.contains(op))
    return true;
  if (!isMemoryEffectFree(op) || op->getNumRegions())
    return false;
  for (Value operand : op->getOperands())
    if (!addSlice(operand, loop, slice))
      return false;
  slice.insert(op);
  return true;
}

/// The copy is what the memory of a turn holds first, and all that is copied to
/// it.
bool beginsMemory(CopyAsyncOp copy, memref::AllocOp alloc) {
  return llvm::all_of(alloc->getUsers(), [&](Operation *user) {
    Operation *place = copy->getBlock()->findAncestorOpInBlock(*user);
    bool isLater = user == copy || (place && copy->isBeforeInBlock(place) &&
                                    !isa<CopyAsyncOp>(user));
    // Views of a slot have another type than those of the memory of a turn.
    return isLater && isa<FragmentDialect>(user->getDialect());
  });
}

/// A turn writes what a later one copies. Tensors of a call are apart, but for
/// states, which are never copied.
bool writesSource(scf::ForOp loop, CopyAsyncOp copy) {
  Value source = getByteRange(copy.getSource()).buffer;
  WalkResult found = loop.walk([&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    bool writes = llvm::any_of(effects, [&](auto &effect) {
      Value memory = effect.getValue();
      return isa<MemoryEffects::Write>(effect.getEffect()) &&
             (!memory || (isa<MemRefType>(memory.getType()) &&
                          getByteRange(memory).buffer == source));
    });
    return writes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Nothing if the loop has no copies, or some that cannot begin earlier.
std::optional<CopiedTurn> analyse(scf::ForOp loop) {
  CopiedTurn turn{loop, {}, {}};
  for (auto copy : loop.getBody()->getOps<CopyAsyncOp>()) {
    auto alloc = copy.getDest().getDefiningOp<memref::AllocOp>();
    // Views of a slot have another type than those of the memory of a turn.
    if (!alloc || alloc->getBlock() != loop.getBody() ||
        !beginsMemory(copy, alloc) || writesSource(loop, copy) ||
        !addSlice(copy.getSource(), loop, turn.slice))
      return std::nullopt;
    turn.copies.push_back(copy);
  }
  if (turn.copies.empty())
    return std::nullopt;
  return turn;
}

/// The copies of the turn of this number.
void copyTurn(OpBuilder &builder, const CopiedTurn &turn, Value number) {
  IRMapping mapping;
  scf::ForOp loop = turn.loop;
  mapping.map(loop.getInductionVar(), number);
  for (Operation *op : turn.slice)
    builder.clone(*op, mapping);
  for (CopyAsyncOp copy : turn.copies)
    builder.clone(*copy, mapping);
}

/// The same where there is such a turn, as a group.
void copyTurnOf(ImplicitLocOpBuilder &b, const CopiedTurn &turn, Value number) {
  scf::ForOp loop = turn.loop;
  Value exists = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, number,
                                       loop.getUpperBound());
  auto branch = scf::IfOp::create(b, exists, /*withElseRegion=*/false);
  OpBuilder inside = branch.getThenBodyBuilder();
  copyTurn(inside, turn, number);
  CommitOp::create(b);
}

/// Makes two slots of the memory of a turn, the turns in order.
void makeSlots(memref::AllocOp alloc, scf::ForOp loop, IRRewriter &rewriter) {
  ImplicitLocOpBuilder b(alloc.getLoc(), rewriter);
  MemRefType type = alloc.getType();
  SmallVector<int64_t> shape{kSlots};
  llvm::append_range(shape, type.getShape());
  b.setInsertionPoint(loop);
  Value slots = memref::AllocOp::create(
      b,
      MemRefType::get(shape, type.getElementType(), MemRefLayoutAttrInterface(),
                      type.getMemorySpace()),
      alloc.getAlignmentAttr());
  b.setInsertionPoint(alloc);
  Value turn = arith::DivUIOp::create(
      b, arith::SubIOp::create(b, loop.getInductionVar(), loop.getLowerBound()),
      loop.getStep());
  Value slot = arith::RemUIOp::create(
      b, turn, arith::ConstantIndexOp::create(b, kSlots));
  SmallVector<OpFoldResult> offsets(shape.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(shape.size(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(b.getContext(), shape);
  offsets[0] = slot;
  sizes[0] = b.getIndexAttr(1);
  auto part = memref::SubViewOp::inferRankReducedResultType(
      type.getShape(), cast<MemRefType>(slots.getType()), offsets, sizes,
      strides);
  Value view = memref::SubViewOp::create(b, cast<MemRefType>(part), slots,
                                         offsets, sizes, strides);
  rewriter.replaceOp(alloc, view);
}

void rewrite(CopiedTurn &turn, IRRewriter &rewriter) {
  scf::ForOp loop = turn.loop;
  for (CopyAsyncOp copy : turn.copies) {
    makeSlots(copy.getDest().getDefiningOp<memref::AllocOp>(), loop, rewriter);
    // Where the slot lies depends on the turn, too.
    (void)addSlice(copy.getDest(), loop, turn.slice);
  }
  ImplicitLocOpBuilder b(loop.getLoc(), rewriter);
  b.setInsertionPoint(loop);
  copyTurnOf(b, turn, loop.getLowerBound());
  b.setInsertionPointToStart(loop.getBody());
  Value next = arith::AddIOp::create(b, loop.getInductionVar(), loop.getStep());
  copyTurnOf(b, turn, next);
  WaitOp::create(b, 1);
  for (CopyAsyncOp copy : turn.copies)
    rewriter.eraseOp(copy);
}

struct PipelineCopies : deltanet::impl::PipelineCopiesBase<PipelineCopies> {
  void runOnOperation() override {
    SmallVector<CopiedTurn> turns;
    getOperation().walk([&](scf::ForallOp forall) {
      auto schedule =
          forall->getAttrOfType<ScheduleAttr>(DeltaNetDialect::kScheduleAttr);
      if (!schedule || schedule.getStages() != kSlots)
        return;
      forall.walk([&](scf::ForOp loop) {
        if (std::optional<CopiedTurn> turn = analyse(loop))
          turns.push_back(std::move(*turn));
      });
    });
    IRRewriter rewriter(&getContext());
    for (CopiedTurn &turn : turns)
      rewrite(turn, rewriter);
  }
};

} // namespace
