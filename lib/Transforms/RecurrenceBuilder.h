//===- RecurrenceBuilder.h - The recurrent forms of a delta rule ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_RECURRENCEBUILDER_H
#define DELTANET_LIB_TRANSFORMS_RECURRENCEBUILDER_H

#include "SequenceDomain.h"
#include "TileBuilder.h"

namespace mlir::deltanet {

/// One work item of a recurrent schedule: a sequence, a key head with all value
/// heads of its group, and a slice of `slice` value columns.
struct RecurrenceItem {
  SequenceTokens tokens;
  Value n, h, column;
  /// Destinations of the item: o [length,HG,slice] and, unless null, the final
  /// state [HG,K,slice] (kv) or [HG,slice,K] (vk).
  Value o, state;
};

/// Static facts that both forms need.
class RecurrenceBuilder {
public:
  RecurrenceBuilder(DeltaRuleOp rule, ScheduleAttr schedule)
      : rule(rule), schedule(schedule), domain(rule),
        slice(schedule.getValueSlice() ? schedule.getValueSlice()
                                       : rule.getValueDim()) {}
  virtual ~RecurrenceBuilder() = default;

  /// Emits the computation of one item; returns its o and state (or null).
  virtual std::pair<Value, Value> build(TileBuilder &b,
                                        const RecurrenceItem &item) = 0;

  int64_t getSlice() const { return slice; }

protected:
  int64_t keyDim() { return rule.getKeyDim(); }
  int64_t groupSize() { return rule.getGroupSize(); }
  bool isGated() { return rule.getRule() == Rule::Gated; }
  bool isVK() { return rule.getStateLayout() == StateLayout::VK; }

  /// Rows [t, t + count) of q or k of a key head as a tile [count,K].
  Value keyRows(TileBuilder &b, Value tensor, Value h, Value t, Value count);
  /// Row `row` [K] of a tile of f32 rows, scaled to unit length.
  Value normalizeRow(TileBuilder &b, Value row);
  /// The columns [column, column + width) of the initial state of value head hv
  /// as a tile [K,width] (kv) or [width,K] (vk).
  Value initialState(TileBuilder &b, Value n, Value hv, Value column,
                     int64_t width);
  /// The same part of an item's final state.
  TileSlice finalState(TileBuilder &b, Value x, Value column, int64_t width);

  DeltaRuleOp rule;
  ScheduleAttr schedule;
  SequenceDomain domain;
  int64_t slice;
};

/// schedule.state = scratch: B tokens a pass over a blocked copy of the state.
std::unique_ptr<RecurrenceBuilder>
createRecurrenceInScratch(DeltaRuleOp rule, ScheduleAttr schedule);

/// schedule.state = memory: at most one token, the state read and written where
/// it lies.
std::unique_ptr<RecurrenceBuilder>
createRecurrenceInMemory(DeltaRuleOp rule, ScheduleAttr schedule);

/// schedule.state = registers: replaces the rule by a loop over (sequence, key
/// head, member, slice of V), each of whose items carries its part of the state
/// from token to token.
void expandInRegisters(DeltaRuleOp rule, ScheduleAttr schedule);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_RECURRENCEBUILDER_H
