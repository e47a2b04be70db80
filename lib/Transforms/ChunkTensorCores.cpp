//===- ChunkTensorCores.cpp - Phases whose products tensor cores do -------===//
//
// Part of the Delta-Net project.
//
// Tensor cores take operands of f16, or of f32 rounded to 11 bits (tf32), and
// add in f32. What each operand of the chunked algorithm may lose was modelled
// in float64 (docs/gpu-roundings.md, x1). With pow2(m, t) the power of two that
// takes m below 2^t:
//
//   gather   s_i = pow2(max |k_i|, 0), K' = f16(s k), exactly; c_i = 1/(s_i
//   |k_i|),
//            1/s_i without a norm; q likewise
//   gram     k kᵀ_ij = c_i c_j (K' K'ᵀ)_ij, q kᵀ likewise
//   weights  T and P rounded to tf32
//   scan     A = f16(s S), s_v = pow2(max_c |S_cv|, 15)
//            X = tf32(v − e^G c (K' A)/s), o = scale e^G c (Q' A)/s
//            D = tf32(T X), o ← o + P D
//            B = f16(t W) of W = e^F c D, t_v = pow2(max_i |W_iv|, 15)
//            S ← e^{G_C} S + (K'ᵀ B)/t
//
// The scale of S comes from earlier chunks and that of W reaches the next state
// alone: later tokens change no earlier output.
//
//===----------------------------------------------------------------------===//

#include "ChunkPhases.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <array>

using namespace mlir;
using namespace mlir::deltanet;

using Form = ChunkBuilder::Form;

void ChunkPhases::gatherHalves() {
  TileShape rows{{chunked.chunk, chunked.keys}, b.getF16Type()};
  TileShape vector = floats({chunked.chunk});
  FloatAttr eps = chunked.rule.getL2normEpsAttr();
  auto tiles = phase(
      Phase::Gather, Heads::Key, {rows, rows, vector, vector},
      [&](const Item &item, ValueRange outs) -> SmallVector<Value> {
        SmallVector<Value> halves, factors;
        std::array<Value, 2> sources{chunked.rule.getK(), chunked.rule.getQ()};
        for (auto [number, source] : llvm::enumerate(sources)) {
          Value given =
              b.padded(source, {item.position.token, item.head, b.attr(0)},
                       item.position.rows, {chunked.chunk, chunked.keys});
          SmallVector<ChunkBuilder::Operand> lengths{
              {b.largest(given, 1), {0}}};
          if (eps)
            lengths.push_back({squares(given), {0}});
          SmallVector<Value> scales = b.elementwise(
              lengths, {b.scratch({chunked.chunk}), outs[2 + number]},
              [&](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                auto [scale, back] = n.powerOfTwo(x[0], 0);
                if (!eps)
                  return {scale, back};
                Value added = arith::ConstantOp::create(n, eps);
                Value norm = n.inverseRoot(n.addf(x[1], added));
                return {scale, n.mulf(norm, back)};
              });
          halves.push_back(b.elementwise(
              {{given, {0, 1}}, {scales[0], {0}}}, ValueRange{outs[number]},
              [&](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                Value wide = arith::ExtFOp::create(n, n.getF32Type(), x[0]);
                return {arith::TruncFOp::create(n, n.getF16Type(),
                                                n.mulf(wide, x[1]))};
              })[0]);
          factors.push_back(scales[1]);
        }
        halves.append(factors);
        return halves;
      });
  w.k = tiles[0];
  w.q = tiles[1];
  w.kFactors = tiles[2];
  w.qFactors = tiles[3];
}

Value ChunkPhases::squares(Value rows) {
  return b.reduce(rows, 1, b.fill(b.scratch({chunked.chunk}), 0.0),
                  [](ChunkBuilder &n, Value x, Value sum) {
                    Value wide = arith::ExtFOp::create(n, n.getF32Type(), x);
                    return n.addf(sum, n.mulf(wide, wide));
                  });
}

void ChunkPhases::gramOfHalves() {
  TileShape square = floats({chunked.chunk, chunked.chunk});
  auto tiles = phase(
      Phase::Gram, Heads::Key, {square, square},
      [&](const Item &item, ValueRange outs) {
        Value k = tile(w.k, item), keyFactors = tile(w.kFactors, item);
        std::array<Value, 2> lefts{k, tile(w.q, item)};
        std::array<Value, 2> factors{keyFactors, tile(w.qFactors, item)};
        SmallVector<Value> filled;
        for (auto [left, rowFactors, out] : llvm::zip(lefts, factors, outs)) {
          Value sums = b.fill(b.scratch(square.sizes), 0.0);
          sums = b.product(left, Form::AsIs, k, Form::Transposed, sums);
          filled.push_back(b.elementwise(
              {{sums, {0, 1}}, {rowFactors, {0}}, {keyFactors, {1}}},
              ValueRange{out},
              [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                return {n.mulf(n.mulf(x[0], x[1]), x[2])};
              })[0]);
        }
        return filled;
      });
  w.kk = tiles[0];
  w.qk = tiles[1];
}

ChunkPhases::Halves ChunkPhases::halvesOf(Value matrix) {
  ArrayRef<int64_t> shape = cast<ShapedType>(matrix.getType()).getShape();
  // Not 2^16: what is rounded up is finite, too.
  SmallVector<Value> scales =
      b.elementwise({{b.largest(matrix, 0), {0}}},
                    {b.scratch({shape[1]}), b.scratch({shape[1]})},
                    [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                      auto [scale, back] = n.powerOfTwo(x[0], 15);
                      return {scale, back};
                    });
  Value halves = b.elementwise(
      {{matrix, {0, 1}}, {scales[0], {1}}},
      ValueRange{b.scratch(shape, b.getF16Type())},
      [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
        return {arith::TruncFOp::create(n, n.getF16Type(), n.mulf(x[0], x[1]))};
      })[0];
  return {halves, scales[1]};
}

Value ChunkPhases::causalSum(Value matrix, Value rows, Value sums) {
  Value product = b.product(matrix, Form::AsIs, rows, Form::AsIs, sums);
  for (StringRef mark :
       {DeltaNetDialect::kTf32Attr, DeltaNetDialect::kCausalAttr})
    product.getDefiningOp()->setAttr(mark, b.getUnitAttr());
  return product;
}

Value ChunkPhases::scanChunkOfHalves(const Item &item, Value column,
                                     Value state,
                                     function_ref<void(Value)> write) {
  Value k = tile(w.k, item), q = tile(w.q, item);
  ScanFactors factors = scanFactors(item);
  auto block = [&](Type type = Type()) {
    return b.scratch({chunked.chunk, chunked.slice}, type);
  };
  auto zeros = [&] { return b.fill(block(), 0.0); };

  Halves before = halvesOf(state);
  Value read = b.product(k, before.matrix, block());
  Value v = chunkValues(item, column);
  Value error = b.elementwise(
      {{read, {0, 1}}, {v, {0, 1}}, {factors.read, {0}}, {before.back, {1}}},
      ValueRange{block()},
      [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
        Value old = n.mulf(n.mulf(x[0], x[3]), x[2]);
        Value given = arith::ExtFOp::create(n, n.getF32Type(), x[1]);
        return {n.roundToTf32(arith::SubFOp::create(n, given, old))};
      })[0];
  Value o =
      b.elementwise({{b.product(q, before.matrix, block()), {0, 1}},
                     {factors.query, {0}},
                     {before.back, {1}}},
                    ValueRange{block()},
                    [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                      return {n.mulf(n.mulf(x[0], x[2]), x[1])};
                    })[0];

  Value update = causalSum(tile(w.update, item), error, zeros());
  Value rounded =
      b.elementwise({{update, {0, 1}}}, ValueRange{block()},
                    [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                      return {n.roundToTf32(x[0])};
                    })[0];
  Value stored = b.elementwise(
      {{update, {0, 1}}, {factors.update, {0}}}, ValueRange{block()},
      [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
        return {n.mulf(x[0], x[1])};
      })[0];
  Halves written = halvesOf(stored);
  o = causalSum(tile(w.attention, item), rounded, o);
  // Before the update of the state, which takes all registers.
  write(b.copy(o, block(chunked.rule.getQ().getType().getElementType())));

  Value added =
      b.product(k, Form::Transposed, written.matrix, Form::AsIs,
                b.fill(b.scratch({chunked.keys, chunked.slice}), 0.0));
  SmallVector<ChunkBuilder::Operand> inputs{{added, {0, 1}},
                                            {written.back, {1}}};
  if (chunked.isGated())
    inputs.push_back(
        {b.load(tile(w.fromBegin, item), b.index(chunked.chunk - 1)), {}});
  Value next =
      b.elementwise(inputs, ValueRange{state},
                    [&](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                      Value old = x.back();
                      if (chunked.isGated())
                        old = n.mulf(old, x[2]);
                      return {n.addf(old, n.mulf(x[0], x[1]))};
                    })[0];
  return next;
}
