//===- TokenStepOnKeyRows.cpp - One token on a kv state -------------------===//
//
// Part of the Delta-Net project.
//
// The sums are complete when all rows have been read; they lie in scratch, and
// the rows are updated from L2, in order:
//
//   for each r: for R rows at r: sums[2,V] += [k; q] S
//   δ; out
//   for each R rows that are neighbours: update
//
//===----------------------------------------------------------------------===//

#include "TokenStepVectorizer.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// State [G,K,V], head after head.
class KeyRows : TokenStepVectorizer {
public:
  explicit KeyRows(TokenStepOp op)
      : TokenStepVectorizer(op), distance(K / R), step(V % 16 ? kLanes : 16) {}

  void run() {
    Value out = op.getOutInit(), state = op.getStateInit();
    for (int64_t g = 0; g < G; ++g) {
      head = index(g);
      decay = b.broadcastElement(op.getFactors(), {head, index(0)}, type);
      beta = b.broadcastElement(op.getFactors(), {head, index(1)}, type);
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
  Value element(Value row, Value i) { return b.broadcastElement(row, i, type); }

  /// [2,V]: the products of key and query with the state.
  Value sweep() {
    Value sums = bufferization::AllocTensorOp::create(
        b, RankedTensorType::get({2, V}, b.getF32Type()), ValueRange());
    for (int64_t which : {0, 1})
      for (int64_t c = 0; c < V; c += kLanes) {
        Value nothing = zero();
        sums = b.write(nothing, sums, {index(which), index(c)});
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
        x = b.fma(s, keys[j], x);
        y = b.fma(s, queries[j], y);
      }
      sums = b.write(x, sums, {index(0), column});
      sums = b.write(y, sums, {index(1), column});
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
      return SmallVector<Value>{b.write(delta, carried[0], {index(0), c}),
                                b.write(result, carried[1], {head, c})};
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
        Value s = b.multiply(decay, read(op.getState(), place));
        state = b.write(b.fma(keys[j], delta, s), state, place);
      }
    return {state};
  }

  const int64_t distance, step;
  Value head, decay, beta;
};

} // namespace

void mlir::deltanet::vectorizeKeyRows(TokenStepOp op) { KeyRows(op).run(); }
