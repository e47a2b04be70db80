//===- RecurrenceInScratch.cpp - B tokens a pass, the state in scratch ----===//
//
// Part of the Delta-Net project.
//
// The state of the item's value heads lies in scratch as [HG][V/W][K][W], so
// that a pass streams through W columns in L1. Tokens come in blocks; of each
// block, the key and query rows are gathered once for all value heads:
//
//   for each block of tokens:
//     gather k, q rows (normalized if asked) and their products in a group
//     for each value head of the group:
//       coefficients of each group of B tokens
//       for each slice of W columns, for each group: deltanet.recurrence_pass
//
//===----------------------------------------------------------------------===//

#include "PassCoefficients.h"
#include "RecurrenceBuilder.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

class RecurrenceInScratch : public RecurrenceBuilder {
public:
  RecurrenceInScratch(DeltaRuleOp rule, ScheduleAttr schedule)
      : RecurrenceBuilder(rule, schedule), B(schedule.getTokens()),
        W(schedule.getColumns()), block(schedule.getBlock()),
        factors(rule, B, block) {}

  std::pair<Value, Value> build(TileBuilder &b,
                                const RecurrenceItem &item) override;

private:
  Value loadStates(TileBuilder &b, const RecurrenceItem &item);
  Value gatherKeys(TileBuilder &b, const RecurrenceItem &item,
                   const TokenBlock &block, Value keys);
  Value gatherValues(TileBuilder &b, const TokenBlock &block, Value hv,
                     Value column);
  SmallVector<Value> slices(TileBuilder &b, const RecurrenceItem &item,
                            const TokenBlock &block, Value x, Value o,
                            Value keys, Value values, Value coefficients,
                            ValueRange carried);
  void prefetchRows(TileBuilder &b, const RecurrenceItem &item,
                    const TokenBlock &block, Value x, Value o, Value s,
                    Value row);
  Value storeStates(TileBuilder &b, const RecurrenceItem &item, Value states,
                    Value deltas, Value keys, Value scales);
  Value keep(TileBuilder &b, const TokenBlock &block, Value keys);

  TileSlice rowsAt(TileBuilder &b, Value row) {
    return TileBuilder::at({row, b.attr(0), b.attr(0)},
                           {b.attr(B), b.attr(2), b.attr(keyDim())});
  }
  TileSlice stateAt(TileBuilder &b, Value x, Value s) {
    return TileBuilder::at({x, s, b.attr(0), b.attr(0)},
                           {b.attr(1), b.attr(1), b.attr(keyDim()), b.attr(W)});
  }
  TileSlice deltaAt(TileBuilder &b, Value x, Value s) {
    return TileBuilder::at({x, s, b.attr(0), b.attr(0)},
                           {b.attr(1), b.attr(1), b.attr(B), b.attr(W)});
  }

  const int64_t B, W, block;
  PassCoefficients factors;
};

} // namespace

Value RecurrenceInScratch::loadStates(TileBuilder &b,
                                      const RecurrenceItem &item) {
  Value states = b.scratch({groupSize(), slice / W, keyDim(), W});
  if (!rule.getState())
    return b.fill(states, 0.0);
  return b
      .loop(groupSize(), 1, states,
            [&](Value x, ValueRange outer) {
              Value hv = domain.getValueHead(b, item.h, x);
              return b.loop(
                  slice / W, 1, outer,
                  [&](Value s, ValueRange inner) -> SmallVector<Value> {
                    Value column = b.add(item.column, b.mul(s, W));
                    Value from = initialState(b, item.n, hv, column, W);
                    TileSlice at = stateAt(b, x, s);
                    Value to = b.extract(inner[0], at, 2);
                    to = isVK() ? b.transpose(from, to) : b.copy(from, to);
                    return {b.insert(to, inner[0], at)};
                  });
            })
      .front();
}

/// Rows B … B+count of `keys` [B+block,2,K] become the block's k and q rows,
/// the rest of its last group zero. Rows 0 … B stay: the group before.
Value RecurrenceInScratch::gatherKeys(TileBuilder &b,
                                      const RecurrenceItem &item,
                                      const TokenBlock &blk, Value keys) {
  for (auto [which, tensor] :
       {std::pair{0, Value(rule.getK())}, {1, Value(rule.getQ())}}) {
    TileSlice at = TileBuilder::at({b.attr(B), b.attr(which), b.attr(0)},
                                   {blk.count, b.attr(1), b.attr(keyDim())});
    Value rows = keyRows(b, tensor, item.h, blk.begin, blk.count);
    rows = b.copy(rows, b.extract(keys, at, 2));
    keys = b.insert(rows, keys, at);
  }
  Value begin = b.index(B);
  if (rule.getL2normEpsAttr())
    keys =
        b.loop(begin, b.add(blk.count, begin), 1, keys,
               [&](Value t, ValueRange carried) {
                 return b.loop(
                     2, 1, carried,
                     [&](Value which, ValueRange inner) -> SmallVector<Value> {
                       TileSlice at = TileBuilder::at(
                           {t, which, b.attr(0)},
                           {b.attr(1), b.attr(1), b.attr(keyDim())});
                       Value row = b.extract(inner[0], at, 1);
                       return {b.insert(normalizeRow(b, row), inner[0], at)};
                     });
               })
            .front();
  if (B == 1)
    return keys;
  Value padding = b.sub(b.mul(blk.groups, B), blk.count);
  TileSlice at =
      TileBuilder::at({b.add(blk.count, b.index(B)), b.attr(0), b.attr(0)},
                      {padding, b.attr(2), b.attr(keyDim())});
  return b.insert(b.fill(b.extract(keys, at, 3), 0.0), keys, at);
}

Value RecurrenceInScratch::gatherValues(TileBuilder &b, const TokenBlock &blk,
                                        Value hv, Value column) {
  Value values = b.scratch({block, slice});
  OpFoldResult width = b.attr(slice);
  Value rows = b.extract(
      rule.getV(),
      TileBuilder::at({blk.begin, hv, column}, {blk.count, b.attr(1), width}),
      2);
  TileSlice at = TileBuilder::at({b.attr(0), b.attr(0)}, {blk.count, width});
  values = b.insert(b.copy(rows, b.extract(values, at, 2)), values, at);
  if (B == 1)
    return values;
  TileSlice rest = TileBuilder::at(
      {blk.count, b.attr(0)}, {b.sub(b.mul(blk.groups, B), blk.count), width});
  return b.insert(b.fill(b.extract(values, rest, 2), 0.0), values, rest);
}

/// Passes compute from caches while memory rests, and rows of one head lie far
/// apart. So each pass asks for its share of what comes next: v of the next
/// value head, or k, q and v of the next block, and the rows of o.
void RecurrenceInScratch::prefetchRows(TileBuilder &b,
                                       const RecurrenceItem &item,
                                       const TokenBlock &blk, Value x, Value o,
                                       Value s, Value firstRow) {
  Value zero = b.index(0), one = b.index(1);
  Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x,
                                       b.index(groupSize() - 1));
  Value nextHead = arith::SelectOp::create(b, isLast, zero, b.add(x, one));
  Value ahead = arith::SelectOp::create(b, isLast, b.index(block), zero);
  Value hv = domain.getValueHead(b, item.h, nextHead);
  Value last = b.sub(item.tokens.length, one);
  auto token = [&](Value offset) {
    return b.add(item.tokens.begin, b.min(offset, last));
  };
  // The passes over V/W columns share the lines of B rows of each tensor.
  constexpr int64_t kLineBytes = 64;
  int64_t line =
      kLineBytes * 8 / rule.getV().getType().getElementTypeBitWidth();
  auto share = [&](int64_t width, function_ref<void(Value, Value)> ask) {
    int64_t perRow = llvm::divideCeil(width, line);
    int64_t count = llvm::divideCeil(B * perRow, slice / W);
    for (int64_t i = 0; i < count; ++i) {
      Value n = b.add(b.mul(s, count), b.index(i));
      Value row = b.add(firstRow, b.floorDiv(n, perRow));
      Value column = b.mul(
          arith::RemUIOp::create(b, n, b.index(perRow)).getResult(), line);
      ask(b.add(blk.offset, row), column);
    }
  };
  share(slice, [&](Value offset, Value column) {
    b.prefetch(o, {b.min(offset, last), x, column}, /*isWrite=*/true);
    b.prefetch(rule.getV(),
               {token(b.add(offset, ahead)), hv, b.add(item.column, column)},
               /*isWrite=*/false);
  });
  share(keyDim(), [&](Value offset, Value column) {
    Value next = token(b.add(offset, b.index(block)));
    for (Value keys : {Value(rule.getK()), Value(rule.getQ())})
      b.prefetch(keys, {next, item.h, column}, /*isWrite=*/false);
  });
}

/// All passes of one value head over the block. Carries states, deltas and the
/// outputs [block,slice].
SmallVector<Value> RecurrenceInScratch::slices(
    TileBuilder &b, const RecurrenceItem &item, const TokenBlock &blk, Value x,
    Value o, Value keys, Value values, Value coefficients, ValueRange carried) {
  int64_t count = RecurrencePassOp::Coefficients{B}.count();
  return b.loop(
      slice / W, 1, carried,
      [&](Value s, ValueRange outer) -> SmallVector<Value> {
        TileSlice stateSlice = stateAt(b, x, s), deltaSlice = deltaAt(b, x, s);
        SmallVector<Value> inits{b.extract(outer[0], stateSlice, 2),
                                 b.extract(outer[1], deltaSlice, 2), outer[2]};
        auto pass = [&](Value group, ValueRange inner) -> SmallVector<Value> {
          Value row = b.mul(group, B);
          Value column = b.mul(s, W);
          prefetchRows(b, item, blk, x, o, s, row);
          TileSlice tile =
              TileBuilder::at({row, column}, {b.attr(B), b.attr(W)});
          auto keyGroup = [&](Value first) {
            return tensor::ExtractSliceOp::create(
                b, keys, rowsAt(b, first).offsets, rowsAt(b, first).sizes,
                rowsAt(b, first).strides);
          };
          Value previous = keyGroup(row);
          Value current = keyGroup(b.add(row, b.index(B)));
          Value rowCoefficients = b.extract(
              coefficients,
              TileBuilder::at({group, b.attr(0)}, {b.attr(1), b.attr(count)}),
              1);
          Value out = b.extract(inner[2], tile, 2);
          auto op = RecurrencePassOp::create(
              b,
              TypeRange{inner[0].getType(), inner[1].getType(), out.getType()},
              inner[0], previous, current, inner[1], b.extract(values, tile, 2),
              rowCoefficients, out,
              /*rare_decay=*/isGated(), schedule.getRows());
          return {op.getNewState(), op.getNewDelta(),
                  b.insert(op.getOut(), inner[2], tile)};
        };
        SmallVector<Value> results =
            b.loop(b.index(0), blk.groups, 1, inits, pass);
        return {b.insert(results[0], outer[0], stateSlice),
                b.insert(results[1], outer[1], deltaSlice), results[2]};
      });
}

/// The block's last group becomes the first rows of `keys`.
Value RecurrenceInScratch::keep(TileBuilder &b, const TokenBlock &blk,
                                Value keys) {
  Value last = b.extract(keys, rowsAt(b, b.mul(blk.groups, B)), 3);
  Value held = b.copy(last, b.scratch({B, 2, keyDim()}));
  TileSlice front = rowsAt(b, b.index(0));
  return b.insert(b.copy(held, b.extract(keys, front, 3)), keys, front);
}

/// sigma · (owed · S + Σ_b k_b ⊗ delta_b): the last group's update is still
/// due.
Value RecurrenceInScratch::storeStates(TileBuilder &b,
                                       const RecurrenceItem &item, Value states,
                                       Value deltas, Value keys, Value scales) {
  return b
      .loop(groupSize(), 1, item.state,
            [&](Value x, ValueRange outer) {
              Value sigma = b.load(scales, {x, b.index(0)});
              Value owed = b.load(scales, {x, b.index(1)});
              return b.loop(
                  slice / W, 1, outer,
                  [&](Value s, ValueRange inner) -> SmallVector<Value> {
                    Value delta = b.extract(deltas, deltaAt(b, x, s), 2);
                    SmallVector<TileBuilder::Input> inputs{
                        {b.extract(states, stateAt(b, x, s), 2), {0, 1}}};
                    for (int64_t i = 0; i < B; ++i) {
                      inputs.push_back(
                          {b.extract(
                               keys,
                               TileBuilder::at(
                                   {b.attr(i), b.attr(0), b.attr(0)},
                                   {b.attr(1), b.attr(1), b.attr(keyDim())}),
                               1),
                           {0}});
                      inputs.push_back(
                          {b.extract(delta,
                                     TileBuilder::at({b.attr(i), b.attr(0)},
                                                     {b.attr(1), b.attr(W)}),
                                     1),
                           {1}});
                    }
                    TileSlice at = finalState(b, x, b.mul(s, W), W);
                    Value to = b.extract(inner[0], at, 2);
                    Value whole = b.elementwise(
                        inputs, isVK() ? b.scratch({keyDim(), W}) : to,
                        [&](TileBuilder &e, ValueRange v) {
                          Value sum = isGated() ? e.mulf(owed, v[0]) : v[0];
                          for (int64_t i = 0; i < B; ++i)
                            sum =
                                e.addf(sum, e.mulf(v[1 + 2 * i], v[2 + 2 * i]));
                          return isGated() ? e.mulf(sigma, sum) : sum;
                        });
                    if (isVK())
                      whole = b.transpose(whole, to);
                    return {b.insert(whole, inner[0], at)};
                  });
            })
      .front();
}

std::pair<Value, Value> RecurrenceInScratch::build(TileBuilder &b,
                                                   const RecurrenceItem &item) {
  int64_t groupCount = slice / W;
  Value keys = b.scratch({B + block, 2, keyDim()});
  TileSlice front = rowsAt(b, b.index(0));
  keys = b.insert(b.fill(b.extract(keys, front, 3), 0.0), keys, front);
  SmallVector<Value> inits{
      item.o, loadStates(b, item),
      b.fill(b.scratch({groupSize(), groupCount, B, W}), 0.0), keys,
      b.fill(b.scratch({groupSize(), 2}), 1.0)};

  auto perBlock = [&](Value offset, ValueRange carried) -> SmallVector<Value> {
    TokenBlock blk;
    blk.offset = offset;
    blk.begin = b.add(item.tokens.begin, offset);
    Value left = b.sub(item.tokens.length, offset);
    blk.count = b.min(left, b.index(block));
    blk.groups = b.ceilDiv(blk.count, B);
    Value keys = gatherKeys(b, item, blk, carried[3]);
    Value products = factors.products(b, blk, keys);
    auto perHead = [&](Value x, ValueRange inner) -> SmallVector<Value> {
      Value hv = domain.getValueHead(b, item.h, x);
      auto [coefficient, scales] =
          factors.build(b, blk, hv, x, products, inner[3]);
      Value values = gatherValues(b, blk, hv, item.column);
      SmallVector<Value> done =
          slices(b, item, blk, x, inner[0], keys, values, coefficient,
                 {inner[1], inner[2], b.scratch({block, slice})});
      OpFoldResult width = b.attr(slice);
      TileSlice to = TileBuilder::at({blk.offset, x, b.attr(0)},
                                     {blk.count, b.attr(1), width});
      Value rows = b.extract(
          done[2], TileBuilder::at({b.attr(0), b.attr(0)}, {blk.count, width}),
          2);
      Value o =
          b.insert(b.copy(rows, b.extract(inner[0], to, 2)), inner[0], to);
      return {o, done[0], done[1], scales};
    };
    SmallVector<Value> done =
        b.loop(groupSize(), 1, {carried[0], carried[1], carried[2], carried[4]},
               perHead);
    return {done[0], done[1], done[2], keep(b, blk, keys), done[3]};
  };
  SmallVector<Value> done =
      b.loop(b.index(0), item.tokens.length, block, inits, perBlock);
  Value state;
  if (item.state)
    state = storeStates(b, item, done[1], done[2], done[3], done[4]);
  return {done[0], state};
}

std::unique_ptr<RecurrenceBuilder>
mlir::deltanet::createRecurrenceInScratch(DeltaRuleOp rule,
                                          ScheduleAttr schedule) {
  return std::make_unique<RecurrenceInScratch>(rule, schedule);
}
