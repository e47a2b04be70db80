//===- RecurrenceInMemory.cpp - One token, the state where it lies --------===//
//
// Part of the Delta-Net project.
//
// Decode reads and writes every state once, so memory decides: W columns (rows
// for vk) at a time, their products with k and q first, then their update while
// they are still in L1:
//
//   reads = [k; q] S          (S the undecayed columns)
//   δ = β (v − γ reads_k)
//   o = scale (γ reads_q + (k·q) δ)
//   S' = γ S + k ⊗ δ
//
// An empty sequence copies its state.
//
//===----------------------------------------------------------------------===//

#include "RecurrenceBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

class RecurrenceInMemory : public RecurrenceBuilder {
public:
  RecurrenceInMemory(DeltaRuleOp rule, ScheduleAttr schedule)
      : RecurrenceBuilder(rule, schedule), W(schedule.getColumns()) {}

  std::pair<Value, Value> build(TileBuilder &b,
                                const RecurrenceItem &item) override;

private:
  /// What one value head's step needs besides its state.
  struct Token {
    Value key, query;   ///< [K], scaled to unit length if asked
    Value both;         ///< [2,K]: k and q again, for the product with S (kv)
    Value product;      ///< k·q
    Value gamma;        ///< e^g, or null
    Value beta, factor; ///< β, scale
    Value hv, x;
  };

  Value gatherKey(TileBuilder &b, const RecurrenceItem &item, Value tensor);
  SmallVector<Value> step(TileBuilder &b, const RecurrenceItem &item,
                          const Token &token, Value c, ValueRange carried);
  Value reads(TileBuilder &b, const Token &token, Value state);
  Value update(TileBuilder &b, const Token &token, Value state, Value delta,
               Value out);
  Value copyStates(TileBuilder &b, const RecurrenceItem &item);
  /// Columns [c, c+W) of the incoming state, zero where there is none.
  Value columns(TileBuilder &b, const RecurrenceItem &item, Value hv, Value c);

  Value decayed(TileBuilder &b, const Token &token, Value value) {
    return token.gamma ? b.mulf(token.gamma, value) : value;
  }

  const int64_t W;
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

Value RecurrenceInMemory::columns(TileBuilder &b, const RecurrenceItem &item,
                                  Value hv, Value c) {
  if (rule.getState())
    return initialState(b, item.n, hv, b.add(item.column, c), W);
  return b.fill(isVK() ? b.scratch({W, keyDim()}) : b.scratch({keyDim(), W}),
                0.0);
}

/// [2,W]: the products of the W columns with k and q.
Value RecurrenceInMemory::reads(TileBuilder &b, const Token &token,
                                Value state) {
  Value out = b.fill(b.scratch({2, W}), 0.0);
  if (!isVK())
    return linalg::MatmulOp::create(b, out.getType(),
                                    ValueRange{token.both, state}, out)
        .getResult(0);
  return b
      .loop(b.index(0), b.index(W), 1, out,
            [&](Value r, ValueRange carried) -> SmallVector<Value> {
              Value row =
                  b.extract(state,
                            TileBuilder::at({r, b.attr(0)},
                                            {b.attr(1), b.attr(keyDim())}),
                            1);
              Value result = carried[0];
              for (auto [which, key] :
                   {std::pair{0, token.key}, {1, token.query}})
                result = b.store(b.dot(row, key), result, {b.index(which), r});
              return {result};
            })
      .front();
}

Value RecurrenceInMemory::update(TileBuilder &b, const Token &token,
                                 Value state, Value delta, Value out) {
  unsigned keyAxis = isVK() ? 1 : 0;
  return b.elementwise(
      {{state, {0, 1}}, {token.key, {keyAxis}}, {delta, {1 - keyAxis}}}, out,
      [&](TileBuilder &e, ValueRange v) {
        return e.addf(decayed(e, token, v[0]), e.mulf(v[1], v[2]));
      });
}

/// W columns of one value head. Carries o and, if there is one, the state.
SmallVector<Value> RecurrenceInMemory::step(TileBuilder &b,
                                            const RecurrenceItem &item,
                                            const Token &token, Value c,
                                            ValueRange carried) {
  Value state = columns(b, item, token.hv, c);
  Value read = reads(b, token, state);
  auto readRow = [&](int64_t which) {
    return b.extract(
        read,
        TileBuilder::at({b.attr(which), b.attr(0)}, {b.attr(1), b.attr(W)}), 1);
  };
  Value values = b.extract(
      rule.getV(),
      TileBuilder::at({item.tokens.begin, token.hv, b.add(item.column, c)},
                      {b.attr(1), b.attr(1), b.attr(W)}),
      1);
  Value delta = b.copy(values, b.scratch({W}));
  delta = b.elementwise(
      {{readRow(0), {0}}}, delta, [&](TileBuilder &e, ValueRange v) {
        Value error = arith::SubFOp::create(e, v[1], decayed(e, token, v[0]));
        return e.mulf(token.beta, error);
      });
  Value out = b.elementwise({{readRow(1), {0}}, {delta, {0}}}, b.scratch({W}),
                            [&](TileBuilder &e, ValueRange v) {
                              Value sum = e.addf(decayed(e, token, v[0]),
                                                 e.mulf(token.product, v[1]));
                              return e.mulf(token.factor, sum);
                            });
  TileSlice oAt = TileBuilder::at({b.attr(0), token.x, c},
                                  {b.attr(1), b.attr(1), b.attr(W)});
  SmallVector<Value> results{
      b.insert(b.copy(out, b.extract(carried[0], oAt, 1)), carried[0], oAt)};
  if (item.state) {
    TileSlice at = finalState(b, token.x, c, W);
    Value updated =
        update(b, token, state, delta, b.extract(carried[1], at, 2));
    results.push_back(b.insert(updated, carried[1], at));
  }
  return results;
}

Value RecurrenceInMemory::copyStates(TileBuilder &b,
                                     const RecurrenceItem &item) {
  if (!rule.getState())
    return b.fill(item.state, 0.0);
  return b
      .loop(b.index(0), b.index(groupSize()), 1, item.state,
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
  if (!isVK()) {
    token.both = b.scratch({2, keyDim()});
    for (auto [which, row] : {std::pair{0, token.key}, {1, token.query}}) {
      TileSlice at = TileBuilder::at({b.attr(which), b.attr(0)},
                                     {b.attr(1), b.attr(keyDim())});
      token.both =
          b.insert(b.copy(row, b.extract(token.both, at, 1)), token.both, at);
    }
  }
  token.factor = rule.getScaleOperand();
  auto perHead = [&](Value x, ValueRange outer) {
    token.x = x;
    token.hv = domain.getValueHead(b, item.h, x);
    SmallVector<Value> position{item.tokens.begin, token.hv};
    token.beta = b.load(rule.getBeta(), position);
    if (isGated())
      token.gamma = math::ExpOp::create(b, b.load(rule.getG(), position));
    return b.loop(b.index(0), b.index(slice), W, outer,
                  [&](Value c, ValueRange inner) {
                    return step(b, item, token, c, inner);
                  });
  };
  SmallVector<Value> done =
      b.loop(b.index(0), b.index(groupSize()), 1, carried, perHead);
  scf::YieldOp::create(b, done);
  return {branch.getResult(0), item.state ? branch.getResult(1) : Value()};
}

std::unique_ptr<RecurrenceBuilder>
mlir::deltanet::createRecurrenceInMemory(DeltaRuleOp rule,
                                         ScheduleAttr schedule) {
  return std::make_unique<RecurrenceInMemory>(rule, schedule);
}
