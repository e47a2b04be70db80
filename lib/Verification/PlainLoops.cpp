//===- PlainLoops.cpp - Own operations as they are defined ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "PlainLoops.h"
#include "LoopBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

/// A new tensor of this type.
static Value emptyOf(LoopBuilder &b, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor::EmptyOp::create(b, tensor.getShape(), tensor.getElementType());
}

namespace {
/// Column after column of the state, as the formulas of the operation.
class PassLoops {
public:
  explicit PassLoops(RecurrencePassOp op)
      : op(op), b(op.getLoc(), op), B(op.getTokens()), at{B} {}

  void run() {
    RankedTensorType state = op.getState().getType();
    SmallVector<Value> inits{op.getState(), op.getDelta(), op.getOutInit()};
    SmallVector<Value> results =
        b.loop(state.getDimSize(1), inits, [&](Value j, ValueRange carried) {
          return column(j, state.getDimSize(0), carried);
        });
    op->replaceAllUsesWith(results);
    op->erase();
  }

private:
  Value coefficient(int64_t position) {
    return b.load(op.getCoefficients(), b.index(position));
  }

  SmallVector<Value> column(Value j, int64_t rows, ValueRange carried) {
    SmallVector<Value> deltas;
    for (int64_t t = 0; t < B; ++t)
      deltas.push_back(b.load(carried[1], {b.index(t), j}));
    // The state, then the products with B keys and B queries.
    SmallVector<Value> sums(1 + 2 * B, b.f32(0));
    sums[0] = carried[0];
    sums = b.loop(rows, sums, [&](Value i, ValueRange values) {
      Value s = b.multiply(coefficient(at.decay()), b.load(values[0], {i, j}));
      for (int64_t t = 0; t < B; ++t)
        s = b.add(s, b.multiply(row(op.getPrevious(), t, 0, i), deltas[t]));
      SmallVector<Value> next{b.store(s, values[0], {i, j})};
      for (int64_t which : {0, 1})
        for (int64_t t = 0; t < B; ++t)
          next.push_back(
              b.add(values[next.size()],
                    b.multiply(row(op.getCurrent(), t, which, i), s)));
      return next;
    });
    return settle(j, sums, carried[1], carried[2]);
  }

  Value row(Value rows, int64_t token, int64_t which, Value i) {
    return b.load(rows, {b.index(token), b.index(which), i});
  }

  SmallVector<Value> settle(Value j, ArrayRef<Value> sums, Value delta,
                            Value out) {
    SmallVector<Value> u;
    for (int64_t t = 0; t < B; ++t) {
      Value token = b.index(t);
      Value value = b.load(op.getValues(), {token, j});
      Value mine = b.add(b.multiply(coefficient(at.beta(t)), value),
                         b.multiply(coefficient(at.key(t)), sums[1 + t]));
      for (int64_t m = 0; m < t; ++m)
        mine = b.add(mine, b.multiply(coefficient(at.erase(t, m)), u[m]));
      u.push_back(mine);
      Value read = b.multiply(coefficient(at.query(t)), sums[1 + B + t]);
      for (int64_t m = 0; m <= t; ++m)
        read = b.add(read, b.multiply(coefficient(at.mix(t, m)), u[m]));
      out = b.store(read, out, {token, j});
      delta = b.store(b.multiply(coefficient(at.carry(t)), mine), delta,
                      {token, j});
    }
    return {sums[0], delta, out};
  }

  RecurrencePassOp op;
  LoopBuilder b;
  const int64_t B;
  const RecurrencePassOp::Coefficients at;
};
} // namespace

/// Head after head, column after column of V.
static void write(TokenStepOp op) {
  LoopBuilder b(op.getLoc(), op);
  int64_t keys = op.getKeyDim();
  // A column is read before it is written, and by no other: where the state is
  // updated in place no copy of it is needed.
  bool isInPlace = op.getState() == op.getStateInit();
  SmallVector<Value> inits{op.getOutInit()};
  if (op.getStateInit())
    inits.push_back(op.getStateInit());
  auto column = [&](Value g, Value v, ValueRange carried) {
    auto place = [&](Value k) {
      return op.isVK() ? SmallVector<Value>{g, v, k}
                       : SmallVector<Value>{g, k, v};
    };
    Value decay = b.load(op.getFactors(), {g, b.index(0)});
    Value beta = b.load(op.getFactors(), {g, b.index(1)});
    SmallVector<Value> zeros{b.f32(0), b.f32(0)};
    Value before = isInPlace ? carried[1] : op.getState();
    SmallVector<Value> reads =
        b.loop(keys, zeros, [&](Value k, ValueRange sum) {
          Value s = b.load(before, place(k));
          return SmallVector<Value>{
              b.add(sum[0], b.multiply(s, b.load(op.getKey(), k))),
              b.add(sum[1], b.multiply(s, b.load(op.getQuery(), k)))};
        });
    Value error =
        b.subtract(b.load(op.getValues(), {g, v}), b.multiply(decay, reads[0]));
    Value delta = b.multiply(beta, error);
    Value out =
        b.multiply(op.getScale(), b.add(b.multiply(decay, reads[1]),
                                        b.multiply(op.getProduct(), delta)));
    SmallVector<Value> results{b.store(out, carried[0], {g, v})};
    if (op.getStateInit())
      results.push_back(
          b.loop(keys, carried[1], [&](Value k, ValueRange state) {
            Value old = b.load(isInPlace ? state[0] : before, place(k));
            Value s = b.add(b.multiply(decay, old),
                            b.multiply(b.load(op.getKey(), k), delta));
            return SmallVector<Value>{b.store(s, state[0], place(k))};
          })[0]);
    return results;
  };
  SmallVector<Value> results =
      b.loop(op.getHeads(), inits, [&](Value g, ValueRange outer) {
        return b.loop(op.getValueDim(), outer, [&](Value v, ValueRange inner) {
          return column(g, v, inner);
        });
      });
  op->replaceAllUsesWith(results);
  op->erase();
}

static void write(SlotSequenceOp op) {
  LoopBuilder b(op.getLoc(), op);
  Value cu = op.getCuSeqlens(), zero = b.index(0);
  Value bounds = tensor::DimOp::create(b, cu, 0);
  Value sequences = b.subtract(bounds, b.index(1));
  Value owner = b.loop(zero, sequences, zero, [&](Value n, ValueRange last) {
    Value first = b.add(b.divide(b.load(cu, n), op.getChunk()), n);
    Value before = b.compare(arith::CmpIPredicate::ule, first, op.getSlot());
    return SmallVector<Value>{b.select(before, n, last[0])};
  })[0];
  op->replaceAllUsesWith(ValueRange{owner});
  op->erase();
}

/// Running sums of gates into a new tensor: at i the sum before it is stored
/// after (inclusive) or before (exclusive) the gate of i is added.
static Value sumsOf(LoopBuilder &b, Value gates, bool backward) {
  int64_t C = cast<RankedTensorType>(gates.getType()).getDimSize(0);
  SmallVector<Value> inits{emptyOf(b, gates.getType()), b.f32(0)};
  return b.loop(C, inits, [&](Value step, ValueRange carried) {
    Value i = backward ? b.subtract(b.index(C - 1), step) : step;
    Value sum = b.add(carried[1], b.load(gates, i));
    return SmallVector<Value>{
        b.store(backward ? carried[1] : sum, carried[0], i), sum};
  })[0];
}

static void write(DecayOp op) {
  LoopBuilder b(op.getLoc(), op);
  Value gates = op.getGates();
  int64_t C = cast<RankedTensorType>(gates.getType()).getDimSize(0);
  Value matrix = b.loop(
      C, emptyOf(b, op.getMatrix().getType()), [&](Value j, ValueRange column) {
        SmallVector<Value> inits{column[0], b.f32(0)};
        Value done = b.loop(C, inits, [&](Value i, ValueRange carried) {
          Value below = b.compare(arith::CmpIPredicate::ugt, i, j);
          Value above = b.compare(arith::CmpIPredicate::ult, i, j);
          Value sum =
              b.select(below, b.add(carried[1], b.load(gates, i)), carried[1]);
          Value zero = b.f32(0), decay = math::ExpOp::create(b, sum);
          Value factor = b.select(above, zero, decay);
          return SmallVector<Value>{b.store(factor, carried[0], {i, j}), sum};
        })[0];
        return SmallVector<Value>{done};
      })[0];
  op->replaceAllUsesWith(
      ValueRange{matrix, sumsOf(b, gates, false), sumsOf(b, gates, true)});
  op->erase();
}

/// Column j of the inverse by forward substitution: x_i = [i = j] - sum over
/// m < i of a_im x_m.
static void write(TrilInverseOp op) {
  LoopBuilder b(op.getLoc(), op);
  int64_t C = op.getResult().getType().getDimSize(0);
  Value a = op.getMatrix();
  Value inverse = b.loop(
      C, emptyOf(b, op.getResult().getType()), [&](Value j, ValueRange column) {
        return b.loop(C, column, [&](Value i, ValueRange rows) {
          Value isDiagonal = b.compare(arith::CmpIPredicate::eq, i, j);
          Value one = b.f32(1), zero = b.f32(0);
          Value diagonal = b.select(isDiagonal, one, zero);
          Value x =
              b.loop(b.index(0), i, diagonal, [&](Value m, ValueRange rest) {
                Value known = b.load(rows[0], {m, j});
                return SmallVector<Value>{
                    b.subtract(rest[0], b.multiply(b.load(a, {i, m}), known))};
              })[0];
          return SmallVector<Value>{b.store(x, rows[0], {i, j})};
        });
      })[0];
  op->replaceAllUsesWith(ValueRange{inverse});
  op->erase();
}

/// Where (row, column) lies in a result of a solve: there, or in right-hand
/// tiles of 16 pairs of rows and 16 columns.
static SmallVector<Value> placeOf(LoopBuilder &b, Value tensor, Value row,
                                  Value column) {
  if (cast<RankedTensorType>(tensor.getType()).getRank() == 2)
    return {row, column};
  auto rest = [&](Value x, int64_t of) -> Value {
    return arith::RemUIOp::create(b, x, b.index(of));
  };
  return {b.divide(row, 32), b.divide(column, 16), b.divide(rest(row, 32), 2),
          rest(column, 16), rest(row, 2)};
}

/// Column after column, and within it row after row, as the formulas of the
/// operation.
static void write(TrilSolveOp op) {
  LoopBuilder b(op.getLoc(), op);
  RankedTensorType type = op.getRhs().getType();
  int64_t rows = type.getDimSize(0);
  Value matrix = op.getMatrix(), factors = op.getFactors(), zero = b.f32(0);
  auto round = [&](Value x) -> Value {
    Value narrow = arith::TruncFOp::create(b, b.getBF16Type(), x);
    return arith::ExtFOp::create(b, b.getF32Type(), narrow);
  };
  /// scaled_i and r_i.
  auto scale = [&](Value i, Value u, Value solution,
                   Value above) -> std::pair<Value, Value> {
    Value share = b.load(op.getShares(), i);
    Value taken = b.multiply(share, b.subtract(solution, u));
    Value passed = b.multiply(b.load(op.getPasses(), i), above);
    Value w = b.subtract(b.add(u, taken), passed);
    Value factor = b.load(factors, i);
    Value exact = b.multiply(factor, w);
    Value scaled = round(exact);
    Value usable = arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, factor,
                                         b.f32(0x1p-64f));
    Value rest = arith::DivFOp::create(b, b.subtract(scaled, exact), factor);
    return {scaled, b.select(usable, rest, zero)};
  };
  SmallVector<Value> inits(op.getDpsInits());
  SmallVector<Value> results =
      b.loop(type.getDimSize(1), inits, [&](Value w, ValueRange columns) {
        SmallVector<Value> carried(columns);
        carried.push_back(zero);
        carried = b.loop(rows, carried, [&](Value i, ValueRange above) {
          Value u = b.loop(b.index(0), i, b.load(op.getRhs(), {i, w}),
                           [&](Value j, ValueRange sum) {
                             SmallVector<Value> at =
                                 placeOf(b, above.front(), j, w);
                             Value term = b.multiply(b.load(matrix, {i, j}),
                                                     b.load(above.front(), at));
                             return SmallVector<Value>{b.add(sum[0], term)};
                           })[0];
          SmallVector<Value> next(above);
          Value solution = round(u);
          next[0] = b.store(solution, above[0], placeOf(b, above[0], i, w));
          if (factors) {
            Value scaled;
            std::tie(scaled, next.back()) = scale(i, u, solution, above.back());
            next[1] = b.store(scaled, above[1], placeOf(b, above[1], i, w));
          }
          return next;
        });
        carried.pop_back();
        return carried;
      });
  op->replaceAllUsesWith(results);
  op->erase();
}

void verification::writeAsPlainLoops(ModuleOp module) {
  SmallVector<Operation *> operations;
  module.walk([&](Operation *op) {
    if (isa_and_nonnull<DeltaNetDialect>(op->getDialect()))
      operations.push_back(op);
  });
  for (Operation *op : operations)
    llvm::TypeSwitch<Operation *>(op)
        .Case([](DeltaRuleOp rule) { writeAsPlainLoops(rule); })
        .Case([](RecurrencePassOp pass) { PassLoops(pass).run(); })
        .Case<TokenStepOp, SlotSequenceOp, DecayOp, TrilInverseOp, TrilSolveOp>(
            [](auto own) { write(own); });
}
