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
    // What the rows below see of a row: the solution, or with factors what was
    // rounded for the other result.
    SmallVector<Value> tensors(op.getDpsInits());
    if (op.getFactors()) {
      inverses = invertFactors();
      tensors.push_back(bufferization::AllocTensorOp::create(
          b, op.getRhs().getType(), ValueRange()));
    }
    tensors = loop(index(0), index(columns), parts * kLanes, tensors,
                   [&](Value column, ValueRange outer) {
                     return loop(index(0), index(rows), kRows, outer,
                                 [&](Value row, ValueRange inner) {
                                   return solveRows(row, column, inner);
                                 });
                   });
    tensors.resize(op->getNumResults());
    op->replaceAllUsesWith(tensors);
    op->erase();
  }

private:
  using Row = SmallVector<Value, 2>; ///< one vector a part

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value add(Value x, int64_t y) {
    return y ? arith::AddIOp::create(b, x, index(y)).getResult() : x;
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
    Row parts;
    for (int64_t p = 0; p < this->parts; ++p)
      parts.push_back(read(tensor, {row, add(column, p * kLanes)}, type));
    return parts;
  }
  void writeRow(const Row &values, Value &tensor, Value row, Value column) {
    for (auto [p, value] : llvm::enumerate(values))
      tensor = write(value, tensor, {row, add(column, int64_t(p) * kLanes)});
  }
  Value element(Value tensor, ValueRange at) {
    Value scalar = tensor::ExtractOp::create(b, tensor, at);
    return vector::BroadcastOp::create(b, type, scalar);
  }
  Value fma(Value x, Value y, Value z) {
    return vector::FMAOp::create(b, x, y, z);
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
    int64_t lanes = rows % kLanes ? kRows : kLanes;
    auto vector = VectorType::get(lanes, b.getF32Type());
    auto constant = [&](double value) -> Value {
      return arith::ConstantOp::create(
          b, DenseElementsAttr::get(vector, static_cast<float>(value)));
    };
    Value one = constant(1), zero = constant(0), least = constant(kLeastFactor);
    Value result = bufferization::AllocTensorOp::create(
        b, op.getFactors().getType(), ValueRange());
    for (int64_t i = 0; i < rows; i += lanes) {
      Value factors = read(op.getFactors(), index(i), vector);
      Value usable =
          arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, factors, least);
      Value inverse = arith::DivFOp::create(b, one, factors);
      result = write(arith::SelectOp::create(b, usable, inverse, zero), result,
                     index(i));
    }
    return result;
  }

  /// Eight rows from `row`; the tensors with them.
  SmallVector<Value> solveRows(Value row, Value column, ValueRange carried) {
    SmallVector<Value> tensors(carried), sums;
    for (int64_t r = 0; r < kRows; ++r)
      sums.append(readRow(op.getRhs(), add(row, r), column));
    sums = loop(index(0), row, 1, sums, [&](Value j, ValueRange inner) {
      SmallVector<Value> next(inner);
      addRow(readRow(tensors.back(), j, column), j, row, 0, next);
      return next;
    });
    Row rounding;
    for (int64_t r = 0; r < kRows; ++r) {
      Row sum(ArrayRef(sums).slice(r * parts, parts));
      Row seen = finishRow(add(row, r), column, sum,
                           r ? add(row, r - 1) : Value(), rounding, tensors);
      addRow(seen, add(row, r), row, r + 1, sums);
    }
    return tensors;
  }

  /// Adds matrix_ij times row j to the sums of the rows from `first` on.
  void addRow(const Row &values, Value j, Value row, int64_t first,
              MutableArrayRef<Value> sums) {
    for (int64_t r = first; r < kRows; ++r) {
      Value weight = element(op.getMatrix(), {add(row, r), j});
      for (auto [p, value] : llvm::enumerate(values)) {
        Value &sum = sums[r * parts + p];
        sum = fma(weight, value, sum);
      }
    }
  }

  /// Rounds and writes row i; what the rows below see of it. `above` is the row
  /// above if it passes its rounding on.
  Row finishRow(Value i, Value column, const Row &u, Value above, Row &rounding,
                MutableArrayRef<Value> tensors) {
    Row solution, scaled, seen;
    if (!op.getFactors()) {
      for (Value value : u)
        solution.push_back(round(value));
      writeRow(solution, tensors[0], i, column);
      return solution;
    }
    Value factor = element(op.getFactors(), i), inverse = element(inverses, i);
    Value passed = above ? element(op.getMatrix(), {i, above}) : Value();
    Row nextRounding;
    for (auto [p, value] : llvm::enumerate(u)) {
      Value exact = arith::MulFOp::create(b, factor, value);
      scaled.push_back(round(exact));
      Value error = subtract(scaled.back(), exact);
      seen.push_back(fma(error, inverse, value));
      Value target =
          above ? fma(passed, rounding[p], seen.back()) : seen.back();
      solution.push_back(round(target));
      nextRounding.push_back(subtract(solution.back(), target));
    }
    rounding = nextRounding;
    writeRow(solution, tensors[0], i, column);
    writeRow(scaled, tensors[1], i, column);
    writeRow(seen, tensors[2], i, column);
    return seen;
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
