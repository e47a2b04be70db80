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

/// The pack of a right-hand side that rounds, and no more, which reads this.
static linalg::GenericOp getRoundingPack(Operation *user) {
  auto split = dyn_cast<tensor::ExpandShapeOp>(user);
  if (!split || !split->hasOneUse())
    return nullptr;
  auto pack = dyn_cast<linalg::GenericOp>(*split->user_begin());
  return pack && isPackOf(pack, OperandForm::Right, OperandPart::Rounded)
             ? pack
             : nullptr;
}

/// The slice is a destination of the solve alone.
static bool isDestination(Operation *user, TrilSolveOp solve) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
  return slice && slice->hasOneUse() && *slice->user_begin() == solve &&
         llvm::is_contained(solve.getDpsInits(), slice.getResult());
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
    rows.push_back(split.getSrc());
  else if (!matrix.getDefiningOp<bufferization::AllocTensorOp>())
    return keep("its rows are not those of solves alone");
  for (Value value : rows) {
    auto result = dyn_cast<OpResult>(value);
    if (!result || !isa<TrilSolveOp>(result.getOwner()))
      return keep("its rows are not those of solves alone");
    tiles.results.push_back(result);
  }

  auto addReaders = [&](Value value, function_ref<bool(Operation *)> isOwn) {
    for (Operation *user : value.getUsers()) {
      if (isOwn(user))
        continue;
      linalg::GenericOp reader = getRoundingPack(user);
      if (!reader)
        return false;
      tiles.packs.push_back(reader);
    }
    return true;
  };
  for (auto [number, result] : llvm::enumerate(tiles.results)) {
    auto solve = cast<TrilSolveOp>(result.getOwner());
    if (solve.getRhs().getType().getDimSize(0) % kTileSums)
      return keep("the rows of a solve are not whole tiles");
    if (tiles.inserts.empty()) {
      if (!addReaders(result, [](Operation *) { return false; }))
        return keep("others read its rows as they are");
      continue;
    }
    tensor::InsertSliceOp insert = tiles.inserts[number];
    std::optional<int64_t> row =
        getConstantIntValue(insert.getMixedOffsets()[0]);
    if (!row || *row % kTileSums || !isZeroInteger(insert.getMixedOffsets()[1]))
      return keep("the rows of a solve are not whole tiles");
    auto isInsert = [&](Operation *user) { return user == insert; };
    // Before these rows, the matrix is a destination; after the last, it is
    // read.
    auto isBefore = [&](Operation *user) {
      return user == insert || isDestination(user, solve);
    };
    if (!addReaders(result, isInsert) ||
        !llvm::all_of(insert.getDest().getUsers(), isBefore))
      return keep("others read its rows as they are");
  }
  if (!tiles.inserts.empty() && !addReaders(tiles.inserts.back().getResult(),
                                            [](Operation *) { return false; }))
    return keep("others read its rows as they are");
  return {tiles, ""};
}

void deltanet::writeSolvedTiles(SolvedTiles tiles) {
  auto typeOf = [](Value rows) {
    return TrilSolveOp::getTilesType(cast<RankedTensorType>(rows.getType()));
  };
  // The packs go first: they read rows.
  DenseMap<Value, SmallVector<linalg::GenericOp>> readers;
  for (linalg::GenericOp pack : tiles.packs)
    readers[cast<tensor::ExpandShapeOp>(pack.getDpsInputs()[0].getDefiningOp())
                .getSrc()]
        .push_back(pack);
  auto replaceReaders = [&](Value rows, Value made) {
    for (linalg::GenericOp pack : readers.lookup(rows)) {
      Operation *split = pack.getDpsInputs()[0].getDefiningOp();
      pack.getResult(0).replaceAllUsesWith(made);
      pack.erase();
      split->erase();
    }
  };
  Value whole;
  for (auto [number, result] : llvm::enumerate(tiles.results)) {
    auto solve = cast<TrilSolveOp>(result.getOwner());
    RankedTensorType type = typeOf(result);
    OpOperand *init = solve.getDpsInitOperand(result.getResultNumber());
    Operation *oldInit = init->get().getDefiningOp();
    TileBuilder b(solve.getLoc(), solve.getContext());
    b.setInsertionPoint(number == 0 ? oldInit : solve);
    TileSlice part;
    if (tiles.inserts.empty()) {
      init->set(bufferization::AllocTensorOp::create(b, type, ValueRange()));
    } else {
      tensor::InsertSliceOp insert = tiles.inserts[number];
      if (!whole)
        whole = bufferization::AllocTensorOp::create(
            b, typeOf(insert.getDest()), ValueRange());
      int64_t row = *getConstantIntValue(insert.getMixedOffsets()[0]);
      SmallVector<OpFoldResult> offsets(5, b.attr(0));
      offsets[0] = b.attr(row / kTileSums);
      part = TileBuilder::at(
          offsets, getAsIndexOpFoldResult(b.getContext(), type.getShape()));
      b.setInsertionPoint(solve);
      init->set(b.extract(whole, part, 5));
    }
    result.setType(type);
    replaceReaders(result, result);
    if (tiles.inserts.empty())
      continue;
    b.setInsertionPointAfter(solve);
    whole = b.insert(result, whole, part);
  }
  if (tiles.inserts.empty())
    return;
  replaceReaders(tiles.inserts.back().getResult(), whole);
  for (tensor::InsertSliceOp insert : llvm::reverse(tiles.inserts)) {
    Value matrix = insert.getDest();
    insert.erase();
    for (Operation *user : llvm::make_early_inc_range(matrix.getUsers()))
      user->erase();
  }
}
