//===- MatrixTiles.cpp - Operands and products of a matrix unit -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MatrixTiles.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// How one dimension of a matrix is split, by the loops of the pack
/// (outer, outer, and the three of a tile).
struct Split {
  SmallVector<int64_t> sizes; ///< without the first, which is the rest
  SmallVector<unsigned> loops;
};

/// Rows and columns of a matrix of the form. The loops of a pack are those of
/// its result.
std::array<Split, 2> splitsOf(OperandForm form) {
  Split leftRows{{kTileSide}, {0, 2}};
  Split leftSums{{kTileSide, 2}, {1, 3, 4}};
  Split rightSums{{kTileSide, 2}, {0, 2, 4}};
  Split rightColumns{{kTileSide}, {1, 3}};
  switch (form) {
  case OperandForm::Left:
    return {leftRows, leftSums};
  case OperandForm::LeftTransposed:
    return {leftSums, leftRows};
  case OperandForm::Right:
    return {rightSums, rightColumns};
  case OperandForm::RightTransposed:
    return {rightColumns, rightSums};
  }
  llvm_unreachable("unknown form of an operand");
}

} // namespace

Value deltanet::packTiles(TileBuilder &b, Value matrix, OperandForm form,
                          OperandPart part) {
  auto type = cast<RankedTensorType>(matrix.getType());
  SmallVector<int64_t> split, packed(5);
  SmallVector<ReassociationIndices> groups;
  SmallVector<AffineExpr> source;
  for (auto [size, part] : llvm::zip(type.getShape(), splitsOf(form))) {
    int64_t tile = 1;
    for (int64_t inner : part.sizes)
      tile *= inner;
    assert(size % tile == 0 && "the matrix is one of whole tiles");
    SmallVector<int64_t> sizes{size / tile};
    sizes.append(part.sizes);
    ReassociationIndices group;
    for (auto [each, loop] : llvm::zip(sizes, part.loops)) {
      group.push_back(split.size());
      split.push_back(each);
      packed[loop] = each;
      source.push_back(b.getAffineDimExpr(loop));
    }
    groups.push_back(group);
  }
  Value blocks = tensor::ExpandShapeOp::create(
      b, RankedTensorType::get(split, type.getElementType()), matrix, groups);
  Value out = bufferization::AllocTensorOp::create(
      b, RankedTensorType::get(packed, b.getBF16Type()), ValueRange());
  SmallVector<AffineMap> maps{AffineMap::get(5, 0, source, b.getContext()),
                              b.getMultiDimIdentityMap(5)};
  SmallVector<utils::IteratorType> loops(5, utils::IteratorType::parallel);
  auto pack = linalg::GenericOp::create(
      b, out.getType(), blocks, out, maps, loops,
      [&](OpBuilder &nested, Location loc, ValueRange x) {
        auto round = [&](Value value) -> Value {
          return arith::TruncFOp::create(nested, loc, nested.getBF16Type(),
                                         value);
        };
        Value rounded = round(x[0]);
        if (part == OperandPart::Rest) {
          Value exact =
              arith::ExtFOp::create(nested, loc, nested.getF32Type(), rounded);
          rounded = round(arith::SubFOp::create(nested, loc, x[0], exact));
        }
        linalg::YieldOp::create(nested, loc, rounded);
      });
  pack->setAttr(DeltaNetDialect::kMatrixTilesAttr, b.getUnitAttr());
  return pack.getResult(0);
}

bool deltanet::isPackOf(linalg::GenericOp pack, OperandForm form) {
  if (!pack->hasAttr(DeltaNetDialect::kMatrixTilesAttr) ||
      pack.getNumReductionLoops())
    return false;
  SmallVector<unsigned> loops;
  for (const Split &split : splitsOf(form))
    loops.append(split.loops);
  return pack.getIndexingMapsArray()[0] ==
         AffineMap::getMultiDimMapWithTargets(5, loops, pack.getContext());
}

Value deltanet::multiplyTiles(TileBuilder &b, Value left, Value right,
                              Value sums) {
  auto map = [&](ArrayRef<unsigned> loops) {
    return AffineMap::getMultiDimMapWithTargets(7, loops, b.getContext());
  };
  SmallVector<AffineMap> maps{
      map({TileRow, TileSum, Row, Pair, PairElement}),
      map({TileSum, TileColumn, Pair, Column, PairElement}),
      map({TileRow, Row, TileColumn, Column})};
  SmallVector<utils::IteratorType> loops(7, utils::IteratorType::parallel);
  for (unsigned loop : {TileSum, Pair, PairElement})
    loops[loop] = utils::IteratorType::reduction;
  auto product = linalg::GenericOp::create(
      b, sums.getType(), ValueRange{left, right}, sums, maps, loops,
      [](OpBuilder &nested, Location loc, ValueRange x) {
        Type f32 = nested.getF32Type();
        Value l = arith::ExtFOp::create(nested, loc, f32, x[0]);
        Value r = arith::ExtFOp::create(nested, loc, f32, x[1]);
        Value term = arith::MulFOp::create(nested, loc, l, r);
        Value sum = arith::AddFOp::create(nested, loc, x[2], term);
        linalg::YieldOp::create(nested, loc, sum);
      });
  product->setAttr(DeltaNetDialect::kMatrixTilesAttr, b.getUnitAttr());
  return product.getResult(0);
}

static const SmallVector<ReassociationIndices> kSumsGroups{{0, 1}, {2, 3}};

Value deltanet::splitSums(TileBuilder &b, Value sums) {
  auto type = cast<RankedTensorType>(sums.getType());
  auto split =
      RankedTensorType::get({type.getDimSize(0) / kTileSide, kTileSide,
                             type.getDimSize(1) / kTileSide, kTileSide},
                            type.getElementType());
  return tensor::ExpandShapeOp::create(b, split, sums, kSumsGroups);
}

Value deltanet::joinSums(TileBuilder &b, Value sums, RankedTensorType type) {
  return tensor::CollapseShapeOp::create(b, type, sums, kSumsGroups);
}
