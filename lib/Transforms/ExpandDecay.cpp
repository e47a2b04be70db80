//===- ExpandDecay.cpp - Decays of a chunk by forward sums of gates -------===//
//
// Part of the Delta-Net project.
//
// With the chunk cut into blocks of 16 tokens, and p, s the sums of gates from
// the begin of a block and to its end:
//
//   diagonal block   row i: E_ij = E_(i−1)j + g_i for j < i, D_ij = exp(E_ij)
//   other blocks     D_ij = exp(p_i + m) · exp(s_j)
//
// where m is the sum of the whole blocks between those of j and i. No sum is
// ever subtracted, so that g = −inf means exactly zero.
//
//===----------------------------------------------------------------------===//

#include "ChunkBuilder.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_EXPANDDECAY
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

class DecayExpansion {
public:
  DecayExpansion(DecayOp op, ChunkBuilder &builder)
      : b(builder), gates(op.getGates()),
        chunk(cast<RankedTensorType>(gates.getType()).getDimSize(0)) {}

  SmallVector<Value> expand() {
    auto [prefix, fromBlock] = sums(Direction::Forward);
    auto [suffix, toBlockEnd] = sums(Direction::Backward);
    return {matrix(fromBlock, toBlockEnd), prefix, suffix};
  }

private:
  enum class Direction { Forward, Backward };

  /// Running sums over the whole chunk and over each block. Forward sums hold
  /// the gate of their own token, backward sums do not.
  std::pair<Value, Value> sums(Direction direction) {
    bool forward = direction == Direction::Forward;
    Value zero = b.f32(0.0);
    SmallVector<Value> inits{b.scratch({chunk}), b.scratch({chunk}), zero};
    auto blocks =
        b.loop(chunk, kCausalBlock, inits, [&](Value block, ValueRange outer) {
          SmallVector<Value> running(outer);
          running.push_back(zero);
          auto tokens = b.loop(
              kCausalBlock, 1, running,
              [&](Value offset, ValueRange carried) -> SmallVector<Value> {
                Value token = b.add(block, offset);
                if (!forward)
                  token = b.sub(b.index(chunk - 1), token);
                Value gate = b.load(gates, ValueRange{token});
                Value all = b.addf(carried[2], gate);
                Value inBlock = b.addf(carried[3], gate);
                return {b.store(forward ? all : carried[2], carried[0],
                                ValueRange{token}),
                        b.store(forward ? inBlock : carried[3], carried[1],
                                ValueRange{token}),
                        all, inBlock};
              });
          tokens.pop_back();
          return tokens;
        });
    return {blocks[0], blocks[1]};
  }

  TileSlice rows(Value first) {
    return TileBuilder::at({first}, {b.attr(kCausalBlock)});
  }

  Value exponentials(Value logs, Value offset, int64_t size) {
    SmallVector<ChunkBuilder::Operand> inputs{{logs, {0}}};
    if (offset)
      inputs.push_back({offset, {}});
    return b.elementwise(
        inputs, ValueRange{b.scratch({size})},
        [&](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
          Value sum = offset ? n.addf(x[0], x[1]) : x[0];
          return {math::ExpOp::create(n, sum)};
        })[0];
  }

  Value matrix(Value fromBlock, Value toBlockEnd) {
    Value decaysToEnd = exponentials(toBlockEnd, Value(), chunk);
    Value zeros = b.fill(b.scratch({chunk, chunk}), 0.0);
    return b.loop(
        chunk, kCausalBlock, zeros,
        [&](Value column, ValueRange carried) -> SmallVector<Value> {
          Value filled = diagonalBlock(column, carried[0]);
          Value columns = b.extract(decaysToEnd, rows(column), 1);
          Value next = b.add(column, b.index(kCausalBlock));
          Value last = b.index(chunk), none = b.f32(0.0);
          auto below = b.loop(
              next, last, kCausalBlock, {filled, none},
              [&](Value row, ValueRange values) -> SmallVector<Value> {
                return blockBelow(row, column, fromBlock, columns, values);
              });
          return {below[0]};
        })[0];
  }

  /// values: the matrix and the sum of the blocks between.
  SmallVector<Value> blockBelow(Value row, Value column, Value fromBlock,
                                Value columns, ValueRange values) {
    Value logs = b.extract(fromBlock, rows(row), 1);
    Value decays = exponentials(logs, values[1], kCausalBlock);
    TileSlice at = b.block(row, column, kCausalBlock);
    Value block = b.elementwise(
        {{decays, {0}}, {columns, {1}}}, b.extract(values[0], at, 2),
        [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
          return {n.mulf(x[0], x[1])};
        })[0];
    Value last = b.add(row, b.index(kCausalBlock - 1));
    Value whole = b.load(fromBlock, ValueRange{last});
    return {b.insert(block, values[0], at), b.addf(values[1], whole)};
  }

  Value diagonalBlock(Value first, Value matrix) {
    Value sums = b.fill(b.scratch({kCausalBlock}), 0.0);
    return b.loop(
        kCausalBlock, 1, {matrix, sums},
        [&](Value offset, ValueRange carried) -> SmallVector<Value> {
          Value row = b.add(first, offset);
          Value gate = b.load(gates, ValueRange{row});
          TileSlice at =
              TileBuilder::at({row, first}, {b.attr(1), b.attr(kCausalBlock)});
          SmallVector<Value> targets{b.extract(carried[0], at, 1), carried[1]};
          targets = b.elementwise(
              {{gate, {}}}, targets,
              [&](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                Value column = linalg::IndexOp::create(n, 0);
                Value zero = n.f32(0.0);
                auto isBelow = [&](arith::CmpIPredicate predicate) -> Value {
                  return arith::CmpIOp::create(n, predicate, column, offset);
                };
                Value below = isBelow(arith::CmpIPredicate::ult);
                Value longer = n.addf(x[2], x[0]);
                Value sum = arith::SelectOp::create(n, below, longer, zero);
                Value causal = isBelow(arith::CmpIPredicate::ule);
                Value exponential = math::ExpOp::create(n, sum);
                Value decay =
                    arith::SelectOp::create(n, causal, exponential, zero);
                return {decay, sum};
              });
          return {b.insert(targets[0], carried[0], at), targets[1]};
        })[0];
  }

  ChunkBuilder &b;
  Value gates;
  int64_t chunk;
};

struct ExpandDecay : deltanet::impl::ExpandDecayBase<ExpandDecay> {
  void runOnOperation() override {
    getOperation()->walk([](DecayOp op) {
      ChunkBuilder builder(op.getLoc(), op);
      op->replaceAllUsesWith(DecayExpansion(op, builder).expand());
      op->erase();
    });
  }
};

} // namespace
