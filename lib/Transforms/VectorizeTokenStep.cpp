//===- VectorizeTokenStep.cpp - deltanet.token_step on vectors ------------===//
//
// Part of the Delta-Net project.
//
// Decode is bound by memory, and one core gets most out of it when the hardware
// prefetches several sequential streams: R rows are taken at once, from parts
// of the state that are equally far apart, and each part is walked in order.
// Software prefetches beside such streams only take their places.
//
// vk: a row holds all of K, so its sums are complete at once and it is updated
// while it is in L1:
//
//   for each r: for R rows at r: sums over K in registers; δ; out; update
//
// or, one row at a time:
//
//   sums of row 0
//   for each r: δ; out; update of row r beside the sums of row r + 1
//
// kv: the sums are complete when all rows have been read; they lie in scratch,
// and the rows are updated from L2, in order:
//
//   for each r: for R rows at r: sums[2,V] += [k; q] S
//   δ; out
//   for each R rows that are neighbours: update
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_VECTORIZETOKENSTEP
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

constexpr int64_t kLanes = 8;

/// What both layouts need.
class StepVectorizer {
public:
  explicit StepVectorizer(TokenStepOp op)
      : op(op), b(op.getLoc(), op), R(op.getRows()), G(op.getHeads()),
        K(op.getKeyDim()), V(op.getValueDim()),
        type(VectorType::get({kLanes}, b.getF32Type())) {}

protected:
  using LoopBody = function_ref<SmallVector<Value>(Value, ValueRange)>;

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value offset(Value base, int64_t distance) {
    return distance ? b.createOrFold<arith::AddIOp>(base, index(distance))
                    : base;
  }
  /// A loop that LLVM leaves as it is.
  scf::ForOp loop(int64_t end, int64_t step, ValueRange inits, LoopBody body) {
    Value first = index(0), last = index(end), width = index(step);
    auto loop = scf::ForOp::create(b, first, last, width, inits);
    loop->setAttr(DeltaNetDialect::kKeepLoopAttr, b.getUnitAttr());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> results =
        body(loop.getInductionVar(), loop.getRegionIterArgs());
    if (!inits.empty())
      scf::YieldOp::create(b, results);
    return loop;
  }

  Value zero() { return arith::ConstantOp::create(b, b.getZeroAttr(type)); }
  Value read(Value tensor, ValueRange indices) {
    return vector::TransferReadOp::create(b, type, tensor, indices,
                                          /*padding=*/std::nullopt,
                                          ArrayRef<bool>{true});
  }
  Value write(Value vector, Value tensor, ValueRange indices) {
    return vector::TransferWriteOp::create(b, vector, tensor, indices,
                                           ArrayRef<bool>{true})
        .getResult();
  }
  Value load(Value tensor, ValueRange indices) {
    return tensor::ExtractOp::create(b, tensor, indices);
  }
  Value broadcast(Value scalar, VectorType to) {
    return vector::BroadcastOp::create(b, to, scalar);
  }
  Value fma(Value x, Value y, Value z) {
    return vector::FMAOp::create(b, x, y, z);
  }
  Value multiply(Value x, Value y) { return arith::MulFOp::create(b, x, y); }

  /// δ and out from the sums with key and query, the values, γ and β.
  std::pair<Value, Value> settle(Value keys, Value queries, Value values,
                                 Value decay, Value beta) {
    auto to = cast<VectorType>(keys.getType());
    Value error = arith::SubFOp::create(b, values, multiply(decay, keys));
    Value delta = multiply(beta, error);
    Value product = broadcast(op.getProduct(), to);
    Value sum = fma(product, delta, multiply(decay, queries));
    return {delta, multiply(broadcast(op.getScale(), to), sum)};
  }

  TokenStepOp op;
  ImplicitLocOpBuilder b;
  const int64_t R, G, K, V;
  const VectorType type;
};

/// State [G,V,K].
class RowsOfValues : StepVectorizer {
public:
  explicit RowsOfValues(TokenStepOp op)
      : StepVectorizer(op), perHead(R / G), distance(V / perHead) {}

  void run() {
    SmallVector<Value> decays, betas;
    for (int64_t j = 0; j < R; ++j) {
      decays.push_back(load(op.getFactors(), {index(j % G), index(0)}));
      betas.push_back(load(op.getFactors(), {index(j % G), index(1)}));
    }
    decay = gather(decays);
    beta = gather(betas);
    for (Value scalar : decays)
      decaySplats.push_back(broadcast(scalar, type));
    SmallVector<Value> inits{op.getOutInit()};
    if (op.getStateInit())
      inits.push_back(op.getStateInit());
    op->replaceAllUsesWith(R == 1 ? pipelined(inits) : turns(inits));
    op->erase();
  }

private:
  Value gather(ArrayRef<Value> scalars) {
    auto to = VectorType::get({R}, b.getF32Type());
    return vector::FromElementsOp::create(b, to, scalars);
  }

  /// Head and row of the j-th of R rows.
  SmallVector<Value> place(Value r, int64_t j) {
    return {index(j % G), offset(r, j / G * distance)};
  }
  SmallVector<Value> place(Value r, int64_t j, Value column) {
    SmallVector<Value> indices = place(r, j);
    indices.push_back(column);
    return indices;
  }

  /// One pass over K that takes the sums of the rows `summed`, updates the rows
  /// `r` of `state`, or both. Returns the state, then R sums with the key and R
  /// with the query.
  SmallVector<Value> walk(Value summed, Value r, Value delta, Value state) {
    SmallVector<Value> inits, deltas;
    if (state) {
      inits.push_back(state);
      for (int64_t j = 0; j < R; ++j)
        deltas.push_back(
            broadcast(vector::ExtractOp::create(b, delta, j), type));
    }
    if (summed)
      inits.append(2 * R, zero());
    constexpr int64_t step = 2 * kLanes;
    auto done = loop(K, step, inits, [&](Value i, ValueRange carried) {
      SmallVector<Value> values(carried);
      MutableArrayRef<Value> sums =
          MutableArrayRef<Value>(values).drop_front(state ? 1 : 0);
      for (int64_t at = 0; at < step; at += kLanes) {
        Value column = offset(i, at);
        Value key = read(op.getKey(), column);
        for (int64_t j = 0; state && j < R; ++j) {
          Value s = read(op.getState(), place(r, j, column));
          s = fma(deltas[j], key, multiply(decaySplats[j], s));
          values[0] = write(s, values[0], place(r, j, column));
        }
        if (!summed)
          continue;
        Value query = read(op.getQuery(), column);
        for (int64_t j = 0; j < R; ++j) {
          Value s = read(op.getState(), place(summed, j, column));
          sums[j] = fma(s, key, sums[j]);
          sums[R + j] = fma(s, query, sums[R + j]);
        }
      }
      return values;
    });
    return llvm::to_vector_of<Value>(done.getResults());
  }

  /// The sum of the lanes of each of 2, 4 or 8 vectors, as one vector. A level
  /// of the tree adds two vectors within their halves of 4 lanes, the last one
  /// the halves.
  Value sumLanes(SmallVector<Value> vectors) {
    const int64_t count = vectors.size();
    static constexpr int64_t kPick[3][2][kLanes] = {
        {{0, 8, 1, 9, 4, 12, 5, 13}, {2, 10, 3, 11, 6, 14, 7, 15}},
        {{0, 1, 8, 9, 4, 5, 12, 13}, {2, 3, 10, 11, 6, 7, 14, 15}},
        {{0, 1, 2, 3, 8, 9, 10, 11}, {4, 5, 6, 7, 12, 13, 14, 15}}};
    for (int64_t level = 0; vectors.size() > 1; ++level) {
      SmallVector<Value> sums;
      for (size_t n = 0; n < vectors.size(); n += 2) {
        auto pick = [&](int64_t which) -> Value {
          return vector::ShuffleOp::create(b, vectors[n], vectors[n + 1],
                                           kPick[level][which]);
        };
        Value first = pick(0), second = pick(1);
        sums.push_back(arith::AddFOp::create(b, first, second));
      }
      vectors = std::move(sums);
    }
    Value sum = vectors.front();
    for (int64_t lanes = kLanes; lanes > count; lanes /= 2) {
      Value low = part(sum, 0, lanes / 2),
            high = part(sum, lanes / 2, lanes / 2);
      sum = arith::AddFOp::create(b, low, high);
    }
    return sum;
  }
  Value part(Value vector, int64_t begin, int64_t lanes) {
    return vector::ExtractStridedSliceOp::create(b, vector, begin, lanes, 1);
  }

  /// The δ of rows r from their sums, and out with their elements.
  std::pair<Value, Value> settleRows(Value r, ValueRange sums, Value out) {
    Value all = sumLanes(llvm::to_vector(sums));
    SmallVector<Value> values;
    for (int64_t j = 0; j < R; ++j)
      values.push_back(load(op.getValues(), place(r, j)));
    Value keys = part(all, 0, R), queries = part(all, R, R);
    auto [delta, result] = settle(keys, queries, gather(values), decay, beta);
    for (int64_t j = 0; j < R; ++j) {
      Value element = vector::ExtractOp::create(b, result, j);
      out = tensor::InsertOp::create(b, element, out, place(r, j));
    }
    return {delta, out};
  }

  /// Rows are summed, settled and updated in a turn.
  SmallVector<Value> turns(ValueRange inits) {
    auto done = loop(distance, 1, inits, [&](Value r, ValueRange carried) {
      SmallVector<Value> sums = walk(r, Value(), Value(), Value());
      auto [delta, out] = settleRows(r, sums, carried[0]);
      SmallVector<Value> results{out};
      if (carried.size() > 1)
        llvm::append_range(results, walk(Value(), r, delta, carried[1]));
      return results;
    });
    return llvm::to_vector_of<Value>(done.getResults());
  }

  /// The same with the sums of the next row beside the update of this one: the
  /// registers have room for that, and no row waits for its sums.
  SmallVector<Value> pipelined(ValueRange inits) {
    const bool updates = inits.size() > 1;
    Value first = index(0), last = index(distance - 1);
    SmallVector<Value> begin(inits);
    llvm::append_range(begin, walk(first, Value(), Value(), Value()));
    auto settled = [&](Value r, ValueRange carried) {
      return settleRows(r, carried.take_back(2 * R), carried[0]);
    };
    auto done = loop(distance - 1, 1, begin, [&](Value r, ValueRange carried) {
      auto [delta, out] = settled(r, carried);
      SmallVector<Value> results{out};
      Value state = updates ? carried[1] : Value();
      llvm::append_range(results, walk(offset(r, 1), r, delta, state));
      return results;
    });
    auto [delta, out] = settled(last, done.getResults());
    SmallVector<Value> results{out};
    if (updates)
      llvm::append_range(results,
                         walk(Value(), last, delta, done.getResult(1)));
    return results;
  }

  const int64_t perHead, distance;
  Value decay, beta;
  SmallVector<Value> decaySplats;
};

/// State [G,K,V], head after head.
class RowsOfKeys : StepVectorizer {
public:
  explicit RowsOfKeys(TokenStepOp op)
      : StepVectorizer(op), distance(K / R), step(V % 16 ? kLanes : 16) {}

  void run() {
    Value out = op.getOutInit(), state = op.getStateInit();
    for (int64_t g = 0; g < G; ++g) {
      head = index(g);
      decay = broadcast(load(op.getFactors(), {head, index(0)}), type);
      beta = broadcast(load(op.getFactors(), {head, index(1)}), type);
      Value sums = sweep();
      auto settled = settleColumns(sums, out);
      out = settled.second;
      if (state)
        state = update(settled.first, state);
    }
    op->replaceAllUsesWith(state ? ValueRange{out, state} : ValueRange{out});
    op->erase();
  }

private:
  Value element(Value row, Value i) { return broadcast(load(row, i), type); }

  /// [2,V]: the products of key and query with the state.
  Value sweep() {
    Value sums = bufferization::AllocTensorOp::create(
        b, RankedTensorType::get({2, V}, b.getF32Type()), ValueRange());
    for (int64_t which : {0, 1})
      for (int64_t c = 0; c < V; c += kLanes) {
        Value nothing = zero();
        sums = write(nothing, sums, {index(which), index(c)});
      }
    return loop(distance, 1, sums,
                [&](Value r, ValueRange outer) {
                  SmallVector<Value> rows, keys, queries;
                  for (int64_t j = 0; j < R; ++j) {
                    rows.push_back(offset(r, j * distance));
                    keys.push_back(element(op.getKey(), rows[j]));
                    queries.push_back(element(op.getQuery(), rows[j]));
                  }
                  auto swept =
                      loop(V, step, outer, [&](Value c, ValueRange inner) {
                        return columns(c, rows, keys, queries, inner[0]);
                      });
                  return SmallVector<Value>{swept.getResult(0)};
                })
        .getResult(0);
  }

  SmallVector<Value> columns(Value c, ArrayRef<Value> rows,
                             ArrayRef<Value> keys, ArrayRef<Value> queries,
                             Value sums) {
    for (int64_t at = 0; at < step; at += kLanes) {
      Value column = offset(c, at);
      Value x = read(sums, {index(0), column});
      Value y = read(sums, {index(1), column});
      for (int64_t j = 0; j < R; ++j) {
        Value s = read(op.getState(), {head, rows[j], column});
        x = fma(s, keys[j], x);
        y = fma(s, queries[j], y);
      }
      sums = write(x, sums, {index(0), column});
      sums = write(y, sums, {index(1), column});
    }
    return {sums};
  }

  /// The deltas, in the first row of the sums, and out.
  std::pair<Value, Value> settleColumns(Value sums, Value out) {
    SmallVector<Value> inits{sums, out};
    auto done = loop(V, kLanes, inits, [&](Value c, ValueRange carried) {
      Value keys = read(carried[0], {index(0), c});
      Value queries = read(carried[0], {index(1), c});
      auto [delta, result] =
          settle(keys, queries, read(op.getValues(), {head, c}), decay, beta);
      return SmallVector<Value>{write(delta, carried[0], {index(0), c}),
                                write(result, carried[1], {head, c})};
    });
    return {done.getResult(0), done.getResult(1)};
  }

  Value update(Value deltas, Value state) {
    return loop(K, R, state,
                [&](Value i, ValueRange outer) {
                  SmallVector<Value> keys;
                  for (int64_t j = 0; j < R; ++j)
                    keys.push_back(element(op.getKey(), offset(i, j)));
                  auto row =
                      loop(V, step, outer, [&](Value c, ValueRange inner) {
                        return updateColumns(i, c, keys, deltas, inner[0]);
                      });
                  row->setAttr(DeltaNetDialect::kPrefetchHereAttr,
                               b.getUnitAttr());
                  return SmallVector<Value>{row.getResult(0)};
                })
        .getResult(0);
  }

  SmallVector<Value> updateColumns(Value i, Value c, ArrayRef<Value> keys,
                                   Value deltas, Value state) {
    for (int64_t j = 0; j < R; ++j)
      for (int64_t at = 0; at < step; at += kLanes) {
        SmallVector<Value> place{head, offset(i, j), offset(c, at)};
        Value delta = read(deltas, {index(0), place[2]});
        Value s = multiply(decay, read(op.getState(), place));
        state = write(fma(keys[j], delta, s), state, place);
      }
    return {state};
  }

  const int64_t distance, step;
  Value head, decay, beta;
};

struct VectorizeTokenStep
    : deltanet::impl::VectorizeTokenStepBase<VectorizeTokenStep> {
  void runOnOperation() override {
    SmallVector<TokenStepOp> ops;
    getOperation().walk([&](TokenStepOp op) { ops.push_back(op); });
    for (TokenStepOp op : ops)
      if (op.isVK())
        RowsOfValues(op).run();
      else
        RowsOfKeys(op).run();
  }
};

} // namespace
