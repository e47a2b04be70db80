//===- ChunkScan.cpp - The phase that runs through each sequence ----------===//
//
// Part of the Delta-Net project.
//
// One parallel loop over sequences and value heads (and slices of V where the
// schedule asks for them); inside, the chunks of the sequence one after the
// other, carrying the state [K,slice].
//
//===----------------------------------------------------------------------===//

#include "ChunkPhases.h"

using namespace mlir;
using namespace mlir::deltanet;

SmallVector<Value> ChunkPhases::scan() {
  DeltaRuleOp rule = chunked.rule;
  SmallVector<OpFoldResult> bounds{domain.getSequenceCount(b),
                                   b.attr(chunked.heads),
                                   b.attr(chunked.members)};
  SmallVector<Axis> axes{Axis::Sequence, Axis::KeyHead, Axis::Member};
  if (chunked.slice != chunked.values) {
    bounds.push_back(b.attr(chunked.values / chunked.slice));
    axes.push_back(Axis::Columns);
  }
  SmallVector<Value> outs{rule.getOInit()};
  if (rule.getStateInit())
    outs.push_back(rule.getStateInit());
  auto loop = scf::ForallOp::create(b, bounds, outs, std::nullopt);
  annotate(loop, Phase::Scan, axes);

  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value n = loop.getInductionVar(0);
  Item item;
  item.head = loop.getInductionVar(1);
  item.member = loop.getInductionVar(2);
  item.valueHead = domain.getValueHead(b, item.head, item.member);
  Value column = chunked.slice == chunked.values
                     ? b.index(0)
                     : b.mul(loop.getInductionVar(3), chunked.slice);
  SequenceTokens tokens = domain.getTokens(b, n);

  ValueRange shared = loop.getRegionIterArgs();
  SmallVector<TileSlice> slices{
      TileBuilder::at({tokens.begin, item.valueHead, column},
                      {tokens.length, b.attr(1), b.attr(chunked.slice)})};
  if (rule.getStateInit())
    slices.push_back(stateSlice(n, item, column));
  SmallVector<Value> parts;
  for (auto [tensor, slice] : llvm::zip(shared, slices))
    parts.push_back(b.extract(tensor, slice, 2));

  auto run = [&] {
    ScanOutputs results =
        scanSequence(item, n, tokens, column,
                     {parts[0], parts.size() > 1 ? parts[1] : Value()});
    SmallVector<Value> values{results.rows};
    if (results.state)
      values.push_back(results.state);
    return values;
  };
  Value served = domain.isServed(b, chunked.schedule, tokens.length);
  SmallVector<Value> results = b.when(served, parts, run);

  b.setInsertionPointToStart(loop.getTerminator().getBody());
  for (auto [result, tensor, slice] : llvm::zip(results, shared, slices))
    tensor::ParallelInsertSliceOp::create(b, result, tensor, slice.offsets,
                                          slice.sizes, slice.strides);
  return llvm::to_vector_of<Value>(loop.getResults());
}

TileSlice ChunkPhases::stateSlice(Value n, const Item &item, Value column) {
  OpFoldResult keys = b.attr(chunked.keys), values = b.attr(chunked.slice);
  if (chunked.rule.getStateLayout() == StateLayout::VK)
    return TileBuilder::at({n, item.valueHead, column, b.attr(0)},
                           {b.attr(1), b.attr(1), values, keys});
  return TileBuilder::at({n, item.valueHead, b.attr(0), column},
                         {b.attr(1), b.attr(1), keys, values});
}

Value ChunkPhases::loadState(Value n, const Item &item, Value column) {
  Value state = b.scratch({chunked.keys, chunked.slice});
  Value initial = chunked.rule.getState();
  if (!initial)
    return b.fill(state, 0.0);
  Value source = b.extract(initial, stateSlice(n, item, column), 2);
  return chunked.rule.getStateLayout() == StateLayout::VK
             ? b.transpose(source, state)
             : b.copy(source, state);
}

ChunkPhases::ScanOutputs ChunkPhases::scanSequence(const Item &item, Value n,
                                                   SequenceTokens tokens,
                                                   Value column,
                                                   ScanOutputs outputs) {
  Value first = firstSlot(n, tokens);
  Value last = b.add(first, b.ceilDiv(tokens.length, chunked.chunk));
  Value step = b.index(1), initial = loadState(n, item, column);
  auto loop = scf::ForOp::create(b, first, last, step,
                                 ValueRange{outputs.rows, initial});
  loop->setAttr(DomainAttr::kAxisName,
                AxisAttr::get(b.getContext(), Axis::Chunk));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Item chunk = item;
    chunk.position = locate(loop.getInductionVar(), first, tokens);
    Value rows = loop.getRegionIterArg(0), before = loop.getRegionIterArg(1);
    auto write = [&](Value o) {
      rows =
          writeRows(chunk, b.sub(chunk.position.token, tokens.begin), o, rows);
    };
    Value state = chunked.usesTensorCores()
                      ? scanChunkOfHalves(chunk, column, before, write)
                      : scanChunk(chunk, column, before, write);
    scf::YieldOp::create(b, ValueRange{rows, state});
  }
  outputs.rows = loop.getResult(0);
  if (!outputs.state)
    return outputs;
  Value state = loop.getResult(1);
  outputs.state = chunked.rule.getStateLayout() == StateLayout::VK
                      ? b.transpose(state, outputs.state)
                      : b.copy(state, outputs.state);
  return outputs;
}

Value ChunkPhases::writeRows(const Item &item, Value first, Value o,
                             Value rows) {
  OpFoldResult width = b.attr(chunked.slice);
  TileSlice valid =
      TileBuilder::at({b.attr(0), b.attr(0)}, {item.position.rows, width});
  TileSlice part =
      TileBuilder::at({first, b.attr(0)}, {item.position.rows, width});
  Value written = b.extract(o, valid, 2);
  // A tile that already has the type of o is stored as it is.
  if (!chunked.usesTensorCores())
    written = b.copy(written, b.extract(rows, part, 2));
  return b.insert(written, rows, part);
}

Value ChunkPhases::chunkValues(const Item &item, Value column) {
  SmallVector<OpFoldResult> first{item.position.token, item.valueHead, column};
  Value v = chunked.rule.getV();
  if (chunked.usesTensorCores())
    return b.padded(v, first, item.position.rows,
                    {chunked.chunk, chunked.slice});
  return b.gather(v, first, item.position.rows,
                  b.scratch({chunked.chunk, chunked.slice}));
}

ChunkPhases::ScanFactors ChunkPhases::scanFactors(const Item &item) {
  if (chunked.isGated())
    return {tile(chunked.keepsLengths() ? w.keyFromBegin : w.fromBegin, item),
            tile(w.scaledFromBegin, item), tile(w.toEnd, item)};
  if (!chunked.keepsLengths())
    return {};
  Value update = chunked.solves() ? Value() : tile(w.kFactors, item);
  Value scale = chunked.rule.getScaleOperand();
  Value queries = b.elementwise(
      {{tile(w.qFactors, item), {0}}}, ValueRange{b.scratch({chunked.chunk})},
      [&](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
        return {n.mulf(x[0], scale)};
      })[0];
  return {tile(w.kFactors, item), queries, update};
}

Value ChunkPhases::scanChunk(const Item &item, Value column, Value state,
                             function_ref<void(Value)> write) {
  using Form = ChunkBuilder::Form;
  int64_t count = chunked.chunk, width = chunked.slice;
  Value v = chunkValues(item, column);
  Value k = tile(w.k, item), q = tile(w.q, item);
  ScanFactors factors = scanFactors(item);
  auto block = [&] { return b.scratch({count, width}); };

  // X = v − e^G (k S), for a matrix unit beta X
  Value read = b.product(k, state, block());
  if (chunked.splitsReads())
    b.splitOperands(read, /*left=*/false, /*right=*/true);
  SmallVector<ChunkBuilder::Operand> inputs{{read, {0, 1}}, {v, {0, 1}}};
  if (factors.read)
    inputs.push_back({factors.read, {0}});
  if (chunked.solves())
    inputs.push_back({tile(w.beta, item), {0}});
  Value error = b.elementwise(
      inputs, block(),
      [&](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
        Value old = factors.read ? n.mulf(x[0], x[2]) : x[0];
        Value difference = arith::SubFOp::create(n, x[1], old);
        return {chunked.solves() ? n.mulf(difference, x.drop_back().back())
                                 : difference};
      })[0];

  // o = scale e^G (q S)
  Value readByQuery = b.product(q, state, block());
  SmallVector<ChunkBuilder::Operand> scaled{{readByQuery, {0, 1}}};
  Value scale = chunked.rule.getScaleOperand();
  if (factors.query)
    scaled.push_back({factors.query, {0}});
  Value o =
      b.elementwise(scaled, block(),
                    [&](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                      return {n.mulf(x[0], factors.query ? x[1] : scale)};
                    })[0];

  ChunkOutputs outputs = chunked.solves()
                             ? solve(item, error, factors.update, o)
                             : applyInverse(item, error, factors.update, o);

  // S ← e^{G_C} S + kᵀ (e^F U)
  Value decayed = state;
  if (chunked.isGated()) {
    Value total = b.load(tile(w.fromBegin, item), b.index(count - 1));
    decayed =
        b.elementwise({{total, {}}}, state,
                      [](ChunkBuilder &n, ValueRange x) -> SmallVector<Value> {
                        return {n.mulf(x[1], x[0])};
                      })[0];
  }
  Value next =
      b.product(k, Form::Transposed, outputs.stored, Form::AsIs, decayed);
  if (chunked.splitsUpdates())
    b.splitOperands(next, /*left=*/false, /*right=*/true);
  write(outputs.o);
  return next;
}
