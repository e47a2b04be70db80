//===- MatrixTiles.cpp - Operands and products of a matrix unit -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MatrixTiles.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

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

Value deltanet::packTiles(TileBuilder &b, Value matrix, OperandForm form) {
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
      [](OpBuilder &nested, Location loc, ValueRange x) {
        Value rounded =
            arith::TruncFOp::create(nested, loc, nested.getBF16Type(), x[0]);
        linalg::YieldOp::create(nested, loc, rounded);
      });
  pack->setAttr(DeltaNetDialect::kMatrixTilesAttr, b.getUnitAttr());
  return pack.getResult(0);
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

namespace {

/// A block of tiles as a loop over the sums, which carries one vector a tile.
class ProductVectorizer {
public:
  ProductVectorizer(RewriterBase &rewriter, linalg::LinalgOp product)
      : rewriter(rewriter), product(product), b(product.getLoc(), rewriter),
        left(product.getDpsInputs()[0]), right(product.getDpsInputs()[1]),
        out(product.getDpsInits()[0]),
        rows(cast<RankedTensorType>(left.getType()).getDimSize(0)),
        columns(cast<RankedTensorType>(right.getType()).getDimSize(1)),
        sumsType(VectorType::get({kTileSide, kTileSide}, b.getF32Type())) {}

  void run() {
    b.setInsertionPoint(product);
    zero = index(0);
    linalg::FillOp fill = getFill();
    SmallVector<Value> sums;
    forEachTile([&](ArrayRef<Value> at) {
      sums.push_back(fill ? constantZero() : readSums(at));
    });
    if (fill)
      out = fill.getOutputs()[0];
    sums = loop(sums);
    unsigned number = 0;
    forEachTile([&](ArrayRef<Value> at) { writeSums(sums[number++], at); });
    rewriter.replaceOp(product, out);
    if (fill)
      rewriter.eraseOp(fill);
  }

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value constantZero() {
    return arith::ConstantOp::create(b, b.getZeroAttr(sumsType));
  }

  /// What the sums start from, if that is zero.
  linalg::FillOp getFill() {
    auto fill = out.getDefiningOp<linalg::FillOp>();
    return fill && fill->hasOneUse() &&
                   matchPattern(fill.getInputs()[0], m_AnyZeroFloat())
               ? fill
               : nullptr;
  }

  void forEachTile(function_ref<void(ArrayRef<Value>)> body) {
    for (int64_t m = 0; m < rows; ++m)
      for (int64_t n = 0; n < columns; ++n) {
        Value row = index(m), column = index(n);
        body({row, zero, column, zero});
      }
  }

  vector::TransferReadOp read(Value tensor, ArrayRef<Value> at,
                              ArrayRef<int64_t> shape) {
    Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
    return vector::TransferReadOp::create(
        b, VectorType::get(shape, element), tensor, at,
        /*padding=*/std::nullopt, SmallVector<bool>(shape.size(), true));
  }
  Value readSums(ArrayRef<Value> at) {
    return vector::ShapeCastOp::create(
        b, sumsType, read(out, at, {kTileSide, 1, kTileSide}));
  }
  void writeSums(Value sums, ArrayRef<Value> at) {
    auto type = VectorType::get({kTileSide, 1, kTileSide}, b.getF32Type());
    Value tile = vector::ShapeCastOp::create(b, type, sums);
    out = vector::TransferWriteOp::create(b, tile, out, at,
                                          SmallVector<bool>(3, true))
              .getResult();
  }

  SmallVector<Value> loop(ValueRange inits) {
    Value end = getValueOrCreateConstantIndexOp(
        b, b.getLoc(), tensor::getMixedSize(b, b.getLoc(), left, 1));
    auto loop = scf::ForOp::create(b, zero, end, index(1), inits);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value step = loop.getInductionVar();
    SmallVector<Value> lefts, rights, sums;
    for (int64_t m = 0; m < rows; ++m)
      lefts.push_back(leftMatrix({index(m), step, zero, zero, zero}));
    for (int64_t n = 0; n < columns; ++n)
      rights.push_back(rightMatrix({step, index(n), zero, zero, zero}));
    for (int64_t m = 0; m < rows; ++m)
      for (int64_t n = 0; n < columns; ++n)
        sums.push_back(multiply(lefts[m], rights[n],
                                loop.getRegionIterArg(m * columns + n)));
    scf::YieldOp::create(b, sums);
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  Value extended(Value tensor, ArrayRef<Value> at) {
    SmallVector<int64_t> shape{kTileSide, kTileSide, 2};
    Value narrow = read(tensor, at, shape);
    return arith::ExtFOp::create(b, VectorType::get(shape, b.getF32Type()),
                                 narrow);
  }
  /// [16 rows, 32] and [32, 16 columns]: pairs as what they are neighbours of.
  Value leftMatrix(ArrayRef<Value> at) {
    auto type = VectorType::get({kTileSide, kTileSums}, b.getF32Type());
    return vector::ShapeCastOp::create(b, type, extended(left, at));
  }
  Value rightMatrix(ArrayRef<Value> at) {
    auto type = VectorType::get({kTileSums, kTileSide}, b.getF32Type());
    Value pairs = vector::TransposeOp::create(b, extended(right, at),
                                              ArrayRef<int64_t>{0, 2, 1});
    return vector::ShapeCastOp::create(b, type, pairs);
  }

  Value multiply(Value x, Value y, Value sums) {
    AffineExpr row, column, sum;
    bindDims(b.getContext(), row, column, sum);
    constexpr auto parallel = vector::IteratorType::parallel;
    constexpr auto reduction = vector::IteratorType::reduction;
    return vector::ContractionOp::create(
        b, x, y, sums,
        ArrayRef<ArrayRef<AffineExpr>>{
            {row, sum}, {sum, column}, {row, column}},
        ArrayRef<vector::IteratorType>{parallel, parallel, reduction});
  }

  RewriterBase &rewriter;
  linalg::LinalgOp product;
  ImplicitLocOpBuilder b;
  Value left, right, out;
  const int64_t rows, columns;
  const VectorType sumsType;
  Value zero;
};

} // namespace

void deltanet::vectorizeTileProduct(RewriterBase &rewriter,
                                    linalg::LinalgOp product) {
  ProductVectorizer(rewriter, product).run();
}
