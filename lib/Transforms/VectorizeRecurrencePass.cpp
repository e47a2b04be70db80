//===- VectorizeRecurrencePass.cpp - deltanet.recurrence_pass on vectors --===//
//
// Part of the Delta-Net project.
//
// A loop over state rows, `rows` a turn, that carries 2·B·(W/lanes)
// accumulators:
//
//   s = S[i,:] (· decay) + Σ_b previous[b,0,i] · delta_b;  S[i,:] = s
//   key_b += current[b,0,i] · s;  query_b += current[b,1,i] · s
//
// followed by what the B tokens owe each other, on rows of W. Keys and queries
// are loaded as scalars and broadcast: a vector load of B values and an extract
// costs a fifth of the speed.
//
//===----------------------------------------------------------------------===//

#include "VectorBuilder.h"
#include "deltanet/IR/DeltaNet.h"
#include "deltanet/Transforms/Passes.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_VECTORIZERECURRENCEPASS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

class Vectorizer {
public:
  explicit Vectorizer(RecurrencePassOp op)
      : op(op), b(op.getLoc(), op), B(op.getTokens()),
        K(op.getState().getType().getDimSize(0)),
        lanes(op.getState().getType().getDimSize(1) % 16 ? 8 : 16),
        parts(op.getState().getType().getDimSize(1) / lanes), at{B},
        type(VectorType::get({lanes}, b.getF32Type())) {}

  void run() {
    SmallVector<Value> deltas = readRows(op.getDelta());
    SmallVector<Value> swept = sweep(deltas);
    Value state = swept.front();
    ArrayRef<Value> reads = ArrayRef(swept).drop_front();
    auto [delta, out] =
        settle(reads.take_front(B * parts), reads.drop_front(B * parts));
    op->replaceAllUsesWith(ValueRange{state, delta, out});
    op->erase();
  }

private:
  Value index(int64_t value) { return b.index(value); }
  Value read(Value tensor, ValueRange at) { return b.read(type, tensor, at); }
  Value coefficient(int64_t position) {
    return b.load(op.getCoefficients(), index(position));
  }

  /// A tile [B,W] as B·parts vectors.
  SmallVector<Value> readRows(Value tensor) {
    SmallVector<Value> rows;
    for (int64_t i = 0; i < B; ++i)
      for (int64_t p = 0; p < parts; ++p)
        rows.push_back(read(tensor, {index(i), index(p * lanes)}));
    return rows;
  }

  /// The new state, then the products with B keys and B queries.
  SmallVector<Value> sweep(ArrayRef<Value> deltas) {
    if (!op.getRareDecay())
      return loop(deltas, b.broadcast(coefficient(at.decay()), type));
    Value decay = coefficient(at.decay());
    Value one = arith::ConstantOp::create(b, b.getF32FloatAttr(1.0));
    Value due = arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, decay, one);
    SmallVector<Type> types(1 + 2 * B * parts, type);
    types.front() = op.getState().getType();
    auto branch = scf::IfOp::create(b, types, due, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, loop(deltas, b.broadcast(decay, type)));
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loop(deltas, Value()));
    return llvm::to_vector_of<Value>(branch.getResults());
  }

  SmallVector<Value> loop(ArrayRef<Value> deltas, Value decay) {
    SmallVector<Value> inits(1 + 2 * B * parts, b.splat(0, type));
    inits.front() = op.getState();
    const int64_t rows = op.getRows();
    Value begin = index(0), end = index(K);
    auto loop =
        b.keptLoop(begin, end, rows, inits, [&](Value first, ValueRange outer) {
          SmallVector<Value> carried(outer);
          for (int64_t r = 0; r < rows; ++r) {
            Value i = arith::AddIOp::create(b, first, index(r));
            row(i, deltas, decay, carried);
          }
          return carried;
        });
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  void row(Value i, ArrayRef<Value> deltas, Value decay,
           SmallVectorImpl<Value> &carried) {
    auto element = [&](Value rows, int64_t token, int64_t which) {
      SmallVector<Value> indices{index(token), index(which), i};
      return b.broadcastElement(rows, indices, type);
    };
    SmallVector<Value> s(parts);
    for (int64_t p = 0; p < parts; ++p) {
      s[p] = read(carried[0], {i, index(p * lanes)});
      if (decay)
        s[p] = b.multiply(s[p], decay);
    }
    for (int64_t token = 0; token < B; ++token) {
      Value key = element(op.getPrevious(), token, 0);
      for (int64_t p = 0; p < parts; ++p)
        s[p] = b.fma(key, deltas[token * parts + p], s[p]);
    }
    for (int64_t p = 0; p < parts; ++p)
      carried[0] = b.write(s[p], carried[0], {i, index(p * lanes)});
    for (int64_t which : {0, 1})
      for (int64_t token = 0; token < B; ++token) {
        Value x = element(op.getCurrent(), token, which);
        for (int64_t p = 0; p < parts; ++p) {
          Value &sum = carried[1 + (which * B + token) * parts + p];
          sum = b.fma(x, s[p], sum);
        }
      }
  }

  /// The new delta and the outputs, from the products with the state.
  std::pair<Value, Value> settle(ArrayRef<Value> keys,
                                 ArrayRef<Value> queries) {
    SmallVector<Value> values = readRows(op.getValues());
    SmallVector<Value> u(B * parts);
    Value delta = op.getDelta(), out = op.getOutInit();
    auto factor = [&](int64_t position) {
      return b.broadcast(coefficient(position), type);
    };
    // The next pass waits for delta: the sums enter last, and the outputs
    // follow.
    for (int64_t i = 0; i < B; ++i) {
      Value beta = factor(at.beta(i)), key = factor(at.key(i));
      for (int64_t p = 0; p < parts; ++p) {
        int64_t n = i * parts + p;
        u[n] = b.fma(key, keys[n], b.multiply(beta, values[n]));
        for (int64_t j = 0; j < i; ++j)
          u[n] = b.fma(factor(at.erase(i, j)), u[j * parts + p], u[n]);
      }
    }
    for (int64_t i = 0; i < B; ++i) {
      Value carry = factor(at.carry(i));
      for (int64_t p = 0; p < parts; ++p) {
        Value carried = b.multiply(carry, u[i * parts + p]);
        delta = b.write(carried, delta, {index(i), index(p * lanes)});
      }
    }
    for (int64_t i = 0; i < B; ++i) {
      Value query = factor(at.query(i));
      for (int64_t p = 0; p < parts; ++p) {
        Value sum = b.multiply(query, queries[i * parts + p]);
        for (int64_t j = 0; j <= i; ++j)
          sum = b.fma(factor(at.mix(i, j)), u[j * parts + p], sum);
        out = b.write(sum, out, {index(i), index(p * lanes)});
      }
    }
    return {delta, out};
  }

  RecurrencePassOp op;
  VectorBuilder b;
  const int64_t B, K, lanes, parts;
  const RecurrencePassOp::Coefficients at;
  VectorType type;
};

struct VectorizeRecurrencePass
    : deltanet::impl::VectorizeRecurrencePassBase<VectorizeRecurrencePass> {
  void runOnOperation() override {
    SmallVector<RecurrencePassOp> ops;
    getOperation().walk([&](RecurrencePassOp op) { ops.push_back(op); });
    for (RecurrencePassOp op : ops)
      Vectorizer(op).run();
  }
};

} // namespace
