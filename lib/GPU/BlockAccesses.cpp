//===- BlockAccesses.cpp - What the threads of a block read and write -----===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "BlockAccesses.h"
#include "deltanet/Fragment/IR/Fragment.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::deltanet;

/// What an operation within does is not among the effects of the whole.
static bool hidesEffects(Operation *op) {
  WalkResult found = op->walk([&](Operation *inner) {
    return inner == op || isMemoryEffectFree(inner) ? WalkResult::advance()
                                                    : WalkResult::interrupt();
  });
  return found.wasInterrupted();
}

LogicalResult BlockAccesses::collect(Operation *op,
                                     SmallVectorImpl<BlockAccess> &accesses) {
  if (isMemoryEffectFree(op))
    return success();
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || hidesEffects(op))
    return op->emitOpError("expected an operation whose effects on memory are "
                           "known in the code of a block");
  Progress progress =
      isa<fragment::CopyAsyncOp>(op) ? Progress::Begun : Progress::Done;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    Value memory = effect.getValue();
    if (!memory)
      return op->emitOpError("expected an operation that tells which memory it "
                             "touches in the code of a block");
    bool isWrite = isa<MemoryEffects::Write>(effect.getEffect());
    if (isWrite || isa<MemoryEffects::Read>(effect.getEffect()))
      accesses.push_back({op, memory, getByteRange(memory), isWrite, progress});
  }
  return success();
}

bool BlockAccesses::isArgument(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  return argument && argument.getOwner() == &stage.function.getBody().front();
}

bool BlockAccesses::mayAlias(const ByteRange &a, const ByteRange &b) {
  if (a.buffer == b.buffer || !isArgument(a.buffer) || !isArgument(b.buffer))
    return mayOverlap(a, b);
  return stage.isState(a.buffer) && stage.isState(b.buffer);
}

/// Items share nothing but scratch.
bool BlockAccesses::areOtherItems(const BlockAccess &now,
                                  const BlockAccess &earlier) {
  auto items = dyn_cast_or_null<scf::ForOp>(earlier.loop);
  return items && items.getLowerBound() == stage.getBegin() &&
         items.getUpperBound() == stage.getEnd() &&
         isArgument(now.range.buffer) && isArgument(earlier.range.buffer) &&
         now.range.buffer != stage.getScratch();
}

/// Whether a value is the same in all turns of a loop.
static bool isFixed(Value value, Operation *loop) {
  return !loop || !loop->isAncestor(value.getParentBlock()->getParentOp());
}

/// The same elements of one buffer, or of the two states. `loop` is null or one
/// between whose turns the other view was made.
bool BlockAccesses::isSamePlace(Value x, Value y, Operation *loop) {
  while (true) {
    if (x == y && isFixed(x, loop))
      return true;
    if (isArgument(x) && isArgument(y))
      return stage.isState(x) && stage.isState(y) && x.getType() == y.getType();
    auto xView = x.getDefiningOp<memref::SubViewOp>();
    auto yView = y.getDefiningOp<memref::SubViewOp>();
    if (!xView || !yView ||
        xView.getMixedOffsets() != yView.getMixedOffsets() ||
        xView.getMixedSizes() != yView.getMixedSizes() ||
        xView.getMixedStrides() != yView.getMixedStrides() ||
        !llvm::all_of(xView->getOperands().drop_front(),
                      [&](Value value) { return isFixed(value, loop); }))
      return false;
    x = xView.getSource();
    y = yView.getSource();
  }
}

/// The view that the first of those in a loop takes of what lies outside.
static memref::SubViewOp findViewInLoop(Value memory, Operation *loop) {
  while (Operation *op = memory.getDefiningOp()) {
    if (auto view = dyn_cast<memref::SubViewOp>(op))
      if (isFixed(view.getSource(), loop))
        return isFixed(memory, loop) ? memref::SubViewOp() : view;
    if (!isa<memref::SubViewOp, memref::CastOp, memref::CollapseShapeOp,
             memref::ExpandShapeOp>(op))
      return {};
    memory = op->getOperand(0);
  }
  return {};
}

/// Each turn of a loop has rows of its own, `step` of them from its number on.
static bool haveOwnRows(const BlockAccess &now, const BlockAccess &earlier) {
  auto loop = dyn_cast_or_null<scf::ForOp>(earlier.loop);
  std::optional<int64_t> step =
      loop ? getConstantIntValue(loop.getStep()) : std::nullopt;
  if (!step)
    return false;
  memref::SubViewOp a = findViewInLoop(now.memory, loop);
  memref::SubViewOp b = findViewInLoop(earlier.memory, loop);
  if (!a || !b || a.getSource() != b.getSource())
    return false;
  auto isOwn = [&](memref::SubViewOp view, unsigned dimension) {
    std::optional<int64_t> size =
        getConstantIntValue(view.getMixedSizes()[dimension]);
    return view.getMixedOffsets()[dimension] ==
               OpFoldResult(loop.getInductionVar()) &&
           size && *size <= *step &&
           isConstantIntValue(view.getMixedStrides()[dimension], 1);
  };
  return llvm::any_of(llvm::seq(a.getSourceType().getRank()),
                      [&](int64_t d) { return isOwn(a, d) && isOwn(b, d); });
}

namespace {
/// How an operation spreads memory over the threads of a block.
struct TileSpread {
  fragment::TileType type;
  /// All that it says but the alignment.
  DictionaryAttr attributes;

  explicit TileSpread(Operation *op) {
    if (auto load = dyn_cast<fragment::LoadOp>(op))
      type = load.getTileType();
    else if (auto store = dyn_cast<fragment::StoreOp>(op))
      type = store.getTileType();
    NamedAttrList list(op->getAttrDictionary());
    list.erase("alignment");
    attributes = list.getDictionary(op->getContext());
  }
};
} // namespace

/// Tiles of one type and place, each element in one thread.
bool BlockAccesses::areOfOneThread(const BlockAccess &now,
                                   const BlockAccess &earlier) {
  TileSpread tile(now.op), other(earlier.op);
  // Threads of a warp may read those of 16 bits for each other.
  if (!tile.type || tile.type != other.type ||
      tile.attributes != other.attributes ||
      !tile.type.getElementType().isF32())
    return false;
  // Where several threads hold an element, one writes it for all of them.
  int64_t held = tile.type.getElementsPerThread() *
                 fragment::getThreadCount(tile.type.getLayout());
  return held == tile.type.getRows() * tile.type.getColumns() &&
         isSamePlace(now.memory, earlier.memory, earlier.loop);
}

bool BlockAccesses::conflict(const BlockAccess &now,
                             const BlockAccess &earlier) {
  return (now.isWrite || earlier.isWrite) &&
         mayAlias(now.range, earlier.range) && !areOtherItems(now, earlier) &&
         !haveOwnRows(now, earlier) && !areOfOneThread(now, earlier);
}
