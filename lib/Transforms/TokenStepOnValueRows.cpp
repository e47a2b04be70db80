//===- TokenStepOnValueRows.cpp - One token on a vk state -----------------===//
//
// Part of the Delta-Net project.
//
// A row holds all of K, so its sums are complete at once and it is updated
// while it is in L1:
//
//   for each r: for R rows at r: sums over K in registers; δ; out; update
//
// or, one row at a time:
//
//   sums of row 0
//   for each r: δ; out; update of row r beside the sums of row r + 1
//
//===----------------------------------------------------------------------===//

#include "TokenStepVectorizer.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// State [G,V,K].
class ValueRows : TokenStepVectorizer {
public:
  explicit ValueRows(TokenStepOp op)
      : TokenStepVectorizer(op), perHead(R / G), distance(V / perHead) {}

  void run() {
    SmallVector<Value> decays, betas;
    for (int64_t j = 0; j < R; ++j) {
      decays.push_back(b.load(op.getFactors(), {index(j % G), index(0)}));
      betas.push_back(b.load(op.getFactors(), {index(j % G), index(1)}));
    }
    decay = gather(decays);
    beta = gather(betas);
    for (Value scalar : decays)
      decaySplats.push_back(b.broadcast(scalar, type));
    SmallVector<Value> inits{op.getOutInit()};
    if (op.getStateInit())
      inits.push_back(op.getStateInit());
    op->replaceAllUsesWith(R == 1 ? rowByRow(inits) : turns(inits));
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

  using ColumnsBody = function_ref<void(Value column, Value key,
                                        MutableArrayRef<Value> carried)>;
  /// One pass over K; `body` replaces what the loop carries for a vector of
  /// columns and the part of the key there.
  SmallVector<Value> overColumns(ValueRange inits, ColumnsBody body) {
    constexpr int64_t step = 2 * kLanes;
    auto done = loop(K, step, inits, [&](Value i, ValueRange carried) {
      SmallVector<Value> values(carried);
      for (int64_t at = 0; at < step; at += kLanes) {
        Value column = offset(i, at);
        Value key = read(op.getKey(), column);
        body(column, key, values);
      }
      return values;
    });
    return llvm::to_vector_of<Value>(done.getResults());
  }

  /// Adds the products of the rows at r, first R with the key, then R with the
  /// query.
  void addProducts(Value r, Value column, Value key,
                   MutableArrayRef<Value> sums) {
    Value query = read(op.getQuery(), column);
    for (int64_t j = 0; j < R; ++j) {
      Value s = read(op.getState(), place(r, j, column));
      sums[j] = b.fma(s, key, sums[j]);
      sums[R + j] = b.fma(s, query, sums[R + j]);
    }
  }

  /// The rows at r of the new state.
  void updateRows(Value r, ArrayRef<Value> deltas, Value column, Value key,
                  Value &state) {
    for (int64_t j = 0; j < R; ++j) {
      Value s = read(op.getState(), place(r, j, column));
      s = b.fma(deltas[j], key, b.multiply(decaySplats[j], s));
      state = b.write(s, state, place(r, j, column));
    }
  }

  SmallVector<Value> splats(Value delta) {
    SmallVector<Value> deltas;
    for (int64_t j = 0; j < R; ++j)
      deltas.push_back(
          b.broadcast(vector::ExtractOp::create(b, delta, j), type));
    return deltas;
  }

  /// The lanes of R sums with the key and R with the query.
  SmallVector<Value> sum(Value r) {
    return overColumns(
        SmallVector<Value>(2 * R, zero()),
        [&](Value column, Value key, MutableArrayRef<Value> sums) {
          addProducts(r, column, key, sums);
        });
  }

  Value update(Value r, Value delta, Value state) {
    SmallVector<Value> deltas = splats(delta);
    return overColumns(
               state,
               [&](Value column, Value key, MutableArrayRef<Value> carried) {
                 updateRows(r, deltas, column, key, carried[0]);
               })
        .front();
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
      values.push_back(b.load(op.getValues(), place(r, j)));
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
      auto [delta, out] = settleRows(r, sum(r), carried[0]);
      SmallVector<Value> results{out};
      if (carried.size() > 1)
        results.push_back(update(r, delta, carried[1]));
      return results;
    });
    return llvm::to_vector_of<Value>(done.getResults());
  }

  /// The new state and the two sums of row `next`, in one pass.
  SmallVector<Value> updateBesideSum(Value row, Value delta, Value state,
                                     Value next) {
    SmallVector<Value> deltas = splats(delta), inits{state};
    inits.append(2, zero());
    return overColumns(
        inits, [&](Value column, Value key, MutableArrayRef<Value> carried) {
          updateRows(row, deltas, column, key, carried[0]);
          addProducts(next, column, key, carried.drop_front());
        });
  }

  /// One row of a single head at a time, with the sums of the next one beside
  /// its update: the registers have room for that, and no row waits for its
  /// sums.
  SmallVector<Value> rowByRow(ValueRange inits) {
    const bool updates = inits.size() > 1;
    Value first = index(0), last = index(V - 1);
    SmallVector<Value> begin(inits);
    llvm::append_range(begin, sum(first));
    auto done = loop(V - 1, 1, begin, [&](Value row, ValueRange carried) {
      auto [delta, out] = settleRows(row, carried.take_back(2), carried[0]);
      SmallVector<Value> results{out};
      Value next = offset(row, 1);
      llvm::append_range(results,
                         updates ? updateBesideSum(row, delta, carried[1], next)
                                 : sum(next));
      return results;
    });
    ValueRange carried = done.getResults();
    auto [delta, out] = settleRows(last, carried.take_back(2), carried[0]);
    SmallVector<Value> results{out};
    if (updates)
      results.push_back(update(last, delta, carried[1]));
    return results;
  }

  const int64_t perHead, distance;
  Value decay, beta;
  SmallVector<Value> decaySplats;
};

} // namespace

void mlir::deltanet::vectorizeValueRows(TokenStepOp op) { ValueRows(op).run(); }
