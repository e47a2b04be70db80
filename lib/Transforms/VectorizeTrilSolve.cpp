//===- VectorizeTrilSolve.cpp - deltanet.tril_solve on vectors ------------===//
//
// Part of the Delta-Net project.
//
// Rows wait for those above them, so two vectors of columns are solved side by
// side, and the sums of eight rows stay in registers: 16 of them.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

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

class Vectorizer {
public:
  explicit Vectorizer(TrilSolveOp op)
      : op(op), b(op.getLoc(), op), rows(op.getRhs().getType().getDimSize(0)),
        columns(op.getRhs().getType().getDimSize(1)),
        parts(columns % (2 * kLanes) ? 1 : 2),
        type(VectorType::get(kLanes, b.getF32Type())) {}

  void run() {
    SmallVector<Value> tensors(op.getDpsInits());
    if (op.getFactors())
      inverses = invertFactors();
    tensors = loop(index(0), index(columns), parts * kLanes, tensors,
                   [&](Value column, ValueRange outer) {
                     return loop(index(0), index(rows), kRows, outer,
                                 [&](Value row, ValueRange inner) {
                                   return solveRows(row, column, inner);
                                 });
                   });
    op->replaceAllUsesWith(tensors);
    op->erase();
  }

private:
  using Row = SmallVector<Value, 2>; ///< one vector a part

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value read(Value tensor, ValueRange at, VectorType vector) {
    return vector::TransferReadOp::create(b, vector, tensor, at,
                                          /*padding=*/std::nullopt,
                                          ArrayRef<bool>{true});
  }
  Value write(Value vector, Value tensor, ValueRange at) {
    return vector::TransferWriteOp::create(b, vector, tensor, at,
                                           ArrayRef<bool>{true})
        .getResult();
  }
  Row readRow(Value tensor, Value row, Value column) {
    Row values;
    for (int64_t p = 0; p < parts; ++p) {
      Value at = arith::AddIOp::create(b, column, index(p * kLanes));
      values.push_back(read(tensor, {row, at}, type));
    }
    return values;
  }
  void writeRow(const Row &values, Value &tensor, int64_t row) {
    for (auto [p, value] : llvm::enumerate(values))
      tensor = write(value, tensor, {index(row), index(p * kLanes)});
  }
  Value element(Value tensor, ValueRange at) {
    Value scalar = tensor::ExtractOp::create(b, tensor, at);
    return vector::BroadcastOp::create(b, type, scalar);
  }
  Value fma(Value x, Value y, Value z) {
    return vector::FMAOp::create(b, x, y, z);
  }
  Value splat(float value) {
    return arith::ConstantOp::create(b, DenseElementsAttr::get(type, value));
  }
  Value subtract(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  /// To bf16 and back.
  Value round(Value x) {
    Value narrow = arith::TruncFOp::create(b, type.clone(b.getBF16Type()), x);
    return arith::ExtFOp::create(b, type, narrow);
  }

  SmallVector<Value>
  loop(Value begin, Value end, int64_t step, ValueRange inits,
       function_ref<SmallVector<Value>(Value, ValueRange)> body) {
    auto loop = scf::ForOp::create(b, begin, end, index(step), inits);
    loop->setAttr(DeltaNetDialect::kKeepLoopAttr, b.getUnitAttr());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(
        b, body(loop.getInductionVar(), loop.getRegionIterArgs()));
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  /// 1 / f, or 0 where f is next to nothing.
  Value invertFactors() {
    auto vector = VectorType::get(kRows, b.getF32Type());
    auto constant = [&](float value) -> Value {
      return arith::ConstantOp::create(b,
                                       DenseElementsAttr::get(vector, value));
    };
    Value one = constant(1), zero = constant(0), least = constant(kLeastFactor);
    Value result = bufferization::AllocTensorOp::create(
        b, op.getFactors().getType(), ValueRange());
    for (int64_t i = 0; i < rows; i += kRows) {
      Value factors = read(op.getFactors(), index(i), vector);
      Value usable =
          arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, factors, least);
      Value inverse = arith::DivFOp::create(b, one, factors);
      result = write(arith::SelectOp::create(b, usable, inverse, zero), result,
                     index(i));
    }
    return result;
  }

  /// The part of [size…] at `offsets`. Within it, all indices are constants.
  Value part(Value tensor, ArrayRef<OpFoldResult> offsets,
             ArrayRef<int64_t> sizes) {
    SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(
        b, tensor, offsets, getAsIndexOpFoldResult(b.getContext(), sizes),
        ones);
  }

  /// Eight rows from `row`; the tensors with them.
  SmallVector<Value> solveRows(Value row, Value column, ValueRange carried) {
    OpFoldResult zero = b.getIndexAttr(0);
    SmallVector<OpFoldResult> at{row, column};
    SmallVector<int64_t> sizes{kRows, parts * kLanes};
    SmallVector<Value> sums;
    Value rhs = part(op.getRhs(), at, sizes);
    for (int64_t r = 0; r < kRows; ++r)
      sums.append(readRow(rhs, index(r), index(0)));
    Value above = part(op.getMatrix(), {row, zero}, {kRows, rows});
    sums = loop(index(0), row, 1, sums, [&](Value j, ValueRange inner) {
      SmallVector<Value> next(inner);
      Row values = readRow(carried.front(), j, column);
      for (int64_t r = 0; r < kRows; ++r)
        add(above, {index(r), j}, values,
            MutableArrayRef(next).slice(r * parts, parts));
      return next;
    });

    Rows block{part(op.getMatrix(), {row, row}, {kRows, kRows})};
    if (op.getFactors()) {
      block.factors = part(op.getFactors(), {row}, {kRows});
      block.inverses = part(inverses, {row}, {kRows});
    }
    for (Value tensor : carried)
      block.outs.push_back(part(tensor, at, sizes));
    for (int64_t r = 0; r < kRows; ++r) {
      auto u = MutableArrayRef(sums).slice(r * parts, parts);
      for (auto [j, values] : llvm::enumerate(block.solution))
        add(block.matrix, {index(r), index(j)}, values, u);
      block.solution.push_back(roundRow(u));
      writeRow(block.solution.back(), block.outs[0], r);
      if (op.getFactors())
        writeRow(scale(r, u, block), block.outs[1], r);
    }
    SmallVector<Value> results;
    for (auto [out, tensor] : llvm::zip(block.outs, carried))
      results.push_back(tensor::InsertSliceOp::create(
          b, out, tensor, at, getAsIndexOpFoldResult(b.getContext(), sizes),
          SmallVector<OpFoldResult>(2, b.getIndexAttr(1))));
    return results;
  }

  /// sums += matrix[at] · values.
  void add(Value matrix, ValueRange at, const Row &values,
           MutableArrayRef<Value> sums) {
    Value weight = element(matrix, at);
    for (auto [value, sum] : llvm::zip(values, sums))
      sum = fma(weight, value, sum);
  }

  /// Eight rows of the system, and what is known of them.
  struct Rows {
    Value matrix; ///< on the diagonal, 8×8
    Value factors = {}, inverses = {};
    SmallVector<Value> outs = {};
    SmallVector<Row> solution = {};
    Row rounding = {}; ///< of the last scaled row, before its factor
  };

  Value clamp(Value x, Value low, Value high) {
    auto pick = [&](arith::CmpFPredicate predicate, Value y, Value z) {
      Value test = arith::CmpFOp::create(b, predicate, y, z);
      return arith::SelectOp::create(b, test, y, z);
    };
    return pick(arith::CmpFPredicate::OLT,
                pick(arith::CmpFPredicate::OGT, x, low), high);
  }

  Row roundRow(ArrayRef<Value> row) {
    return llvm::map_to_vector<2>(row, [&](Value x) { return round(x); });
  }

  /// Row r of the scaled result.
  Row scale(int64_t r, ArrayRef<Value> u, Rows &block) {
    Value factor = element(block.factors, index(r)), takenBack, passed;
    if (r + 1 < kRows) {
      Value weight = element(block.matrix, {index(r + 1), index(r)});
      Value negated = arith::NegFOp::create(b, weight);
      takenBack = clamp(negated, splat(0), splat(1));
    }
    if (r > 0)
      passed = element(block.matrix, {index(r), index(r - 1)});
    Row exact;
    for (auto [p, sum] : llvm::enumerate(u)) {
      Value value = sum;
      if (takenBack)
        value = fma(takenBack, subtract(block.solution[r][p], value), value);
      if (passed)
        value = fma(passed, block.rounding[p], value);
      exact.push_back(arith::MulFOp::create(b, factor, value));
    }
    Row scaled = roundRow(exact);
    Value inverse = element(block.inverses, index(r));
    block.rounding.clear();
    for (auto [rounded, target] : llvm::zip(scaled, exact))
      block.rounding.push_back(
          arith::MulFOp::create(b, subtract(rounded, target), inverse));
    return scaled;
  }

  TrilSolveOp op;
  ImplicitLocOpBuilder b;
  const int64_t rows, columns, parts;
  VectorType type;
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
