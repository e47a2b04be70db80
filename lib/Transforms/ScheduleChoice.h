//===- ScheduleChoice.h - Schedules that the cost model takes -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_SCHEDULECHOICE_H
#define DELTANET_LIB_TRANSFORMS_SCHEDULECHOICE_H

#include "deltanet/Schedule/CostModel.h"

namespace mlir::deltanet {

/// A schedule and why it was taken.
struct ScheduleChoice {
  ScheduleAttr schedule;
  std::string reason;
};

/// Fields of a schedule, in the order of its definition.
struct ScheduleFields {
  Algorithm algorithm = Algorithm::Recurrent;
  int64_t minTokens = 0, maxTokens = ScheduleAttr::kUnbounded;
  int64_t valueSlice = 0, columns = 16, tokens = 1, rows = 1, block = 64;
  Residency state = Residency::Scratch;
  int64_t prefetch = 0, chunk = 64;
  Staging staging = Staging::OnePass;
  int64_t registerRows = 4;
  MatrixUnit matrix = MatrixUnit::None;
  int64_t warps = 0, intraWarps = 0, stages = 1;

  ScheduleAttr get(MLIRContext *context) const {
    return ScheduleAttr::get(context, algorithm, minTokens, maxTokens,
                             valueSlice, columns, tokens, rows, block, state,
                             prefetch, chunk, staging, registerRows, matrix,
                             warps, intraWarps, stages);
  }
};

/// For each range of lengths that a rule can have, in ascending order.
SmallVector<ScheduleChoice> chooseSchedules(DeltaRuleOp rule,
                                            TargetAttr target);
SmallVector<ScheduleChoice> chooseSchedules(DeltaRuleOp rule,
                                            GpuTargetAttr target);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_SCHEDULECHOICE_H
