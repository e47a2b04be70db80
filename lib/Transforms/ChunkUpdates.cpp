//===- ChunkUpdates.cpp - U of a chunk, and its outputs -------------------===//
//
// Part of the Delta-Net project.
//
// From the errors X of a chunk's tokens: what each writes, U, with what earlier
// ones of the chunk have written, and what that adds to the outputs.
//
//===----------------------------------------------------------------------===//

#include "ChunkPhases.h"

using namespace mlir;
using namespace mlir::deltanet;

TileSlice ChunkPhases::rowsAt(OpFoldResult row, int64_t rows) {
  return TileBuilder::at({row, b.attr(0)},
                         {b.attr(rows), b.attr(chunked.slice)});
}

Value ChunkPhases::causalProduct(Value matrix, Value row, Value tile,
                                 Value sums) {
  using Form = ChunkBuilder::Form;
  int64_t side = chunked.causalBlock();
  OpFoldResult next = b.add(row, b.index(side));
  Value left = b.extract(
      matrix, TileBuilder::at({row, b.attr(0)}, {b.attr(side), next}), 2);
  Value above = b.extract(
      tile,
      TileBuilder::at({b.attr(0), b.attr(0)}, {next, b.attr(chunked.slice)}),
      2);
  return b.product(left, Form::AsIs, above, Form::AsIs, sums);
}

/// Row by row of blocks: U = T X and e^F U, o ← o + P U.
ChunkPhases::ChunkOutputs ChunkPhases::applyInverse(const Item &item,
                                                    Value error, Value factors,
                                                    Value o) {
  int64_t side = chunked.causalBlock();
  Value update = tile(w.update, item), attention = tile(w.attention, item);
  auto block = [&] { return b.scratch({chunked.chunk, chunked.slice}); };
  SmallVector<Value> inits{o, block()};
  if (factors)
    inits.push_back(block());
  SmallVector<Value> results = b.loop(
      chunked.chunk, side, inits,
      [&](Value row, ValueRange carried) -> SmallVector<Value> {
        TileSlice rows = rowsAt(row, side);
        // Without factors the product is written where it stays.
        SmallVector<Value> targets{b.extract(carried[1], rows, 2)};
        Value sums =
            factors ? b.scratch({side, chunked.slice}) : targets.front();
        Value corrected = causalProduct(update, row, error, b.fill(sums, 0.0));
        if (factors) {
          targets.push_back(b.extract(carried[2], rows, 2));
          Value decays =
              b.extract(factors, TileBuilder::at({row}, {b.attr(side)}), 1);
          targets = b.elementwise(
              {{corrected, {0, 1}}, {decays, {0}}}, targets,
              [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                return {x[0], n.mulf(x[0], x[1])};
              });
        } else {
          targets.front() = corrected;
        }
        SmallVector<Value> next{carried[0]};
        for (auto [target, value] : llvm::zip(targets, carried.drop_front()))
          next.push_back(b.insert(target, value, rows));
        Value sum = causalProduct(attention, row, next[1],
                                  b.extract(carried[0], rows, 2));
        next.front() = b.insert(sum, carried[0], rows);
        return next;
      });
  return {results.front(), results.back()};
}

/// The blocks of U one after the other, each with what those before add to its
/// right-hand side.
SmallVector<Value> ChunkPhases::solveBlocks(const Item &item, Value error,
                                            Value factors) {
  using Form = ChunkBuilder::Form;
  int64_t side = chunked.causalBlock();
  Value update = tile(w.update, item);
  auto part = [&](int64_t row, int64_t column) {
    Value first = b.index(row), left = b.index(column);
    return b.extract(update, b.block(first, left, side), 2);
  };
  SmallVector<Value> whole{b.scratch({chunked.chunk, chunked.slice})};
  if (factors)
    whole.push_back(b.scratch({chunked.chunk, chunked.slice}));
  SmallVector<Value> solved;
  for (int64_t row = 0; row < chunked.chunk; row += side) {
    TileSlice rows = rowsAt(b.attr(row), side);
    Value rhs = b.extract(error, rows, 2);
    for (auto [number, above] : llvm::enumerate(solved)) {
      Value weights = part(row, int64_t(number) * side);
      rhs = b.product(weights, Form::AsIs, above, Form::AsIs, rhs);
      b.splitOperands(rhs, /*left=*/true, /*right=*/false);
    }
    // Written back, so that the next block may be written where it is.
    error = b.insert(rhs, error, rows);
    Value diagonal = part(row, row);
    Value solutionInit = b.extract(whole[0], rows, 2);
    Value decays, shares, passes, scaledInit;
    SmallVector<Type> types(whole.size(), rhs.getType());
    if (factors) {
      auto elements = [&](Value vector) {
        return b.extract(vector, TileBuilder::at({b.attr(row)}, {b.attr(side)}),
                         1);
      };
      decays = elements(factors);
      shares = elements(tile(w.shares, item));
      passes = elements(tile(w.passes, item));
      scaledInit = b.extract(whole[1], rows, 2);
    }
    auto solution = TrilSolveOp::create(b, types, diagonal, rhs, decays, shares,
                                        passes, solutionInit, scaledInit);
    solved.push_back(solution.getSolution());
    for (auto [result, tensor] : llvm::zip(solution->getResults(), whole))
      tensor = b.insert(result, tensor, rows);
  }
  return whole;
}

/// U, then o ← o + P U. Causal matrices enter products as sums of two numbers
/// of bf16: their entries of nearly equal keys are nearly equal, too, and U of
/// such keys almost cancels.
ChunkPhases::ChunkOutputs ChunkPhases::solve(const Item &item, Value error,
                                             Value factors, Value o) {
  int64_t side = chunked.causalBlock();
  bool scalesApart = factors && chunked.splitsUpdates();
  SmallVector<Value> updates =
      solveBlocks(item, error, scalesApart ? Value() : factors);
  Value stored = updates.back();
  if (scalesApart)
    stored =
        b.elementwise({{stored, {0, 1}}, {factors, {0}}},
                      ValueRange{b.scratch({chunked.chunk, chunked.slice})},
                      [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                        return {n.mulf(x[0], x[1])};
                      })[0];
  Value attention = tile(w.attention, item);
  o = b.loop(chunked.chunk, side, o,
             [&](Value row, ValueRange carried) -> SmallVector<Value> {
               TileSlice rows = rowsAt(row, side);
               Value sum = causalProduct(attention, row, updates.front(),
                                         b.extract(carried[0], rows, 2));
               b.splitOperands(sum, /*left=*/true, /*right=*/false);
               return {b.insert(sum, carried[0], rows)};
             })[0];
  return {o, stored};
}
