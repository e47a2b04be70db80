//===- ChunkPhases.cpp - The phases over the chunks of all sequences ------===//
//
// Part of the Delta-Net project.
//
// Every phase of this file is one parallel loop over chunk slots and heads. A
// slot that no chunk lies in, or whose sequence has a length that the schedule
// does not serve, is left as it is.
//
//===----------------------------------------------------------------------===//

#include "ChunkPhases.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <array>

using namespace mlir;
using namespace mlir::deltanet;

SmallVector<Value> ChunkPhases::build() {
  // Sequence n begins at slot cu_seqlens[n]/C + n.
  Value sequences = domain.getSequenceCount(b);
  slots = b.add(b.floorDiv(domain.getTokenCount(b), chunked.chunk), sequences);
  if (chunked.rule.getCuSeqlens()) {
    Value none = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, sequences,
                                       b.index(0));
    slots = arith::SelectOp::create(b, none, b.index(0), slots);
  }
  if (chunked.usesTensorCores()) {
    gatherHalves();
    gramOfHalves();
  } else {
    gather();
    gram();
  }
  gates();
  if (!chunked.solves())
    inverse();
  weights();
  return scan();
}

void ChunkPhases::annotate(scf::ForallOp loop, Phase phase,
                           ArrayRef<Axis> axes) {
  loop->setAttr(DomainAttr::kName,
                DomainAttr::get(loop.getContext(), phase, axes));
  ScheduleAttr schedule = chunked.schedule;
  // Work items of other phases have all of V, and blocks of their own size.
  if (phase != Phase::Scan && schedule.getIntraWarps())
    schedule = ScheduleAttr::get(
        schedule.getContext(), schedule.getAlgorithm(), schedule.getMinTokens(),
        schedule.getMaxTokens(), /*value_slice=*/0, schedule.getColumns(),
        schedule.getTokens(), schedule.getRows(), schedule.getBlock(),
        schedule.getState(), schedule.getPrefetch(), schedule.getChunk(),
        schedule.getStaging(), schedule.getRegisterRows(), schedule.getMatrix(),
        /*warps=*/schedule.getIntraWarps(), /*intra_warps=*/0, /*stages=*/1);
  loop->setAttr(DeltaNetDialect::kScheduleAttr, schedule);
}

TileSlice ChunkPhases::tileSlice(ChunkTiles tiles, const Item &item) {
  auto type = cast<RankedTensorType>(tiles.tensor.getType());
  SmallVector<OpFoldResult> offsets{item.position.slot, item.head};
  if (tiles.heads == Heads::Value)
    offsets.push_back(item.member);
  SmallVector<OpFoldResult> sizes(offsets.size(), b.attr(1));
  for (int64_t size : type.getShape().drop_front(offsets.size())) {
    offsets.push_back(b.attr(0));
    sizes.push_back(b.attr(size));
  }
  return TileBuilder::at(offsets, sizes);
}

Value ChunkPhases::tile(ChunkTiles tiles, const Item &item) {
  int64_t leading = tiles.heads == Heads::Value ? 3 : 2;
  auto type = cast<RankedTensorType>(tiles.tensor.getType());
  return b.extract(tiles.tensor, tileSlice(tiles, item),
                   type.getRank() - leading);
}

Value ChunkPhases::firstSlot(Value n, SequenceTokens tokens) {
  if (!chunked.rule.getCuSeqlens())
    return b.index(0);
  return b.add(b.floorDiv(tokens.begin, chunked.chunk), n);
}

ChunkPosition ChunkPhases::locate(Value slot, Value first,
                                  SequenceTokens tokens) {
  Value offset = b.mul(b.sub(slot, first), chunked.chunk);
  Value left = b.sub(tokens.length, offset);
  Value rows = b.min(left, b.index(chunked.chunk));
  return {slot, b.add(tokens.begin, offset), rows};
}

SmallVector<ChunkTiles> ChunkPhases::phase(Phase phase, Heads heads,
                                           ArrayRef<TileShape> shapes,
                                           PhaseBody body) {
  SmallVector<OpFoldResult> bounds{slots, b.attr(chunked.heads)};
  SmallVector<Axis> axes{Axis::Chunk, Axis::KeyHead};
  if (heads == Heads::Value) {
    bounds.push_back(b.attr(chunked.members));
    axes.push_back(Axis::Member);
  }

  // Not tensor.empty: equal ones would be merged into one.
  SmallVector<Value> buffers;
  for (const TileShape &tile : shapes) {
    SmallVector<int64_t> shape{ShapedType::kDynamic, chunked.heads};
    if (heads == Heads::Value)
      shape.push_back(chunked.members);
    shape.append(tile.sizes.begin(), tile.sizes.end());
    buffers.push_back(bufferization::AllocTensorOp::create(
        b, RankedTensorType::get(shape, tile.type), slots));
  }

  auto loop = scf::ForallOp::create(b, bounds, buffers, std::nullopt);
  annotate(loop, phase, axes);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value slot = loop.getInductionVar(0);
  Value n = b.index(0);
  if (Value cu = chunked.rule.getCuSeqlens())
    n = SlotSequenceOp::create(b, b.getIndexType(), slot, cu, chunked.chunk);
  SequenceTokens tokens = domain.getTokens(b, n);
  Item item{locate(slot, firstSlot(n, tokens), tokens), loop.getInductionVar(1),
            Value(), Value()};
  if (heads == Heads::Value) {
    item.member = loop.getInductionVar(2);
    item.valueHead = domain.getValueHead(b, item.head, item.member);
  }
  Value used = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt,
                                     item.position.rows, b.index(0));
  if (Value served = domain.isServed(b, chunked.schedule, tokens.length))
    used = arith::AndIOp::create(b, used, served);

  SmallVector<Value> outs;
  SmallVector<TileSlice> slices;
  for (Value buffer : loop.getRegionIterArgs()) {
    slices.push_back(tileSlice({buffer, heads}, item));
    outs.push_back(tile({buffer, heads}, item));
  }
  auto branch = scf::IfOp::create(b, TypeRange(ValueRange(outs)), used,
                                  /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, body(item, outs));
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, outs);

  b.setInsertionPointToStart(loop.getTerminator().getBody());
  for (auto [result, buffer, slice] :
       llvm::zip(branch.getResults(), loop.getRegionIterArgs(), slices))
    tensor::ParallelInsertSliceOp::create(b, result, buffer, slice.offsets,
                                          slice.sizes, slice.strides);
  return llvm::map_to_vector(loop.getResults(), [&](Value result) {
    return ChunkTiles{result, heads};
  });
}

Value ChunkPhases::lengthFactors(Value rows, Value out) {
  // Sixteen partial sums a row: a sum along a row has no vector form.
  constexpr int64_t lanes = 16;
  int64_t count = chunked.chunk, columns = chunked.keys;
  auto folded =
      RankedTensorType::get({count, columns / lanes, lanes}, b.getF32Type());
  Value split = tensor::ExpandShapeOp::create(
      b, folded, rows, ArrayRef<ReassociationIndices>{{0}, {1, 2}});
  AffineExpr row, part, lane;
  bindDims(b.getContext(), row, part, lane);
  auto reduce = [&](Value source, AffineMap from, Value out, AffineMap to,
                    ArrayRef<utils::IteratorType> iterators,
                    function_ref<Value(ChunkBuilder &, Value)> term) {
    return linalg::GenericOp::create(
               b, out.getType(), source, out, ArrayRef<AffineMap>{from, to},
               iterators,
               [&](OpBuilder &nested, Location loc, ValueRange x) {
                 ChunkBuilder builder(loc, nested);
                 linalg::YieldOp::create(
                     builder, builder.addf(x[1], term(builder, x[0])));
               })
        .getResult(0);
  };
  constexpr auto parallel = utils::IteratorType::parallel;
  constexpr auto reduction = utils::IteratorType::reduction;
  auto map = [&](unsigned dims, ArrayRef<AffineExpr> results) {
    return AffineMap::get(dims, 0, results, b.getContext());
  };
  Value partial = reduce(split, map(3, {row, part, lane}),
                         b.fill(b.scratch({count, lanes}), 0.0),
                         map(3, {row, lane}), {parallel, reduction, parallel},
                         [](ChunkBuilder &n, Value x) { return n.mulf(x, x); });
  Value sums =
      reduce(partial, map(2, {row, part}), b.fill(b.scratch({count}), 0.0),
             map(2, {row}), {parallel, reduction},
             [](ChunkBuilder &, Value x) { return x; });
  Value eps = arith::ConstantOp::create(b, chunked.rule.getL2normEpsAttr());
  return b.elementwise(
      {{sums, {0}}}, ValueRange{out},
      [&](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
        return {n.inverseRoot(n.addf(x[0], eps))};
      })[0];
}

void ChunkPhases::gather() {
  TileShape rows = floats({chunked.chunk, chunked.keys});
  TileShape vector = floats({chunked.chunk});
  SmallVector<TileShape> shapes{rows, rows};
  bool apart = chunked.keepsLengths();
  if (apart)
    shapes.append({vector, vector});
  auto tiles = phase(
      Phase::Gather, Heads::Key, shapes,
      [&](const Item &item, ValueRange outs) -> SmallVector<Value> {
        SmallVector<Value> filled, factors;
        std::array<Value, 2> sources{chunked.rule.getK(), chunked.rule.getQ()};
        for (auto [number, source] : llvm::enumerate(sources)) {
          Value copied =
              b.gather(source, {item.position.token, item.head, b.attr(0)},
                       item.position.rows, outs[number]);
          if (apart)
            factors.push_back(lengthFactors(copied, outs[2 + number]));
          else if (chunked.rule.getL2normEpsAttr())
            copied = scaleRows(
                copied, lengthFactors(copied, b.scratch({chunked.chunk})));
          filled.push_back(copied);
        }
        filled.append(factors);
        return filled;
      });
  w.k = tiles[0];
  w.q = tiles[1];
  if (!apart)
    return;
  w.kFactors = tiles[2];
  w.qFactors = tiles[3];
}

Value ChunkPhases::scaleRows(Value rows, Value factors) {
  return b.elementwise({{factors, {0}}}, ValueRange{rows},
                       [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                         return {n.mulf(x[1], x[0])};
                       })[0];
}

std::pair<Value, Value> ChunkPhases::likeness(Value gram, Value shares,
                                              Value passes) {
  int64_t side = chunked.causalBlock();
  Value zero = b.f32(0.0);
  auto ratio = [&](Value x, Value y) -> Value {
    Value isZero = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, y, zero);
    return arith::SelectOp::create(b, isZero, zero,
                                   arith::DivFOp::create(b, x, y));
  };
  // Factors of rows, which a Gram matrix may have, cancel.
  auto between = [&](Value i, ValueRange carried) -> SmallVector<Value> {
    Value before = b.sub(i, b.index(1));
    Value across = b.load(gram, {i, before}), own = b.load(gram, {i, i});
    Value pass = ratio(across, own);
    Value back =
        ratio(b.load(gram, {before, i}), b.load(gram, {before, before}));
    return {b.store(b.mulf(pass, back), carried[0], before),
            b.store(pass, carried[1], i)};
  };
  SmallVector<Value> results =
      b.loop(chunked.chunk, side, {shares, passes},
             [&](Value row, ValueRange carried) {
               Value end = b.add(row, b.index(side));
               Value last = b.sub(end, b.index(1));
               Value second = b.add(row, b.index(1));
               SmallVector<Value> inits{b.store(zero, carried[0], last),
                                        b.store(zero, carried[1], row)};
               return b.loop(second, end, 1, inits, between);
             });
  return {results[0], results[1]};
}

void ChunkPhases::gram() {
  TileShape square = floats({chunked.chunk, chunked.chunk});
  TileShape vector = floats({chunked.chunk});
  SmallVector<TileShape> shapes{square, square};
  if (chunked.solvesScaled())
    shapes.append({vector, vector});
  auto tiles = phase(
      Phase::Gram, Heads::Key, shapes, [&](const Item &item, ValueRange outs) {
        Value k = tile(w.k, item), q = tile(w.q, item);
        int64_t side = chunked.causalBlock();
        auto rows = [&](Value matrix, Value first) {
          return b.extract(
              matrix,
              TileBuilder::at({first, b.attr(0)},
                              {b.attr(side), b.attr(chunked.keys)}),
              2);
        };
        SmallVector<Value> filled = b.causalBlocks(
            chunked.chunk, side, outs.take_front(2),
            [&](Value row, Value column, ValueRange carried) {
              SmallVector<Value> next;
              std::array<Value, 2> lefts{k, q};
              for (auto [left, out] : llvm::zip(lefts, carried)) {
                TileSlice at = b.block(row, column, side);
                Value sums = b.fill(b.extract(out, at, 2), 0.0);
                Value leftRows = rows(left, row), keys = rows(k, column);
                sums = b.product(leftRows, ChunkBuilder::Form::AsIs, keys,
                                 ChunkBuilder::Form::Transposed, sums);
                if (chunked.keepsLengths()) {
                  ChunkTiles factors = left == k ? w.kFactors : w.qFactors;
                  sums = scaleRows(
                      sums,
                      b.extract(tile(factors, item),
                                TileBuilder::at({row}, {b.attr(side)}), 1));
                }
                next.push_back(b.insert(sums, out, at));
              }
              return next;
            });
        if (chunked.solvesScaled()) {
          auto [shares, passes] = likeness(filled[0], outs[2], outs[3]);
          filled.append({shares, passes});
        }
        return filled;
      });
  w.kk = tiles[0];
  w.qk = tiles[1];
  if (!chunked.solvesScaled())
    return;
  w.shares = tiles[2];
  w.passes = tiles[3];
}

void ChunkPhases::gates() {
  DeltaRuleOp rule = chunked.rule;
  TileShape vector = floats({chunked.chunk});
  TileShape square = floats({chunked.chunk, chunked.chunk});
  SmallVector<TileShape> shapes{vector};
  if (chunked.isGated())
    shapes.append({square, vector, vector, vector});
  bool apart = chunked.keepsLengths();
  // Of the given keys, U has the factors of keys, or of normalised ones, then
  // the keys that it multiplies have them.
  bool updatesGiven = chunked.solves();
  if (chunked.isGated() && apart)
    shapes.push_back(vector);
  auto tiles =
      phase(Phase::Gates, Heads::Value, shapes,
            [&](const Item &item, ValueRange outs) -> SmallVector<Value> {
              auto column = [&](Value source, Value out) {
                return b.gather(source, {item.position.token, item.valueHead},
                                item.position.rows, out);
              };
              Value beta = column(rule.getBeta(), outs[0]);
              if (apart && updatesGiven)
                beta = scaleRows(beta, tile(w.kFactors, item));
              SmallVector<Value> filled{beta};
              if (!chunked.isGated())
                return filled;
              Value gates = column(rule.getG(), b.scratch({chunked.chunk}));
              auto square = cast<RankedTensorType>(outs[1].getType());
              auto decay = DecayOp::create(b, square, gates.getType(),
                                           gates.getType(), gates);
              filled.push_back(decay.getMatrix());
              SmallVector<ChunkBuilder::Operand> sums{{decay.getPrefix(), {0}},
                                                      {decay.getSuffix(), {0}}};
              if (apart)
                sums.append({{tile(w.kFactors, item), {0}},
                             {tile(w.qFactors, item), {0}}});
              filled.append(b.elementwise(
                  sums, outs.drop_front(2),
                  [&](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                    Value fromBegin = math::ExpOp::create(n, x[0]);
                    Value scaled = n.mulf(fromBegin, rule.getScaleOperand());
                    Value toEnd = math::ExpOp::create(n, x[1]);
                    if (!apart)
                      return {fromBegin, scaled, toEnd};
                    if (!updatesGiven)
                      toEnd = n.mulf(toEnd, x[2]);
                    return {fromBegin, n.mulf(scaled, x[3]), toEnd,
                            n.mulf(fromBegin, x[2])};
                  }));
              return filled;
            });
  w.beta = tiles[0];
  if (!chunked.isGated())
    return;
  w.decay = tiles[1];
  w.fromBegin = tiles[2];
  w.scaledFromBegin = tiles[3];
  w.toEnd = tiles[4];
  if (apart)
    w.keyFromBegin = tiles[5];
}
