//===- SolvedTiles.cpp - Solutions written as tiles -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SolvedTiles.h"
#include "MatrixTiles.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::deltanet;

/// Rows in tiles and pairs, columns in tiles: what packs of right-hand sides
/// read.
static const SmallVector<ReassociationIndices> kSplitGroups{{0, 1, 2}, {3, 4}};

static RankedTensorType getTilesType(Value rows) {
  return TrilSolveOp::getTilesType(cast<RankedTensorType>(rows.getType()));
}

/// The pack of a right-hand side that rounds, and no more, which reads this.
static linalg::GenericOp getRoundingPack(Operation *user) {
  auto split = dyn_cast<tensor::ExpandShapeOp>(user);
  if (!split || !split->hasOneUse() ||
      split.getReassociationIndices() != kSplitGroups)
    return nullptr;
  auto pack = dyn_cast<linalg::GenericOp>(*split->user_begin());
  return pack && isPackOf(pack, OperandForm::Right, OperandPart::Rounded) &&
                 pack.getResult(0).getType() == getTilesType(split.getSrc())
             ? pack
             : nullptr;
}

/// The slice is this destination, and nothing else.
static bool isDestination(Operation *user, OpOperand *init) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
  return slice && slice->hasOneUse() && &*slice->use_begin() == init;
}

static OpOperand *getInit(OpResult result) {
  return cast<TrilSolveOp>(result.getOwner())
      .getDpsInitOperand(result.getResultNumber());
}

/// Where whole rows are inserted as they lie, or nothing.
static std::optional<int64_t> getFirstRow(tensor::InsertSliceOp insert) {
  RankedTensorType rows = insert.getSourceType(), matrix = insert.getDestType();
  if (rows.getRank() != 2 || matrix.getRank() != 2 || !insert.hasUnitStride() ||
      rows.getDimSize(1) != matrix.getDimSize(1) ||
      !isZeroInteger(insert.getMixedOffsets()[1]))
    return std::nullopt;
  return getConstantIntValue(insert.getMixedOffsets()[0]);
}

/// The matrix holds nothing but what is inserted.
static bool isUndefined(Value matrix) {
  auto scratch = matrix.getDefiningOp<bufferization::AllocTensorOp>();
  return scratch && !scratch.getCopy() && !scratch.getMemorySpace();
}

/// Every solve follows the one above, in time and in the matrix.
static bool areInOrder(SolvedTiles &tiles) {
  int64_t end = 0;
  Operation *last = nullptr;
  for (auto [result, insert] : llvm::zip_equal(tiles.results, tiles.inserts)) {
    Operation *solve = result.getOwner();
    int64_t row = *getFirstRow(insert);
    if (row < end || (last && (last->getBlock() != solve->getBlock() ||
                               !last->isBeforeInBlock(solve))))
      return false;
    end = row + insert.getSourceType().getDimSize(0);
    last = solve;
  }
  return true;
}

/// The packs of `value`, or nothing if others than these and those that
/// `isOwn` accepts read it.
static std::optional<SmallVector<linalg::GenericOp>>
findPacks(Value value, function_ref<bool(Operation *)> isOwn) {
  SmallVector<linalg::GenericOp> packs;
  for (Operation *user : value.getUsers()) {
    if (isOwn(user))
      continue;
    linalg::GenericOp pack = getRoundingPack(user);
    if (!pack)
      return std::nullopt;
    packs.push_back(pack);
  }
  return packs;
}

/// Whether it is known which solves precede each use of the packs.
static bool areUsedInBlock(ArrayRef<linalg::GenericOp> packs, Block *block) {
  return llvm::all_of(packs, [&](linalg::GenericOp pack) {
    return llvm::all_of(pack->getUsers(), [&](Operation *user) {
      return block->findAncestorOpInBlock(*user) != nullptr;
    });
  });
}

SolvedTilesDecision deltanet::decideSolvedTiles(linalg::GenericOp pack) {
  auto keep = [](StringRef reason) {
    return SolvedTilesDecision{std::nullopt, reason};
  };
  auto split = pack.getDpsInputs()[0].getDefiningOp<tensor::ExpandShapeOp>();
  if (!split || getRoundingPack(split) != pack)
    return keep("it is not that of a right-hand side");
  SolvedTiles tiles;
  Value matrix = split.getSrc();
  // From the last rows to the first, as they were inserted.
  while (auto insert = matrix.getDefiningOp<tensor::InsertSliceOp>()) {
    tiles.inserts.insert(tiles.inserts.begin(), insert);
    matrix = insert.getDest();
  }
  SmallVector<Value> rows;
  for (tensor::InsertSliceOp insert : tiles.inserts)
    rows.push_back(insert.getSource());
  if (rows.empty())
    rows.push_back(matrix);
  else if (!isUndefined(matrix))
    return keep("its rows are not those of solves alone");
  for (Value value : rows) {
    auto result = dyn_cast<OpResult>(value);
    if (!result || !isa<TrilSolveOp>(result.getOwner()))
      return keep("its rows are not those of solves alone");
    tiles.results.push_back(result);
    if (cast<RankedTensorType>(value.getType()).getDimSize(0) % kTileSums)
      return keep("the rows of a solve are not whole tiles");
  }
  for (tensor::InsertSliceOp insert : tiles.inserts)
    if (std::optional<int64_t> row = getFirstRow(insert);
        !row || *row % kTileSums)
      return keep("the rows of a solve are not whole tiles");
  if (!tiles.inserts.empty() && !areInOrder(tiles))
    return keep("the solves are not one below the other");

  auto addPacks = [&](Value value, function_ref<bool(Operation *)> isOwn) {
    auto packs = findPacks(value, isOwn);
    if (packs)
      tiles.packs.append(*packs);
    return packs.has_value();
  };
  for (auto [number, insert] : llvm::enumerate(tiles.inserts)) {
    OpResult result = tiles.results[number];
    Operation *own = insert;
    auto isInsert = [&](Operation *user) { return user == own; };
    // Before these rows, the matrix is a destination; after the last, it is
    // read.
    auto isBefore = [&](Operation *user) {
      return user == own || isDestination(user, getInit(result));
    };
    if (!addPacks(result, isInsert) ||
        !llvm::all_of(insert.getDest().getUsers(), isBefore))
      return keep("others read its rows as they are");
    if (!areUsedInBlock(tiles.packs, result.getParentBlock()))
      return keep("its tiles are used in another block");
  }
  if (!addPacks(split.getSrc(), [](Operation *) { return false; }))
    return keep("others read its rows as they are");
  return {tiles, ""};
}

namespace {

class Writer {
public:
  explicit Writer(SolvedTiles &tiles)
      : tiles(tiles),
        b(tiles.results.front().getLoc(), tiles.results.front().getContext()) {
    for (linalg::GenericOp pack : tiles.packs)
      packs[splitOf(pack).getSrc()].push_back(pack);
  }

  void write() {
    if (tiles.inserts.empty()) {
      OpResult result = tiles.results.front();
      Value init = scratchFor(result);
      getInit(result)->set(init);
      result.setType(init.getType());
      replacePacks(result, [&](OpOperand &) { return result; });
      return;
    }
    for (auto [result, insert] : llvm::zip(tiles.results, tiles.inserts))
      writePart(result, insert);
    for (auto [number, result] : llvm::enumerate(tiles.results))
      replacePacks(result, [this, number = number](OpOperand &use) {
        return partAt(number, use.getOwner());
      });
    replacePacks(tiles.inserts.back().getResult(),
                 [&](OpOperand &) { return wholes.back(); });
    for (tensor::InsertSliceOp insert : llvm::reverse(tiles.inserts)) {
      Value matrix = insert.getDest();
      insert.erase();
      for (Operation *user : llvm::make_early_inc_range(matrix.getUsers()))
        user->erase();
    }
  }

private:
  static tensor::ExpandShapeOp splitOf(linalg::GenericOp pack) {
    return pack.getDpsInputs()[0].getDefiningOp<tensor::ExpandShapeOp>();
  }

  /// Scratch where the rows had theirs.
  Value scratchFor(OpResult result) {
    Operation *place = getInit(result)->get().getDefiningOp();
    if (!place || place->getBlock() != result.getParentBlock())
      place = result.getOwner();
    b.setInsertionPoint(place);
    Value rows =
        tiles.inserts.empty() ? Value(result) : tiles.inserts.front().getDest();
    return bufferization::AllocTensorOp::create(b, getTilesType(rows),
                                                ValueRange());
  }

  void writePart(OpResult result, tensor::InsertSliceOp insert) {
    b.setLoc(result.getLoc());
    Value whole = wholes.empty() ? scratchFor(result) : wholes.back();
    SmallVector<OpFoldResult> offsets(5, b.attr(0));
    offsets[0] = b.attr(*getFirstRow(insert) / kTileSums);
    RankedTensorType type = getTilesType(result);
    parts.push_back(TileBuilder::at(
        offsets, getAsIndexOpFoldResult(b.getContext(), type.getShape())));
    b.setInsertionPoint(result.getOwner());
    getInit(result)->set(b.extract(whole, parts.back(), 5));
    result.setType(type);
    b.setInsertionPointAfter(result.getOwner());
    wholes.push_back(b.insert(result, whole, parts.back()));
  }

  /// The tiles of a solve, out of what the last solve before the user has left:
  /// read as they were before that, they would be copied.
  Value partAt(unsigned number, Operation *user) {
    Operation *place =
        tiles.results[number].getParentBlock()->findAncestorOpInBlock(*user);
    unsigned last = number;
    while (last + 1 < tiles.results.size() &&
           tiles.results[last + 1].getOwner()->isBeforeInBlock(place))
      ++last;
    if (last == number)
      return tiles.results[number];
    b.setInsertionPoint(place);
    return b.extract(wholes[last], parts[number], 5);
  }

  void replacePacks(Value rows, function_ref<Value(OpOperand &)> tilesAt) {
    for (linalg::GenericOp pack : packs.lookup(rows)) {
      Operation *split = splitOf(pack);
      for (OpOperand &use : llvm::make_early_inc_range(pack->getUses()))
        use.set(tilesAt(use));
      pack.erase();
      split->erase();
    }
  }

  SolvedTiles &tiles;
  TileBuilder b;
  DenseMap<Value, SmallVector<linalg::GenericOp>> packs;
  /// The matrix after each solve, and where its tiles lie.
  SmallVector<Value> wholes;
  SmallVector<TileSlice> parts;
};

} // namespace

void deltanet::writeSolvedTiles(SolvedTiles tiles) { Writer(tiles).write(); }
