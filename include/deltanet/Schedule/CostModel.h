//===- CostModel.h - What a schedule costs, as pure functions -------------===//
//
// Part of the Delta-Net project.
//
// Cycles of one core, per token and value head. The numbers rank schedules;
// they are not predictions of time. The formulas and what they were fitted to
// are explained in docs/performance.md.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_SCHEDULE_COSTMODEL_H
#define DELTANET_SCHEDULE_COSTMODEL_H

#include "deltanet/IR/DeltaNet.h"
#include <optional>

namespace mlir::deltanet {

/// The static sizes of a rule that its cost depends on.
struct RuleShape {
  int64_t h, hv, k, v;
  bool gated = true;
};

/// Whether a matrix unit takes what goes into the state as two numbers of bf16.
/// U has been rounded; rounding it again when it has its decay weighs most
/// where there are few keys. Modelled in float64 with beta up to 2 and gates
/// near 0, 333 tokens: an error of the state of 4.6e-3 at K = 32, 4.1e-3 at
/// 64, 3.6e-3 at 96, which becomes 3.3e-3 to 3e-3.
inline bool splitsUpdates(RuleShape shape) {
  return shape.gated && shape.k <= 64;
}

/// Whether a matrix unit takes the state that keys read as two numbers of bf16.
/// Without decay nothing makes a state forget how it was rounded for one chunk:
/// with beta up to 2, in a model, the error of o grows to 4.1e-3 in 2048 tokens
/// at K = 128, and to 3.6e-3 with two.
inline bool splitsReads(RuleShape shape) { return !shape.gated; }

/// A pass of `tokens` tokens over `columns` state columns.
struct PassShape {
  int64_t tokens, columns;
};
inline bool operator==(PassShape a, PassShape b) {
  return a.tokens == b.tokens && a.columns == b.columns;
}

/// Cycles of one state row of a pass, and whether something had to be spilled.
/// Nothing if accumulators would be spilled: such a pass is never worth it.
struct RowCost {
  double cycles;
  bool spills;
};
std::optional<RowCost> getRowCost(TargetAttr target, PassShape pass);

/// Cycles per token and value head of the blocked recurrence with this pass.
std::optional<double> getRecurrentCost(TargetAttr target, RuleShape shape,
                                       PassShape pass);

/// The cheapest pass for a slice of `slice` value columns whose state slice and
/// keys fit the L1 cache.
PassShape chooseRecurrencePass(TargetAttr target, RuleShape shape,
                               int64_t slice);

/// Cycles per token and value head of the chunked form with chunks of C tokens.
double getChunkedCost(TargetAttr target, RuleShape shape, int64_t chunk);

/// The chunk size of the lowest cost.
int64_t chooseChunk(TargetAttr target, RuleShape shape);

/// Products of tiles of one chunk and value head on a matrix unit: 16 x 16 sums
/// over 32 elements each. C is a multiple of 32, K of 32, V of 16.
int64_t countTileProducts(RuleShape shape, int64_t chunk);

/// Cycles of one whole chunk and value head where a matrix unit multiplies. A
/// chunk that is cut short costs the same.
double getMatrixChunkCost(TargetAttr target, RuleShape shape, int64_t chunk);

/// Rows of a register block of `columns` columns: as many accumulators as leave
/// room for one row of the other operand and a broadcast.
int64_t chooseRegisterRows(TargetAttr target, int64_t columns);

/// Value columns of a work item: all, or less where key heads are too few to
/// keep several cores busy.
int64_t chooseValueSlice(RuleShape shape, int64_t columns);

/// State rows that decode takes at once, each a stream of its own in memory:
/// for vk as many as the machine reads best, for kv four, or less where the
/// sums with key and query leave no registers for them.
int64_t chooseDecodeRows(TargetAttr target, StateLayout layout);

/// Warps of a GPU that can share the rows of keys and the matrices of a chunk:
/// a lane takes four channels of a row, a warp 16 rows and 8 columns of a
/// matrix.
int64_t getMostIntraWarps(int64_t chunk, int64_t keys);

} // namespace mlir::deltanet

#endif // DELTANET_SCHEDULE_COSTMODEL_H
