//===- NarrowSums.cpp - What follows from sums of rows, computed once -----===//
//
// Part of the Delta-Net project.
//
// Follows sums or maxima of rows through maps to stores and to wider tiles. A
// sum is kept by some of the lanes of its row, what is computed with it too,
// and only what a wider tile needs is given to all lanes. Decides value by
// value in program order; values that only meet the sums, as loads, are copied
// where they are made.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Fragment/IR/Fragment.h"
#include "deltanet/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_NARROWSUMS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

namespace {

/// The type in which the lanes of a row keep different rows of a thread, as
/// many as halve evenly; null if there is none.
TileType narrow(Type type) {
  auto tile = dyn_cast<TileType>(type);
  auto layout = tile ? dyn_cast<LanesAttr>(tile.getLayout()) : LanesAttr();
  if (!layout || tile.getColumns() != 1)
    return {};
  int64_t rows = tile.getSpread(0).offsets.size();
  int64_t rowLanes = layout.getLanes()[0], columnLanes = layout.getLanes()[1];
  int64_t parts = std::min(columnLanes, rows & -rows);
  if (parts == 1)
    return {};
  MLIRContext *context = type.getContext();
  return TileType::get(context, tile.getShape(), tile.getElementType(),
                       LanesAttr::get(context,
                                      {rowLanes * parts, columnLanes / parts},
                                      layout.getWarps()));
}

class Narrower {
public:
  explicit Narrower(MLIRContext *context) : rewriter(context) {}

  void run(func::FuncOp function) {
    SmallVector<Operation *> operations;
    function.walk<WalkOrder::PreOrder>(
        [&](Operation *op) { operations.push_back(op); });
    for (Operation *op : operations) {
      rewriter.setInsertionPoint(op);
      if (auto sums = dyn_cast<ReduceOp>(op))
        visit(sums);
      else if (auto map = dyn_cast<MapOp>(op))
        visit(map);
      else if (auto store = dyn_cast<StoreOp>(op))
        if (Value kept = followers.lookup(store.getValue()))
          rewriter.modifyOpInPlace(
              store, [&] { store.getValueMutable().assign(kept); });
    }
    // Users before what they use.
    for (auto [wide, kept] : llvm::reverse(followers.getArrayRef()))
      retire(wide, kept);
    for (auto [wide, copy] : llvm::reverse(copies.getArrayRef()))
      eraseIfDead(wide.getDefiningOp());
  }

private:
  void visit(ReduceOp sums) {
    Type wide = sums.getType();
    TileType kept = narrow(wide);
    TileType tile = sums.getTile().getType();
    if (kept && sums.getDimension() == 1 && tile.getColumns() != 1 &&
        cast<TileType>(wide).getLayout() == tile.getLayout())
      followers[sums] =
          ReduceOp::create(rewriter, sums.getLoc(), kept, sums.getTile(),
                           sums.getDimension(), sums.getMaximum());
  }

  void visit(MapOp map) {
    auto follows = [&](Value input) { return followers.contains(input); };
    if (!llvm::any_of(map.getInputs(), follows) || !canNarrow(map))
      return;
    MapOp kept = copy(map);
    for (auto [wide, result] : llvm::zip(map.getResults(), kept.getResults()))
      followers[wide] = result;
  }

  bool canNarrow(MapOp map) {
    return narrow(map.getResult(0).getType()) &&
           llvm::all_of(map.getInputs(),
                        [&](Value input) { return canNarrow(input); });
  }

  bool canNarrow(Value value) {
    if (followers.contains(value))
      return true;
    Operation *op = value.getDefiningOp();
    if (!narrow(value.getType()) || !op)
      return false;
    if (auto map = dyn_cast<MapOp>(op))
      return canNarrow(map);
    return isa<LoadOp, SplatOp>(op);
  }

  Value getNarrow(Value value) {
    if (Value kept = followers.lookup(value))
      return kept;
    if (Value copied = copies.lookup(value))
      return copied;
    OpBuilder::InsertionGuard guard(rewriter);
    Operation *op = value.getDefiningOp();
    rewriter.setInsertionPoint(op);
    if (auto map = dyn_cast<MapOp>(op)) {
      Value kept = copy(map).getResult(cast<OpResult>(value).getResultNumber());
      return copies[value] = kept;
    }
    Operation *kept = rewriter.clone(*op);
    kept->getResult(0).setType(narrow(value.getType()));
    return copies[value] = kept->getResult(0);
  }

  /// The map on narrow inputs.
  MapOp copy(MapOp map) {
    auto inputs = llvm::map_to_vector(
        map.getInputs(), [&](Value input) { return getNarrow(input); });
    auto kept = cast<MapOp>(rewriter.clone(*map));
    kept.getInputsMutable().assign(inputs);
    for (Value result : kept.getResults())
      result.setType(narrow(result.getType()));
    return kept;
  }

  /// What still needs all lanes gets the values from those that keep them.
  void retire(Value wide, Value kept) {
    if (kept.use_empty() && isa<ReduceOp>(kept.getDefiningOp()))
      return rewriter.eraseOp(kept.getDefiningOp());
    if (!wide.use_empty()) {
      rewriter.setInsertionPointAfterValue(kept);
      Value all =
          BroadcastOp::create(rewriter, wide.getLoc(), wide.getType(), kept);
      rewriter.replaceAllUsesWith(wide, all);
    }
    eraseIfDead(wide.getDefiningOp());
  }

  void eraseIfDead(Operation *op) {
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  }

  IRRewriter rewriter;
  /// Of sums and what is computed with them, the narrow value.
  llvm::MapVector<Value, Value> followers;
  /// Of what meets them.
  llvm::MapVector<Value, Value> copies;
};

struct NarrowSums : deltanet::impl::NarrowSumsBase<NarrowSums> {
  void runOnOperation() override {
    Narrower(&getContext()).run(getOperation());
  }
};

} // namespace
