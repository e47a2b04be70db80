//===- VectorizeMatrixTiles.cpp - Packs and products of tiles on vectors --===//
//
// Part of the Delta-Net project.
//
// A pack makes the 16 rows of a tile, each of 16 pairs in one register. The
// pairs are neighbours in a row of the matrix, or two rows of it, interleaved;
// where rows are columns of the tile, the pairs are transposed as 32-bit
// values.
//
//===----------------------------------------------------------------------===//

#include "MatrixTiles.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// One tile of a pack.
class PackVectorizer {
public:
  PackVectorizer(RewriterBase &rewriter, linalg::LinalgOp pack)
      : rewriter(rewriter), pack(pack), b(pack.getLoc(), rewriter),
        source(pack.getDpsInputs()[0]), out(pack.getDpsInits()[0]),
        map(pack.getMatchingIndexingMap(pack.getDpsInputOperand(0))) {}

  void run() {
    b.setInsertionPoint(pack);
    zero = index(0);
    // The matrix is split into [_, row, _, pair, 2] or [_, pair, 2, _, column].
    bool pairsAreNeighbours = isLoop(4, PairElementOfTile);
    SmallVector<Value> rows;
    for (int64_t i = 0; i < kTileSide; ++i)
      rows.push_back(pairsAreNeighbours ? neighbours(i) : interleaved(i));
    if (!isLoop(1, RowOfTile))
      rows = transpose(rows);
    for (int64_t i = 0; i < kTileSide; ++i)
      write(rows[i], i);
    rewriter.replaceOp(pack, out);
  }

private:
  /// The loops of a pack: tiles, then rows of a tile and what is in them.
  enum PackLoop : unsigned { RowOfTile = 2, PairElementOfTile = 4 };

  bool isLoop(unsigned dimension, PackLoop loop) {
    return map.getDimPosition(dimension) == loop;
  }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  VectorType vectorOf(ArrayRef<int64_t> shape, Type element) {
    return VectorType::get(shape, element);
  }
  Value read(ArrayRef<Value> at, ArrayRef<int64_t> shape) {
    return vector::TransferReadOp::create(
        b, vectorOf(shape, b.getF32Type()), source, at,
        /*padding=*/std::nullopt, SmallVector<bool>(shape.size(), true));
  }
  /// What the pack does with each element.
  Value round(Value values) {
    auto type = cast<VectorType>(values.getType());
    IRMapping mapping;
    Block *body = pack.getBlock();
    mapping.map(body->getArgument(0), values);
    for (Operation &op : body->without_terminator()) {
      Operation *wide = b.clone(op, mapping);
      for (Value result : wide->getResults())
        result.setType(type.clone(result.getType()));
    }
    return mapping.lookup(body->getTerminator()->getOperand(0));
  }

  Value neighbours(int64_t row) {
    Value pairs = read({zero, index(row), zero, zero, zero}, {kTileSide, 2});
    return round(vector::ShapeCastOp::create(
        b, vectorOf(kTileSums, b.getF32Type()), pairs));
  }
  Value interleaved(int64_t pair) {
    auto half = [&](int64_t which) {
      return read({zero, index(pair), index(which), zero, zero}, {kTileSide});
    };
    Value first = half(0), second = half(1);
    // Rounded together, then interleaved: half as many elements to move.
    SmallVector<int64_t> joined = llvm::to_vector(llvm::seq(kTileSums));
    SmallVector<int64_t> pairs;
    for (int64_t i = 0; i < kTileSide; ++i)
      pairs.append({i, kTileSide + i});
    Value both = round(vector::ShuffleOp::create(b, first, second, joined));
    return vector::ShuffleOp::create(b, both, both, pairs);
  }

  SmallVector<Value> transpose(ArrayRef<Value> rows) {
    auto pairs = vectorOf(kTileSide, b.getI32Type());
    auto square = vectorOf({kTileSide, kTileSide}, b.getI32Type());
    Value matrix = arith::ConstantOp::create(b, b.getZeroAttr(square));
    for (auto [i, row] : llvm::enumerate(rows))
      matrix = vector::InsertOp::create(
          b, vector::BitCastOp::create(b, pairs, row), matrix, i);
    matrix = vector::TransposeOp::create(b, matrix, ArrayRef<int64_t>{1, 0});
    SmallVector<Value> columns;
    for (int64_t i = 0; i < kTileSide; ++i)
      columns.push_back(
          vector::BitCastOp::create(b, vectorOf(kTileSums, b.getBF16Type()),
                                    vector::ExtractOp::create(b, matrix, i)));
    return columns;
  }

  void write(Value row, int64_t i) {
    Value pairs = vector::ShapeCastOp::create(
        b, vectorOf({kTileSide, 2}, b.getBF16Type()), row);
    out = vector::TransferWriteOp::create(
              b, pairs, out, ValueRange{zero, zero, index(i), zero, zero},
              ArrayRef<bool>{true, true})
              .getResult();
  }

  RewriterBase &rewriter;
  linalg::LinalgOp pack;
  ImplicitLocOpBuilder b;
  Value source, out;
  AffineMap map;
  Value zero;
};

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

void deltanet::vectorizeMatrixTiles(RewriterBase &rewriter,
                                    linalg::LinalgOp op) {
  if (op.getNumReductionLoops())
    ProductVectorizer(rewriter, op).run();
  else
    PackVectorizer(rewriter, op).run();
}
