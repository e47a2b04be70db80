//===- VectorizeTrilSolve.cpp - deltanet.tril_solve on vectors ------------===//
//
// Part of the Delta-Net project.
//
// Rows wait for those above them, so two vectors of columns are solved side by
// side, and the sums of eight rows stay in registers: 16 of them. A result in
// tiles takes two rows at a time, as the halves of 32-bit lanes.
//
//===----------------------------------------------------------------------===//

#include "MatrixTiles.h"
#include "VectorBuilder.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_VECTORIZETRILSOLVE
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// Rows whose sums are carried together.
constexpr int64_t kRows = 8;
constexpr int64_t kLanes = 16;
/// Factors below this are not divided by: what they scale is as good as gone.
constexpr double kLeastFactor = 0x1p-64;

using Row = SmallVector<Value, 2>; ///< one vector of f32 a part

bool isTiles(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getRank() == 5;
}

class Vectorizer {
public:
  explicit Vectorizer(TrilSolveOp op)
      : op(op), b(op.getLoc(), op), rows(op.getRhs().getType().getDimSize(0)),
        columns(op.getRhs().getType().getDimSize(1)),
        parts(columns % (2 * kLanes) ? 1 : 2),
        type(VectorType::get(kLanes, b.getF32Type())),
        bits(VectorType::get(kLanes, b.getI32Type())) {}

  void run() {
    SmallVector<Value> tensors(op.getDpsInits());
    if (op.getFactors())
      inverses = invertFactors();
    tensors = loop(index(columns), parts * kLanes, tensors,
                   [&](Value column, ValueRange outer) {
                     return solveColumns(column, outer);
                   });
    op->replaceAllUsesWith(tensors);
    op->erase();
  }

private:
  Value index(int64_t value) { return b.index(value); }
  Value add(Value x, int64_t y) {
    return arith::AddIOp::create(b, x, index(y));
  }
  Value divide(Value x, int64_t y) {
    return arith::DivUIOp::create(b, x, index(y));
  }
  Value element(Value tensor, ValueRange at) {
    return b.broadcastElement(tensor, at, type);
  }
  Value subtract(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value asFloats(Value lanes) {
    return arith::BitcastOp::create(b, type, lanes);
  }
  Value asBits(Value floats) {
    return arith::BitcastOp::create(b, bits, floats);
  }
  Value constantBits(int32_t value) {
    return arith::ConstantOp::create(b, DenseElementsAttr::get(bits, value));
  }

  /// To bf16, in the lower halves of the lanes.
  Value narrow(Value x) {
    Value rounded = arith::TruncFOp::create(b, type.clone(b.getBF16Type()), x);
    Value halves =
        vector::BitCastOp::create(b, bits.clone(b.getI16Type()), rounded);
    return arith::ExtUIOp::create(b, bits, halves);
  }
  /// f32 of what is in the lower, or upper, halves of lanes.
  Value lower(Value lanes) {
    return asFloats(arith::ShLIOp::create(b, lanes, constantBits(16)));
  }
  Value upper(Value lanes) {
    return asFloats(arith::AndIOp::create(b, lanes, constantBits(-65536)));
  }

  SmallVector<Value> loop(Value end, int64_t step, ValueRange inits,
                          VectorBuilder::LoopBody body) {
    Value begin = index(0);
    auto loop = b.keptLoop(begin, end, step, inits, body);
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  /// 1 / f, or 0 where f is next to nothing.
  Value invertFactors() {
    auto vector = VectorType::get(kRows, b.getF32Type());
    Value one = b.splat(1, vector), zero = b.splat(0, vector);
    Value least = b.splat(kLeastFactor, vector);
    Value result = bufferization::AllocTensorOp::create(
        b, op.getFactors().getType(), ValueRange());
    for (int64_t i = 0; i < rows; i += kRows) {
      Value factors = b.read(vector, op.getFactors(), index(i));
      Value usable =
          arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, factors, least);
      Value inverse = arith::DivFOp::create(b, one, factors);
      Value kept = arith::SelectOp::create(b, usable, inverse, zero);
      result = b.write(kept, result, index(i));
    }
    return result;
  }

  /// The part of [size…] at `offsets`. Within it, all indices are constants.
  Value part(Value tensor, ArrayRef<OpFoldResult> offsets,
             ArrayRef<int64_t> sizes) {
    return tensor::ExtractSliceOp::create(
        b, tensor, offsets, getAsIndexOpFoldResult(b.getContext(), sizes),
        SmallVector<OpFoldResult>(sizes.size(), b.getIndexAttr(1)));
  }

  /// Where eight rows lie in a result.
  struct Place {
    SmallVector<OpFoldResult> offsets;
    SmallVector<int64_t> sizes;
  };
  Place place(Value tensor, Value row, Value column) {
    if (!isTiles(tensor))
      return {{row, column}, {kRows, parts * kLanes}};
    auto [tile, pair] = locate(divide(row, 2));
    OpFoldResult zero = b.getIndexAttr(0);
    return {{tile, divide(column, kTileSide), pair, zero, zero},
            {1, parts, kRows / 2, kTileSide, 2}};
  }
  /// The tile of a pair of rows, and the pair in it.
  std::pair<Value, Value> locate(Value pair) {
    if (rows == kTileSums)
      return {index(0), pair};
    return {divide(pair, kTileSide),
            arith::RemUIOp::create(b, pair, index(kTileSide))};
  }

  /// One or two vectors of columns; the tensors with them.
  SmallVector<Value> solveColumns(Value column, ValueRange tensors) {
    // Beside the tensors, what the last scaled row passes on.
    SmallVector<Value> carried(tensors);
    if (op.getFactors())
      carried.append(parts, b.splat(0, type));
    carried =
        loop(index(rows), kRows, carried, [&](Value row, ValueRange inner) {
          return solveRows(row, column, inner.take_front(tensors.size()),
                           inner.drop_front(tensors.size()));
        });
    carried.resize(tensors.size());
    return carried;
  }

  /// Eight rows from `row`; the tensors with them, and what the last passes on.
  SmallVector<Value> solveRows(Value row, Value column, ValueRange carried,
                               ValueRange rounding) {
    SmallVector<Value> sums = takeFromAbove(row, column, carried.front());
    Rows block{part(op.getMatrix(), {row, row}, {kRows, kRows})};
    block.rounding = Row(rounding);
    if (op.getFactors()) {
      block.factors = part(op.getFactors(), {row}, {kRows});
      block.shares = part(op.getShares(), {row}, {kRows});
      block.passes = part(op.getPasses(), {row}, {kRows});
      block.inverses = part(inverses, {row}, {kRows});
    }
    SmallVector<Place> places;
    for (Value tensor : carried) {
      places.push_back(place(tensor, row, column));
      block.outs.push_back(
          {part(tensor, places.back().offsets, places.back().sizes)});
    }
    for (int64_t r = 0; r < kRows; ++r) {
      auto u = MutableArrayRef(sums).slice(r * parts, parts);
      for (auto [j, values] : llvm::enumerate(block.solution))
        accumulate(block.matrix, {index(r), index(j)}, values, u);
      block.solution.push_back(put(r, u, block.outs[0]));
      if (op.getFactors())
        scale(r, u, block);
    }
    SmallVector<Value> results;
    for (auto [out, at, tensor] : llvm::zip(block.outs, places, carried))
      results.push_back(tensor::InsertSliceOp::create(
          b, out.tensor, tensor, at.offsets,
          getAsIndexOpFoldResult(b.getContext(), at.sizes),
          SmallVector<OpFoldResult>(at.sizes.size(), b.getIndexAttr(1))));
    results.append(block.rounding);
    return results;
  }

  /// The right-hand sides of eight rows, and what the rows above them add.
  SmallVector<Value> takeFromAbove(Value row, Value column, Value solution) {
    OpFoldResult zero = b.getIndexAttr(0);
    SmallVector<Value> sums;
    Value rhs = part(op.getRhs(), {row, column}, {kRows, parts * kLanes});
    for (int64_t r = 0; r < kRows; ++r)
      for (int64_t p = 0; p < parts; ++p)
        sums.push_back(b.read(type, rhs, {index(r), index(p * kLanes)}));
    Value weights = part(op.getMatrix(), {row, zero}, {kRows, rows});
    auto accumulateAll = [&](Value j, const Row &values,
                             MutableArrayRef<Value> next) {
      for (int64_t r = 0; r < kRows; ++r)
        accumulate(weights, {index(r), j}, values,
                   next.slice(r * parts, parts));
    };
    if (!isTiles(solution))
      return loop(row, 1, sums, [&](Value j, ValueRange inner) {
        SmallVector<Value> next(inner);
        Row values;
        for (int64_t p = 0; p < parts; ++p)
          values.push_back(
              b.read(type, solution, {j, add(column, p * kLanes)}));
        accumulateAll(j, values, next);
        return next;
      });
    return loop(row, 2, sums, [&](Value j, ValueRange inner) {
      SmallVector<Value> next(inner);
      auto [tile, pair] = locate(divide(j, 2));
      Row first, second;
      for (int64_t p = 0; p < parts; ++p) {
        Value lanes =
            readPair(solution, {tile, add(divide(column, kTileSide), p), pair});
        first.push_back(lower(lanes));
        second.push_back(upper(lanes));
      }
      accumulateAll(j, first, next);
      accumulateAll(add(j, 1), second, next);
      return next;
    });
  }

  /// sums += matrix[at] · values.
  void accumulate(Value matrix, ValueRange at, const Row &values,
                  MutableArrayRef<Value> sums) {
    Value weight = element(matrix, at);
    for (auto [value, sum] : llvm::zip(values, sums))
      sum = b.fma(weight, value, sum);
  }

  /// Eight rows of a result.
  struct Out {
    Value tensor;
    Row even = {}; ///< of tiles: the row that waits for its neighbour, as bits
  };

  /// Eight rows of the system, and what is known of them.
  struct Rows {
    Value matrix; ///< on the diagonal, 8×8
    Value factors = {}, shares = {}, passes = {}, inverses = {};
    SmallVector<Out> outs = {};
    SmallVector<Row> solution = {};
    Row rounding = {}; ///< −r of the last scaled row
  };

  /// Rounds and writes row r; the rounded row.
  Row put(int64_t r, ArrayRef<Value> values, Out &out) {
    Row narrowed, rounded;
    for (Value value : values) {
      narrowed.push_back(narrow(value));
      rounded.push_back(lower(narrowed.back()));
    }
    bool tiles = isTiles(out.tensor);
    if (tiles && r % 2 == 0) {
      out.even = narrowed;
      return rounded;
    }
    for (int64_t p = 0; p < parts; ++p) {
      if (tiles) {
        Value pairs = arith::OrIOp::create(b, out.even[p], asBits(rounded[p]));
        writePair(pairs, out.tensor, {index(0), index(p), index(r / 2)});
      } else {
        out.tensor =
            b.write(rounded[p], out.tensor, {index(r), index(p * kLanes)});
      }
    }
    return rounded;
  }

  Value readPair(Value tiles, ArrayRef<Value> at) {
    auto pairs = VectorType::get({kTileSide, 2}, b.getBF16Type());
    auto halves = VectorType::get(2 * kLanes, b.getBF16Type());
    SmallVector<Value> indices(at);
    indices.append(2, index(0));
    Value elements =
        vector::ShapeCastOp::create(b, halves, b.read(pairs, tiles, indices));
    return vector::BitCastOp::create(b, bits, elements);
  }
  void writePair(Value lanes, Value &tiles, ArrayRef<Value> at) {
    auto pairs = VectorType::get({kTileSide, 2}, b.getBF16Type());
    auto halves = VectorType::get(2 * kLanes, b.getBF16Type());
    SmallVector<Value> indices(at);
    indices.append(2, index(0));
    Value elements = vector::BitCastOp::create(b, halves, lanes);
    tiles = b.write(vector::ShapeCastOp::create(b, pairs, elements), tiles,
                    indices);
  }

  /// Row r of the scaled result.
  void scale(int64_t r, ArrayRef<Value> u, Rows &block) {
    Value factor = element(block.factors, index(r));
    Value share = element(block.shares, index(r));
    Value passed = element(block.passes, index(r));
    Row exact;
    for (auto [p, sum] : llvm::enumerate(u)) {
      Value value = b.fma(share, subtract(block.solution[r][p], sum), sum);
      // r is kept negated: one multiply-add.
      value = b.fma(passed, block.rounding[p], value);
      exact.push_back(b.multiply(factor, value));
    }
    Row scaled = put(r, exact, block.outs[1]);
    Value inverse = element(block.inverses, index(r));
    block.rounding.clear();
    for (auto [rounded, target] : llvm::zip(scaled, exact))
      block.rounding.push_back(b.multiply(subtract(target, rounded), inverse));
  }

  TrilSolveOp op;
  VectorBuilder b;
  const int64_t rows, columns, parts;
  VectorType type, bits;
  Value inverses; ///< of the factors
};

struct VectorizeTrilSolve
    : deltanet::impl::VectorizeTrilSolveBase<VectorizeTrilSolve> {
  void runOnOperation() override {
    SmallVector<TrilSolveOp> ops;
    getOperation().walk([&](TrilSolveOp op) { ops.push_back(op); });
    if (ops.empty())
      return markAllAnalysesPreserved();
    for (TrilSolveOp op : ops)
      Vectorizer(op).run();
  }
};

} // namespace
