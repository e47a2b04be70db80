//===- ChunkWeights.cpp - The causal matrices of a chunk ------------------===//
//
// Part of the Delta-Net project.
//
// What the tokens of a chunk owe each other, once a value head: the weights of
// their updates, and those of their outputs.
//
//===----------------------------------------------------------------------===//

#include "ChunkPhases.h"

using namespace mlir;
using namespace mlir::deltanet;

void ChunkPhases::inverse() {
  TileShape square = floats({chunked.chunk, chunked.chunk});
  int64_t side = chunked.weightBlock();
  auto tiles = phase(
      Phase::Inverse, Heads::Value, {square},
      [&](const Item &item, ValueRange outs) -> SmallVector<Value> {
        Value kk = tile(w.kk, item), beta = tile(w.beta, item);
        Value matrix = b.causalBlocks(
            chunked.chunk, side, b.scratch(square.sizes),
            [&](Value row, Value column, ValueRange carried) {
              TileSlice at = b.block(row, column, side);
              Value betas =
                  b.extract(beta, TileBuilder::at({row}, {b.attr(side)}), 1);
              Value products = b.extract(kk, at, 2);
              SmallVector<Value> scaled = b.elementwise(
                  {{products, {0, 1}}, {betas, {0}}},
                  b.extract(carried[0], at, 2),
                  [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                    return {n.mulf(x[1], x[0])};
                  });
              return SmallVector<Value>{b.insert(scaled[0], carried[0], at)};
            })[0];
        return {TrilInverseOp::create(b, matrix.getType(), matrix)};
      });
  w.inverse = tiles[0];
}

Value ChunkPhases::cleared(Value matrix) {
  return chunked.solves() ? b.fill(matrix, 0.0) : matrix;
}

void ChunkPhases::weights() {
  TileShape square = floats({chunked.chunk, chunked.chunk});
  int64_t side = chunked.weightBlock();
  bool solves = chunked.solves();
  Value scale = chunked.rule.getScaleOperand();
  auto tiles = phase(
      Phase::Weights, Heads::Value, {square, square},
      [&](const Item &item, ValueRange outs) {
        // T is the inverse with columns times beta, N has rows times beta.
        Value source = tile(solves ? w.kk : w.inverse, item);
        Value qk = tile(w.qk, item), beta = tile(w.beta, item);
        Value decay = chunked.isGated() ? tile(w.decay, item) : Value();
        return b.causalBlocks(
            chunked.chunk, side, {outs[0], cleared(outs[1])},
            [&](Value row, Value column, ValueRange carried) {
              TileSlice at = b.block(row, column, side);
              Value betas = b.extract(
                  beta,
                  TileBuilder::at({solves ? row : column}, {b.attr(side)}), 1);
              SmallVector<ChunkBuilder::Operand> inputs{
                  {b.extract(source, at, 2), {0, 1}},
                  {b.extract(qk, at, 2), {0, 1}},
                  {betas, {solves ? 0u : 1u}}};
              if (decay)
                inputs.push_back({b.extract(decay, at, 2), {0, 1}});
              SmallVector<Value> blocks{b.extract(carried[0], at, 2),
                                        b.extract(carried[1], at, 2)};
              blocks = b.elementwise(
                  inputs, blocks,
                  [&](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                    Value update = n.mulf(x[0], x[2]);
                    Value attention = n.mulf(x[1], scale);
                    if (decay) {
                      update = n.mulf(update, x[3]);
                      attention = n.mulf(attention, x[3]);
                    }
                    if (solves)
                      update = arith::NegFOp::create(n, update);
                    // A product with a later key is dropped, not multiplied
                    // by zero: it may be infinite.
                    Value i = n.add(linalg::IndexOp::create(n, 0), row);
                    Value j = n.add(linalg::IndexOp::create(n, 1), column);
                    Value causal = arith::CmpIOp::create(
                        n, arith::CmpIPredicate::uge, i, j);
                    auto masked = [&](Value x) -> Value {
                      return arith::SelectOp::create(n, causal, x, n.f32(0.0));
                    };
                    if (chunked.usesTensorCores())
                      return {masked(update),
                              masked(tf32Operand(n, attention))};
                    return {update, masked(attention)};
                  });
              for (auto [block, matrix] : llvm::zip(blocks, carried))
                block = b.insert(block, matrix, at);
              return blocks;
            });
      });
  w.update = tiles[0];
  w.attention = tiles[1];
}
