//===- RecurrenceInRegisters.cpp - Tokens over a state in registers -------===//
//
// Part of the Delta-Net project.
//
// For GPUs: a work item is a sequence, a value head and a slice of the columns
// of V. Its part of the state is carried from token to token, so that it is
// read and written once whatever the number of tokens, and an empty sequence
// copies it.
//
//===----------------------------------------------------------------------===//

#include "RecurrenceBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

class RecurrenceInRegisters {
public:
  RecurrenceInRegisters(DeltaRuleOp rule, ScheduleAttr schedule, TileBuilder &b)
      : rule(rule), schedule(schedule), domain(rule), b(b),
        keys(rule.getKeyDim()), slice(schedule.getValueSlice()) {}

  SmallVector<Value> build();

private:
  struct Item {
    Value n, head, valueHead, column;
    SequenceTokens tokens;
  };

  bool isVK() { return rule.getStateLayout() == StateLayout::VK; }
  /// Where the item's part of a tensor of states lies.
  TileSlice stateSlice(const Item &item);
  /// The parts of o and, unless null, of the final state.
  SmallVector<Value> run(const Item &item, ValueRange parts);
  Value initialState(const Item &item, Value finalState);
  /// A row of q or k, in f32 and of unit length if asked.
  Value keyRow(const Item &item, Value tensor, Value token);
  Value sumOfProducts(Value a, Value b);
  /// [1,2]: γ and β.
  Value factors(const Item &item, Value token);
  /// One token: the rows of o and the state after it.
  SmallVector<Value> step(const Item &item, Value position, ValueRange carried);

  DeltaRuleOp rule;
  ScheduleAttr schedule;
  SequenceDomain domain;
  TileBuilder &b;
  const int64_t keys, slice;
};

TileSlice RecurrenceInRegisters::stateSlice(const Item &item) {
  OpFoldResult zero = b.attr(0), one = b.attr(1), all = b.attr(keys);
  OpFoldResult width = b.attr(slice);
  return isVK() ? TileBuilder::at({item.n, item.valueHead, item.column, zero},
                                  {one, one, width, all})
                : TileBuilder::at({item.n, item.valueHead, zero, item.column},
                                  {one, one, all, width});
}

Value RecurrenceInRegisters::initialState(const Item &item, Value finalState) {
  Value out = finalState;
  if (!out)
    out = isVK() ? b.scratch({1, slice, keys}) : b.scratch({1, keys, slice});
  if (!rule.getState())
    return b.fill(out, 0.0);
  return b.copy(b.extract(rule.getState(), stateSlice(item), 3), out);
}

Value RecurrenceInRegisters::sumOfProducts(Value x, Value y) {
  auto scalar = RankedTensorType::get({}, b.getF32Type());
  Value zero = b.fill(b.scratch({}), 0.0);
  Value sum =
      linalg::DotOp::create(b, scalar, ValueRange{x, y}, zero).getResult(0);
  return b.load(sum, {});
}

Value RecurrenceInRegisters::keyRow(const Item &item, Value tensor,
                                    Value token) {
  Value from = b.extract(tensor,
                         TileBuilder::at({token, item.head, b.attr(0)},
                                         {b.attr(1), b.attr(1), b.attr(keys)}),
                         1);
  Value row = b.copy(from, b.scratch({keys}));
  FloatAttr eps = rule.getL2normEpsAttr();
  if (!eps)
    return row;
  Value square =
      b.addf(sumOfProducts(row, row), arith::ConstantOp::create(b, eps));
  Value factor = b.inverseRoot(square);
  return b.elementwise({}, row, [&](TileBuilder &inner, ValueRange x) {
    return inner.mulf(x[0], factor);
  });
}

Value RecurrenceInRegisters::factors(const Item &item, Value token) {
  SmallVector<Value> position{token, item.valueHead};
  Value decay = b.f32(1.0);
  if (rule.getRule() == Rule::Gated)
    decay = math::ExpOp::create(b, b.load(rule.getG(), position));
  Value result = b.scratch({1, 2});
  result = b.store(decay, result, {b.index(0), b.index(0)});
  Value beta = b.load(rule.getBeta(), position);
  return b.store(beta, result, {b.index(0), b.index(1)});
}

SmallVector<Value> RecurrenceInRegisters::step(const Item &item, Value position,
                                               ValueRange carried) {
  Value token = b.add(item.tokens.begin, position);
  Value key = keyRow(item, rule.getK(), token);
  Value query = keyRow(item, rule.getQ(), token);
  Value given =
      b.extract(rule.getV(),
                TileBuilder::at({token, item.valueHead, item.column},
                                {b.attr(1), b.attr(1), b.attr(slice)}),
                2);
  Value values = b.copy(given, b.scratch({1, slice}));
  Value out = b.scratch({1, slice}), state = carried[1];
  auto op = TokenStepOp::create(
      b, TypeRange{out.getType(), state.getType()}, rule.getStateLayout(),
      state, key, query, values, factors(item, token),
      sumOfProducts(key, query), rule.getScaleOperand(), out, state,
      schedule.getRows());
  TileSlice row =
      TileBuilder::at({position, b.attr(0)}, {b.attr(1), b.attr(slice)});
  Value o = b.copy(op.getOut(), b.extract(carried[0], row, 2));
  return {b.insert(o, carried[0], row), op.getNewState()};
}

SmallVector<Value> RecurrenceInRegisters::run(const Item &item,
                                              ValueRange parts) {
  Value initial = initialState(item, parts.size() > 1 ? parts[1] : Value());
  Value first = b.index(0);
  SmallVector<Value> results =
      b.loop(first, item.tokens.length, 1, ValueRange{parts[0], initial},
             [&](Value position, ValueRange carried) {
               return step(item, position, carried);
             });
  results.resize(parts.size());
  return results;
}

SmallVector<Value> RecurrenceInRegisters::build() {
  SmallVector<Value> destinations{rule.getOInit()};
  if (rule.getStateInit())
    destinations.push_back(rule.getStateInit());
  SmallVector<OpFoldResult> bounds{
      domain.getSequenceCount(b), b.attr(rule.getH()),
      b.attr(rule.getGroupSize()), b.attr(rule.getValueDim() / slice)};
  auto loop = scf::ForallOp::create(b, bounds, destinations, std::nullopt);
  loop->setAttr(DeltaNetDialect::kScheduleAttr, schedule);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Item item;
  item.n = loop.getInductionVar(0);
  item.head = loop.getInductionVar(1);
  item.valueHead = domain.getValueHead(b, item.head, loop.getInductionVar(2));
  item.column = b.mul(loop.getInductionVar(3), slice);
  item.tokens = domain.getTokens(b, item.n);

  SmallVector<TileSlice> slices{
      TileBuilder::at({item.tokens.begin, item.valueHead, item.column},
                      {item.tokens.length, b.attr(1), b.attr(slice)})};
  SmallVector<Value> parts{
      b.extract(loop.getRegionIterArgs()[0], slices[0], /*rank=*/2)};
  if (rule.getStateInit()) {
    slices.push_back(stateSlice(item));
    parts.push_back(
        b.extract(loop.getRegionIterArgs()[1], slices[1], /*rank=*/3));
  }
  Value served = domain.isServed(b, schedule, item.tokens.length);
  SmallVector<Value> results =
      b.when(served, parts, [&] { return run(item, parts); });

  b.setInsertionPointToStart(loop.getTerminator().getBody());
  for (auto [result, tensor, at] :
       llvm::zip(results, loop.getRegionIterArgs(), slices))
    tensor::ParallelInsertSliceOp::create(b, result, tensor, at.offsets,
                                          at.sizes, at.strides);
  return llvm::to_vector_of<Value>(loop.getResults());
}

} // namespace

void mlir::deltanet::expandInRegisters(DeltaRuleOp rule,
                                       ScheduleAttr schedule) {
  TileBuilder b(rule.getLoc(), rule);
  rule->replaceAllUsesWith(RecurrenceInRegisters(rule, schedule, b).build());
  rule->erase();
}
