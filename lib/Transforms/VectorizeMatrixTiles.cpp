//===- VectorizeMatrixTiles.cpp - Packs and products of tiles on vectors --===//
//
// Part of the Delta-Net project.
//
// A pack makes the 16 rows of a tile, each of 16 pairs in one register. The
// pairs are neighbours in a row of the matrix, or two rows of it, interleaved.
// Where rows are columns of the tile, lines of 16 elements, which are 32 rows
// or half of 16 rows, are transposed in steps that each bring together twice as
// much of a column: rounding joins two lines in a register, and shuffles of
// lanes do the rest.
//
//===----------------------------------------------------------------------===//

#include "MatrixTiles.h"
#include "VectorBuilder.h"
#include "deltanet/Transforms/LaneShuffles.h"

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
    SmallVector<Value> rows = isLoop(1, RowOfTile) ? asTheyLie() : transposed();
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
  Value index(int64_t value) { return b.index(value); }
  VectorType vectorOf(ArrayRef<int64_t> shape, Type element) {
    return VectorType::get(shape, element);
  }
  Value read(ArrayRef<Value> at, ArrayRef<int64_t> shape) {
    return b.read(vectorOf(shape, b.getF32Type()), source, at);
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

  /// The matrix is split into [_, row, _, pair, 2] or [_, pair, 2, _, column].
  bool pairsAreNeighbours() { return isLoop(4, PairElementOfTile); }

  /// 16 elements of a row, in the second case; 8 pairs of it in the first.
  Value rowLine(int64_t row) {
    return read({zero, index(row / 2), index(row % 2), zero, zero},
                {kTileSide});
  }
  Value pairLine(int64_t row, int64_t half) {
    constexpr int64_t pairs = kTileSide / 2;
    Value line =
        read({zero, index(row), zero, index(half * pairs), zero}, {pairs, 2});
    return vector::ShapeCastOp::create(b, vectorOf(kTileSide, b.getF32Type()),
                                       line);
  }

  /// Both lines, rounded, in one register.
  Value join(Value first, Value second) {
    SmallVector<int64_t> all = llvm::to_vector(llvm::seq(kTileSums));
    Value both = vector::ShuffleOp::create(b, first, second, all);
    return round(both);
  }

  SmallVector<Value> asTheyLie() {
    SmallVector<int64_t> pairs;
    for (int64_t i = 0; i < kTileSide; ++i)
      pairs.append({i, kTileSide + i});
    bool apart = !pairsAreNeighbours();
    SmallVector<Value> rows;
    for (int64_t i = 0; i < kTileSide; ++i) {
      Value first = apart ? rowLine(2 * i) : pairLine(i, 0);
      Value second = apart ? rowLine(2 * i + 1) : pairLine(i, 1);
      Value row = join(first, second);
      // Interleaved once it is rounded: half as many registers to move.
      rows.push_back(apart ? vector::ShuffleOp::create(b, row, row, pairs)
                           : row);
    }
    return rows;
  }

  SmallVector<Value> transposed() {
    SmallVector<Value> lines;
    if (!pairsAreNeighbours()) {
      for (int64_t row = 0; row < kTileSums; ++row)
        lines.push_back(rowLine(row));
      return transpose(lines, /*width=*/1);
    }
    SmallVector<Value> rows;
    for (int64_t half : {0, 1}) {
      lines.clear();
      for (int64_t row = 0; row < kTileSide; ++row)
        lines.push_back(pairLine(row, half));
      rows.append(transpose(lines, /*width=*/2));
    }
    return rows;
  }

  /// Columns, `width` elements wide, of 32 / width lines. The first and second
  /// quarter of the lines share registers, and the third and fourth: exchanged
  /// lanes are then in the order of lines.
  SmallVector<Value> transpose(ArrayRef<Value> lines, int64_t width) {
    size_t quarter = lines.size() / 4;
    LaneShuffles shuffles(b, b.getLoc());
    auto interleave = [&](ArrayRef<Value> half) {
      SmallVector<Value> joined;
      for (size_t i = 0; i < quarter; ++i)
        joined.push_back(join(half[i], half[i + quarter]));
      return shuffles.interleave(joined, width);
    };
    SmallVector<Value> upper = interleave(lines.take_front(2 * quarter));
    SmallVector<Value> lower = interleave(lines.drop_front(2 * quarter));
    return shuffles.exchangeLanes(upper, lower);
  }

  void write(Value row, int64_t i) {
    Value pairs = vector::ShapeCastOp::create(
        b, vectorOf({kTileSide, 2}, b.getBF16Type()), row);
    out = b.write(pairs, out, {zero, zero, index(i), zero, zero});
  }

  RewriterBase &rewriter;
  linalg::LinalgOp pack;
  VectorBuilder b;
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
      sums.push_back(fill ? b.splat(0, sumsType) : readSums(at));
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
  Value index(int64_t value) { return b.index(value); }

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

  Value read(Value tensor, ArrayRef<Value> at, ArrayRef<int64_t> shape) {
    Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
    return b.read(VectorType::get(shape, element), tensor, at);
  }
  Value readSums(ArrayRef<Value> at) {
    return vector::ShapeCastOp::create(
        b, sumsType, read(out, at, {kTileSide, 1, kTileSide}));
  }
  void writeSums(Value sums, ArrayRef<Value> at) {
    auto type = VectorType::get({kTileSide, 1, kTileSide}, b.getF32Type());
    Value tile = vector::ShapeCastOp::create(b, type, sums);
    out = b.write(tile, out, at);
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
  VectorBuilder b;
  Value left, right, out;
  const int64_t rows, columns;
  const VectorType sumsType;
  Value zero;
};

} // namespace

LogicalResult deltanet::vectorizeMatrixTiles(RewriterBase &rewriter,
                                             linalg::LinalgOp op) {
  if (failed(verifyMatrixTiles(op)))
    return failure();
  if (op.getNumReductionLoops()) {
    ProductVectorizer(rewriter, op).run();
    return success();
  }
  Type type = op.getDpsInits()[0].getType();
  ArrayRef<int64_t> tiles =
      cast<RankedTensorType>(type).getShape().take_front(2);
  if (tiles != ArrayRef<int64_t>{1, 1})
    return op.emitOpError("expected a pack of one tile, got one of ") << type;
  PackVectorizer(rewriter, op).run();
  return success();
}
