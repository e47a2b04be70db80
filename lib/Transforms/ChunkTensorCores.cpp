//===- ChunkTensorCores.cpp - Phases whose products tensor cores do -------===//
//
// Part of the Delta-Net project.
//
// Tensor cores take operands of f16, or of f32 rounded to 11 bits (tf32), and
// add in f32. Of f32 rules each operand enters as two such numbers, which are
// made beside each other (f16) or where products read them (tf32), and so does
// T of any rule. What each operand may lose was modelled in float64
// (docs/gpu-roundings.md, x1). With pow2(m) the power of two that takes m below
// 2^15, so that what is as much as 2^39 smaller is more than zero:
//
//   gather   s_i = pow2(max |k_i|), K' = f16(s k), exactly if k has 16 bits;
//            c_i = 1/(s_i |k_i|), 1/s_i without a norm; q likewise
//   gram     k kᵀ_ij = c_i c_j (K' K'ᵀ)_ij, q kᵀ likewise
//   weights  P rounded to tf32
//   scan     A = f16(s S), s_v = pow2(max_c |S_cv|)
//            X = tf32(v − e^G c (K' A)/s), o = scale e^G c (Q' A)/s
//            D = tf32(T X), o ← o + P D
//            B = f16(t W) of W = e^F c D, t_v = pow2(max_i |W_iv|)
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

static Value toHalf(ChunkBuilder &b, Value x) {
  return arith::TruncFOp::create(b, b.getF16Type(), x);
}

void ChunkPhases::gatherHalves() {
  TileShape rows{{chunked.chunk, chunked.keys}, b.getF16Type()};
  TileShape vector = floats({chunked.chunk});
  int64_t count = chunked.parts();
  SmallVector<TileShape> shapes(2 * count, rows);
  shapes.append({vector, vector});
  FloatAttr eps = chunked.rule.getL2normEpsAttr();
  auto tiles = phase(
      Phase::Gather, Heads::Key, shapes,
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
              lengths, {b.scratch({chunked.chunk}), outs[2 * count + number]},
              [&](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                auto [scale, back] = n.powerOfTwo(x[0]);
                if (!eps)
                  return {scale, back};
                Value added = arith::ConstantOp::create(n, eps);
                Value norm = n.inverseRoot(n.addf(x[1], added));
                return {scale, n.mulf(norm, back)};
              });
          halves.append(b.elementwise(
              {{given, {0, 1}}, {scales[0], {0}}},
              outs.slice(number * count, count),
              [&](ChunkBuilder &n, ValueRange x) {
                return n.parts(n.mulf(n.widen(x[0]), x[1]), count, toHalf);
              }));
          factors.push_back(scales[1]);
        }
        halves.append(factors);
        return halves;
      });
  w.kParts.assign(tiles.begin(), tiles.begin() + count);
  w.qParts.assign(tiles.begin() + count, tiles.begin() + 2 * count);
  w.kFactors = tiles[2 * count];
  w.qFactors = tiles[2 * count + 1];
}

Value ChunkPhases::squares(Value rows) {
  return b.reduce(rows, 1, b.fill(b.scratch({chunked.chunk}), 0.0),
                  [](ChunkBuilder &n, Value x, Value sum) {
                    Value wide = n.widen(x);
                    return n.addf(sum, n.mulf(wide, wide));
                  });
}

void ChunkPhases::gramOfHalves() {
  TileShape square = floats({chunked.chunk, chunked.chunk});
  auto tiles = phase(
      Phase::Gram, Heads::Key, {square, square},
      [&](const Item &item, ValueRange outs) {
        SmallVector<Value> k = tilesOf(w.kParts, item);
        SmallVector<Value> q = tilesOf(w.qParts, item);
        Value keyFactors = tile(w.kFactors, item);
        std::array<ValueRange, 2> lefts{k, q};
        std::array<Value, 2> factors{keyFactors, tile(w.qFactors, item)};
        SmallVector<Value> filled;
        for (auto [left, rowFactors, out] : llvm::zip(lefts, factors, outs)) {
          Value sums = b.fill(b.scratch(square.sizes), 0.0);
          sums = productOfParts(left, Form::AsIs, k, Form::Transposed, sums);
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
  SmallVector<Value> scales =
      b.elementwise({{b.largest(matrix, 0), {0}}},
                    {b.scratch({shape[1]}), b.scratch({shape[1]})},
                    [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                      auto [scale, back] = n.powerOfTwo(x[0]);
                      return {scale, back};
                    });
  SmallVector<Value> outs;
  for (int64_t count = chunked.parts(); count > 0; --count)
    outs.push_back(b.scratch(shape, b.getF16Type()));
  SmallVector<Value> halves = b.elementwise(
      {{matrix, {0, 1}}, {scales[0], {1}}}, outs,
      [&](ChunkBuilder &n, ValueRange x) {
        return n.parts(n.mulf(x[0], x[1]), chunked.parts(), toHalf);
      });
  return {halves, scales[1]};
}

SmallVector<Value> ChunkPhases::tilesOf(ArrayRef<ChunkTiles> parts,
                                        const Item &item) {
  return llvm::map_to_vector(
      parts, [&](const ChunkTiles &part) { return tile(part, item); });
}

Value ChunkPhases::productOfParts(ValueRange left, Form leftForm,
                                  ValueRange right, Form rightForm,
                                  Value sums) {
  // The smallest first. Below them is what f32 does not hold.
  for (size_t order = left.size(); order-- > 0;)
    for (size_t number = 0; number <= order; ++number)
      sums = b.product(left[order - number], leftForm, right[number], rightForm,
                       sums);
  return sums;
}

Value ChunkPhases::tf32Operand(ChunkBuilder &n, Value x) {
  return chunked.parts() == 1 ? n.roundToTf32(x) : x;
}

Value ChunkPhases::causalSum(Value matrix, bool isSplit, Value rows,
                             Value sums) {
  sums = b.product(matrix, Form::AsIs, rows, Form::AsIs, sums);
  bool splitsRows = chunked.parts() > 1;
  if (isSplit || splitsRows)
    b.splitOperands(sums, isSplit, splitsRows);
  for (StringRef mark :
       {DeltaNetDialect::kTf32Attr, DeltaNetDialect::kCausalAttr})
    sums.getDefiningOp()->setAttr(mark, b.getUnitAttr());
  return sums;
}

Value ChunkPhases::scanChunkOfHalves(const Item &item, Value column,
                                     Value state,
                                     function_ref<void(Value)> write) {
  SmallVector<Value> k = tilesOf(w.kParts, item), q = tilesOf(w.qParts, item);
  ScanFactors factors = scanFactors(item);
  std::array<int64_t, 2> tileShape{chunked.chunk, chunked.slice};
  auto block = [&](Type type = Type()) { return b.scratch(tileShape, type); };
  auto zeros = [&] { return b.fill(block(), 0.0); };

  Halves before = halvesOf(state);
  auto readBy = [&](ValueRange rows) {
    return productOfParts(rows, Form::AsIs, before.parts, Form::AsIs, zeros());
  };
  Value o = b.elementwise(
      {{readBy(q), {0, 1}}, {factors.query, {0}}, {before.back, {1}}},
      ValueRange{block()},
      [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
        return {n.mulf(n.mulf(x[0], x[2]), x[1])};
      })[0];
  Value v = chunkValues(item, column);
  Value error =
      b.elementwise({{readBy(k), {0, 1}},
                     {v, {0, 1}},
                     {factors.read, {0}},
                     {before.back, {1}}},
                    ValueRange{block()},
                    [&](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                      Value old = n.mulf(n.mulf(x[0], x[3]), x[2]);
                      Value difference =
                          arith::SubFOp::create(n, n.widen(x[1]), old);
                      return {tf32Operand(n, difference)};
                    })[0];

  Value update =
      causalSum(tile(w.update, item), /*isSplit=*/true, error, zeros());
  Value taken =
      b.elementwise({{update, {0, 1}}}, ValueRange{block()},
                    [&](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                      return {tf32Operand(n, x[0])};
                    })[0];
  Value stored = b.elementwise(
      {{update, {0, 1}}, {factors.update, {0}}}, ValueRange{block()},
      [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
        return {n.mulf(x[0], x[1])};
      })[0];
  Halves written = halvesOf(stored);
  o = causalSum(tile(w.attention, item), /*isSplit=*/chunked.parts() > 1, taken,
                o);
  // Before the update of the state, which takes all registers.
  write(b.copy(o, block(chunked.rule.getQ().getType().getElementType())));

  Value added =
      productOfParts(k, Form::Transposed, written.parts, Form::AsIs,
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
