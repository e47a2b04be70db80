//===- ExpandRecurrence.cpp - Recurrent schedules as loops over tokens ----===//
//
// Part of the Delta-Net project.
//
// One scf.forall over (sequence, key head, slice of value columns). What an
// item does is RecurrenceInScratch.cpp (blocks of tokens, the state in scratch)
// or RecurrenceInMemory.cpp (one token, the state where it lies). For GPUs the
// items are finer: RecurrenceInRegisters.cpp.
//
//===----------------------------------------------------------------------===//

#include "RecurrenceBuilder.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_EXPANDRECURRENCE
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

Value RecurrenceBuilder::keyRows(TileBuilder &b, Value tensor, Value h, Value t,
                                 Value count) {
  return b.extract(
      tensor,
      TileBuilder::at({t, h, b.attr(0)}, {count, b.attr(1), b.attr(keyDim())}),
      2);
}

Value RecurrenceBuilder::normalizeRow(TileBuilder &b, Value row) {
  Value eps = arith::ConstantOp::create(b, rule.getL2normEpsAttr());
  Value factor = b.inverseRoot(b.addf(b.dot(row, row), eps));
  return b.elementwise({}, row, [&](TileBuilder &inner, ValueRange x) {
    return inner.mulf(x[0], factor);
  });
}

Value RecurrenceBuilder::initialState(TileBuilder &b, Value n, Value hv,
                                      Value column, int64_t width) {
  OpFoldResult zero = b.attr(0), one = b.attr(1);
  OpFoldResult keys = b.attr(keyDim()), columns = b.attr(width);
  return b.extract(
      rule.getState(),
      isVK()
          ? TileBuilder::at({n, hv, column, zero}, {one, one, columns, keys})
          : TileBuilder::at({n, hv, zero, column}, {one, one, keys, columns}),
      2);
}

TileSlice RecurrenceBuilder::finalState(TileBuilder &b, Value x, Value column,
                                        int64_t width) {
  OpFoldResult zero = b.attr(0), one = b.attr(1);
  OpFoldResult keys = b.attr(keyDim()), columns = b.attr(width);
  return isVK() ? TileBuilder::at({x, column, zero}, {one, columns, keys})
                : TileBuilder::at({x, zero, column}, {one, keys, columns});
}

namespace {

/// The parts of o and the final state that an item owns.
struct ItemSlices {
  TileSlice o, state;
};

ItemSlices getItemSlices(TileBuilder &b, DeltaRuleOp rule,
                         SequenceDomain &domain, const RecurrenceItem &item,
                         int64_t slice) {
  auto [head, distance] = domain.getGroup(b, item.h);
  OpFoldResult group = b.attr(rule.getGroupSize()), width = b.attr(slice);
  OpFoldResult keys = b.attr(rule.getKeyDim());
  OpFoldResult zero = b.attr(0), one = b.attr(1);
  ItemSlices slices;
  slices.o = TileBuilder::at({item.tokens.begin, head, item.column},
                             {item.tokens.length, group, width});
  slices.o.strides[1] = b.attr(distance);
  slices.state = rule.getStateLayout() == StateLayout::VK
                     ? TileBuilder::at({item.n, head, item.column, zero},
                                       {one, group, width, keys})
                     : TileBuilder::at({item.n, head, zero, item.column},
                                       {one, group, keys, width});
  slices.state.strides[1] = b.attr(distance);
  return slices;
}

/// What an item computes, behind the test of its sequence's length.
std::pair<Value, Value> buildServed(TileBuilder &b, Value served,
                                    RecurrenceBuilder &recurrence,
                                    const RecurrenceItem &item) {
  SmallVector<Value> unchanged{item.o};
  if (item.state)
    unchanged.push_back(item.state);
  SmallVector<Value> results =
      b.when(served, unchanged, [&]() -> SmallVector<Value> {
        auto [o, state] = recurrence.build(b, item);
        if (!state)
          return {o};
        return {o, state};
      });
  return {results[0], item.state ? results[1] : Value()};
}

void expand(DeltaRuleOp rule, ScheduleAttr schedule) {
  TileBuilder b(rule.getLoc(), rule);
  SequenceDomain domain(rule);
  std::unique_ptr<RecurrenceBuilder> recurrence =
      schedule.getState() == Residency::Memory
          ? createRecurrenceInMemory(rule, schedule)
          : createRecurrenceInScratch(rule, schedule);
  int64_t slice = recurrence->getSlice();

  SmallVector<Value> destinations{rule.getOInit()};
  if (rule.getStateInit())
    destinations.push_back(rule.getStateInit());
  SmallVector<OpFoldResult> bounds{domain.getSequenceCount(b),
                                   b.attr(rule.getH()),
                                   b.attr(rule.getValueDim() / slice)};
  auto forall = scf::ForallOp::create(b, bounds, destinations, std::nullopt);
  forall->setAttr("deltanet.schedule", schedule);

  b.setInsertionPointToStart(forall.getBody());
  RecurrenceItem item;
  item.n = forall.getInductionVar(0);
  item.h = forall.getInductionVar(1);
  item.column = b.mul(forall.getInductionVar(2), slice);
  item.tokens = domain.getTokens(b, item.n);
  ItemSlices slices = getItemSlices(b, rule, domain, item, slice);
  item.o = b.extract(forall.getRegionIterArgs()[0], slices.o, 3);
  if (destinations.size() > 1)
    item.state = b.extract(forall.getRegionIterArgs()[1], slices.state, 3);

  Value served = domain.isServed(b, schedule, item.tokens.length);
  auto [o, state] = buildServed(b, served, *recurrence, item);

  b.setInsertionPointToStart(forall.getTerminator().getBody());
  auto store = [&](Value tile, unsigned position, const TileSlice &at) {
    tensor::ParallelInsertSliceOp::create(b, tile,
                                          forall.getRegionIterArgs()[position],
                                          at.offsets, at.sizes, at.strides);
  };
  store(o, 0, slices.o);
  if (state)
    store(state, 1, slices.state);
  rule->replaceAllUsesWith(forall.getResults());
  rule->erase();
}

/// What the passes of the stage `rule` leave.
LogicalResult verifyForm(DeltaRuleOp rule) {
  ArrayAttr schedules = rule.getSchedulesAttr();
  size_t count = schedules ? schedules.size() : 0;
  if (count == 1 && rule.getOInit() && rule.getScaleOperand())
    return success();
  InFlightDiagnostic error =
      rule.emitOpError("expected one schedule, outs and a scale operand, got ");
  if (count != 1)
    return error << count << " schedules";
  return error << (rule.getOInit() ? "no scale operand" : "no outs");
}

struct ExpandRecurrence
    : deltanet::impl::ExpandRecurrenceBase<ExpandRecurrence> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](DeltaRuleOp rule) {
      if (failed(verifyForm(rule)))
        return WalkResult::interrupt();
      auto schedule = cast<ScheduleAttr>(rule.getSchedulesAttr()[0]);
      if (schedule.getAlgorithm() != Algorithm::Recurrent)
        return WalkResult::advance();
      if (schedule.getState() == Residency::Registers)
        expandInRegisters(rule, schedule);
      else
        expand(rule, schedule);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
