//===- RecurrenceInMemory.cpp - One token, the state where it lies --------===//
//
// Part of the Delta-Net project.
//
// Decode reads and writes every state once, so memory decides. What an item
// does is one deltanet.token_step for each bundle of value heads: all heads of
// such a bundle are walked at once.
//
// An empty sequence copies its state.
//
//===----------------------------------------------------------------------===//

#include "RecurrenceBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <numeric>

using namespace mlir;
using namespace mlir::deltanet;

namespace {

class RecurrenceInMemory : public RecurrenceBuilder {
public:
  RecurrenceInMemory(DeltaRuleOp rule, ScheduleAttr schedule)
      : RecurrenceBuilder(rule, schedule),
        bundle(isVK() ? std::gcd(groupSize(), schedule.getRows()) : 1) {}

  std::pair<Value, Value> build(TileBuilder &b,
                                const RecurrenceItem &item) override;

private:
  /// What the value heads of an item share.
  struct Token {
    Value key, query; ///< [K], scaled to unit length if asked
    Value product;    ///< k·q
  };

  Value gatherKey(TileBuilder &b, const RecurrenceItem &item, Value tensor);
  SmallVector<Value> step(TileBuilder &b, const RecurrenceItem &item,
                          const Token &token, Value x, ValueRange carried);
  Value factors(TileBuilder &b, const RecurrenceItem &item, Value x);
  Value copyStates(TileBuilder &b, const RecurrenceItem &item);
  /// The incoming states of the bundle that begins with value head hv.
  Value states(TileBuilder &b, const RecurrenceItem &item, Value hv);

  /// A value head's state, or the part of it that is an item's.
  SmallVector<int64_t> stateShape() {
    return isVK() ? SmallVector<int64_t>{slice, keyDim()}
                  : SmallVector<int64_t>{keyDim(), slice};
  }

  /// Value heads taken at once: neighbours in their group.
  const int64_t bundle;
};

} // namespace

/// The token's row of q or k as [K].
Value RecurrenceInMemory::gatherKey(TileBuilder &b, const RecurrenceItem &item,
                                    Value tensor) {
  Value from =
      b.extract(tensor,
                TileBuilder::at({item.tokens.begin, item.h, b.attr(0)},
                                {b.attr(1), b.attr(1), b.attr(keyDim())}),
                1);
  Value row = b.copy(from, b.scratch({keyDim()}));
  return rule.getL2normEpsAttr() ? normalizeRow(b, row) : row;
}

Value RecurrenceInMemory::states(TileBuilder &b, const RecurrenceItem &item,
                                 Value hv) {
  SmallVector<int64_t> shape = stateShape();
  if (!rule.getState())
    return b.fill(b.scratch({bundle, shape[0], shape[1]}), 0.0);
  OpFoldResult zero = b.attr(0);
  SmallVector<OpFoldResult> offsets{item.n, hv, zero, zero};
  offsets[isVK() ? 2 : 3] = item.column;
  TileSlice at = TileBuilder::at(
      offsets, {b.attr(1), b.attr(bundle), b.attr(shape[0]), b.attr(shape[1])});
  at.strides[1] = b.attr(domain.getGroup(b, item.h).second);
  return b.extract(rule.getState(), at, 3);
}

/// [bundle,2]: γ and β of each value head.
Value RecurrenceInMemory::factors(TileBuilder &b, const RecurrenceItem &item,
                                  Value x) {
  Value result = b.scratch({bundle, 2});
  for (int64_t j = 0; j < bundle; ++j) {
    Value hv = domain.getValueHead(b, item.h, b.add(x, b.index(j)));
    SmallVector<Value> position{item.tokens.begin, hv};
    Value decay =
        isGated()
            ? math::ExpOp::create(b, b.load(rule.getG(), position)).getResult()
            : b.f32(1.0);
    result = b.store(decay, result, {b.index(j), b.index(0)});
    Value beta = b.load(rule.getBeta(), position);
    result = b.store(beta, result, {b.index(j), b.index(1)});
  }
  return result;
}

/// Value heads x … x + bundle of the group. Carries o and, if there is one, the
/// state.
SmallVector<Value> RecurrenceInMemory::step(TileBuilder &b,
                                            const RecurrenceItem &item,
                                            const Token &token, Value x,
                                            ValueRange carried) {
  Value hv = domain.getValueHead(b, item.h, x);
  OpFoldResult zero = b.attr(0), one = b.attr(1);
  OpFoldResult heads = b.attr(bundle), width = b.attr(slice);
  TileSlice valuesAt = TileBuilder::at({item.tokens.begin, hv, item.column},
                                       {one, heads, width});
  valuesAt.strides[1] = b.attr(domain.getGroup(b, item.h).second);
  Value given = b.extract(rule.getV(), valuesAt, 2);
  Value values = b.copy(given, b.scratch({bundle, slice}));
  Value state = states(b, item, hv), out = b.scratch({bundle, slice});
  SmallVector<Type> types{out.getType()};
  Value destination;
  TileSlice stateAt =
      TileBuilder::at({x, zero, zero}, {heads, b.attr(stateShape()[0]),
                                        b.attr(stateShape()[1])});
  if (item.state) {
    destination = b.extract(carried[1], stateAt, 3);
    types.push_back(destination.getType());
  }
  auto op = TokenStepOp::create(
      b, types, rule.getStateLayout(), state, token.key, token.query, values,
      factors(b, item, x), token.product, rule.getScaleOperand(), out,
      destination, schedule.getRows());
  TileSlice oAt = TileBuilder::at({zero, x, zero}, {one, heads, width});
  Value o = b.copy(op.getOut(), b.extract(carried[0], oAt, 2));
  SmallVector<Value> results{b.insert(o, carried[0], oAt)};
  if (item.state)
    results.push_back(b.insert(op.getNewState(), carried[1], stateAt));
  return results;
}

Value RecurrenceInMemory::copyStates(TileBuilder &b,
                                     const RecurrenceItem &item) {
  if (!rule.getState())
    return b.fill(item.state, 0.0);
  return b
      .loop(groupSize(), 1, item.state,
            [&](Value x, ValueRange carried) -> SmallVector<Value> {
              Value hv = domain.getValueHead(b, item.h, x);
              TileSlice at = finalState(b, x, b.index(0), slice);
              Value to = b.extract(carried[0], at, 2);
              Value from = initialState(b, item.n, hv, item.column, slice);
              return {b.insert(b.copy(from, to), carried[0], at)};
            })
      .front();
}

std::pair<Value, Value> RecurrenceInMemory::build(TileBuilder &b,
                                                  const RecurrenceItem &item) {
  SmallVector<Value> carried{item.o};
  if (item.state)
    carried.push_back(item.state);
  Value some = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt,
                                     item.tokens.length, b.index(0));
  auto branch = scf::IfOp::create(b, TypeRange(ValueRange(carried)), some,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> unchanged{item.o};
  if (item.state)
    unchanged.push_back(copyStates(b, item));
  scf::YieldOp::create(b, unchanged);

  b.setInsertionPointToStart(branch.thenBlock());
  Token token;
  token.key = gatherKey(b, item, rule.getK());
  token.query = gatherKey(b, item, rule.getQ());
  token.product = b.dot(token.key, token.query);
  SmallVector<Value> done =
      b.loop(groupSize(), bundle, carried, [&](Value x, ValueRange inner) {
        return step(b, item, token, x, inner);
      });
  scf::YieldOp::create(b, done);
  return {branch.getResult(0), item.state ? branch.getResult(1) : Value()};
}

std::unique_ptr<RecurrenceBuilder>
mlir::deltanet::createRecurrenceInMemory(DeltaRuleOp rule,
                                         ScheduleAttr schedule) {
  return std::make_unique<RecurrenceInMemory>(rule, schedule);
}
