//===- ExpandDecay.cpp - Decays of a chunk, every element at once ---------===//
//
// Part of the Delta-Net project.
//
// With the chunk cut into B blocks of 16 tokens, a block of threads computes in
// three steps, between which it waits:
//
//   1. p, s: sums of gates from the begin of a block and to its end, e^s, and
//      e^(g_{j+1} + … + g_i) of each diagonal block
//   2. e^(p_i + m) with m, the sum of the whole blocks between those of j and
//   i;
//      the sums from the begin of the chunk and to its end
//   3. the matrix: diagonal blocks as they are, below e^(p_i + m) e^(s_j)
//
// A thread reads all gates of a block and selects those that it sums: no sum is
// ever subtracted and no gate multiplied, so that g = −inf means exactly zero.
//
//===----------------------------------------------------------------------===//

#include "BlockWork.h"
#include "deltanet/IR/DeltaNet.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_EXPANDGPUDECAY
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// Tokens of a block.
constexpr int64_t kBlock = 16;

class DecayExpansion {
public:
  DecayExpansion(DecayOp op, BlockWork &work)
      : w(work),
        chunk(cast<RankedTensorType>(op.getGates().getType()).getDimSize(0)),
        blocks(chunk / kBlock),
        gates(w.split(op.getGates(), {blocks, kBlock}, {2})) {}

  SmallVector<Value> expand() {
    SmallVector<Value> sums = sumBlocks();
    Value diagonal = computeDiagonal();
    if (blocks == 1)
      return {w.join(diagonal, {2, 1}), w.join(sums[0], {2}),
              w.join(sums[1], {2})};
    Value rows = computeRows(sums[0]);
    SmallVector<Value> ofChunk = sumChunk(sums[0], sums[1]);
    Value matrix = computeMatrix(diagonal, rows, sums[2]);
    return {w.join(matrix, {2, 2}), w.join(ofChunk[0], {2}),
            w.join(ofChunk[1], {2})};
  }

private:
  using Operand = BlockWork::Operand;

  /// The gates of block `block` of the iteration space.
  SmallVector<Operand> gatesOfBlock() {
    SmallVector<Operand> operands;
    for (int64_t token = 0; token < kBlock; ++token)
      operands.push_back({gates, {w.dimension(0), w.constant(token)}});
    return operands;
  }
  /// The sums of whole blocks: those of their last tokens.
  SmallVector<Operand> wholeBlocks(Value fromBegin) {
    SmallVector<Operand> operands;
    for (int64_t block = 0; block < blocks; ++block)
      operands.push_back(
          {fromBegin, {w.constant(block), w.constant(kBlock - 1)}});
    return operands;
  }

  /// init + Σ values of those numbers that are selected, the first ones first.
  template <typename Select>
  static Value sum(BlockWork &n, Value init, ValueRange values,
                   Select isSelected) {
    for (auto [number, value] : llvm::enumerate(values)) {
      Value position = arith::ConstantIndexOp::create(n, number);
      init = n.add(init, n.select(isSelected(position), value, n.f32(0.0)));
    }
    return init;
  }

  /// Sums from the begin of a block and to its end, e^ the latter, [B,16].
  SmallVector<Value> sumBlocks() {
    SmallVector<Value> outs;
    for (int i = 0; i < 3; ++i)
      outs.push_back(w.scratch({blocks, kBlock}));
    return w.compute(gatesOfBlock(), outs,
                     [](BlockWork &n, ValueRange x) -> SmallVector<Value> {
                       ValueRange gates = x.take_front(kBlock);
                       Value token = n.element(1), zero = n.f32(0.0);
                       Value prefix = sum(n, zero, gates, [&](Value position) {
                         return n.isAtMost(position, token);
                       });
                       Value suffix = sum(n, zero, gates, [&](Value position) {
                         return n.isBelow(token, position);
                       });
                       return {prefix, suffix, math::ExpOp::create(n, suffix)};
                     });
  }

  /// [B,16,16].
  Value computeDiagonal() {
    return w.compute(
        gatesOfBlock(), w.scratch({blocks, kBlock, kBlock}),
        [](BlockWork &n, ValueRange x) -> SmallVector<Value> {
          Value row = n.element(1), column = n.element(2), zero = n.f32(0.0);
          Value log =
              sum(n, zero, x.take_front(kBlock), [&](Value position) -> Value {
                return arith::AndIOp::create(n, n.isBelow(column, position),
                                             n.isAtMost(position, row));
              });
          Value decay = math::ExpOp::create(n, log);
          return {n.select(n.isAtMost(column, row), decay, zero)};
        })[0];
  }

  /// What tokens of a block, by the first two dimensions, have of the end of an
  /// earlier one, the third. [B,16,B].
  Value computeRows(Value fromBegin) {
    SmallVector<Operand> operands = wholeBlocks(fromBegin);
    operands.push_back({fromBegin, {w.dimension(0), w.dimension(1)}});
    return w.compute(
        operands, w.scratch({blocks, kBlock, blocks}),
        [this](BlockWork &n, ValueRange x) -> SmallVector<Value> {
          Value row = n.element(0), column = n.element(2);
          Value between = sum(
              n, n.f32(0.0), x.take_front(blocks), [&](Value block) -> Value {
                return arith::AndIOp::create(n, n.isBelow(column, block),
                                             n.isBelow(block, row));
              });
          return {math::ExpOp::create(n, n.add(x[blocks], between))};
        })[0];
  }

  /// The sums of blocks as those of the chunk, [B,16].
  SmallVector<Value> sumChunk(Value fromBegin, Value toEnd) {
    SmallVector<Operand> operands = wholeBlocks(fromBegin);
    for (Value inBlock : {fromBegin, toEnd})
      operands.push_back({inBlock, {w.dimension(0), w.dimension(1)}});
    SmallVector<Value> outs{w.scratch({blocks, kBlock}),
                            w.scratch({blocks, kBlock})};
    return w.compute(
        operands, outs,
        [this](BlockWork &n, ValueRange x) -> SmallVector<Value> {
          ValueRange whole = x.take_front(blocks);
          Value own = n.element(0);
          return {sum(n, x[blocks], whole,
                      [&](Value block) { return n.isBelow(block, own); }),
                  sum(n, x[blocks + 1], whole,
                      [&](Value block) { return n.isBelow(own, block); })};
        });
  }

  /// [B,16,B,16].
  Value computeMatrix(Value diagonal, Value rows, Value columns) {
    AffineExpr rowBlock = w.dimension(0), row = w.dimension(1);
    AffineExpr columnBlock = w.dimension(2), column = w.dimension(3);
    return w.compute({{diagonal, {rowBlock, row, column}},
                      {rows, {rowBlock, row, columnBlock}},
                      {columns, {columnBlock, column}}},
                     w.scratch({blocks, kBlock, blocks, kBlock}),
                     [](BlockWork &n, ValueRange x) -> SmallVector<Value> {
                       Value rowBlock = n.element(0),
                             columnBlock = n.element(2);
                       Value below = arith::MulFOp::create(n, x[1], x[2]);
                       Value causal = n.select(n.isBelow(columnBlock, rowBlock),
                                               below, n.f32(0.0));
                       Value isDiagonal = arith::CmpIOp::create(
                           n, arith::CmpIPredicate::eq, rowBlock, columnBlock);
                       return {n.select(isDiagonal, x[0], causal)};
                     })[0];
  }

  BlockWork &w;
  int64_t chunk, blocks;
  /// [B,16].
  Value gates;
};

struct ExpandGpuDecay : deltanet::impl::ExpandGpuDecayBase<ExpandGpuDecay> {
  void runOnOperation() override {
    getOperation()->walk([](DecayOp op) {
      BlockWork work(op.getLoc(), op);
      op->replaceAllUsesWith(DecayExpansion(op, work).expand());
      op->erase();
    });
  }
};

} // namespace
