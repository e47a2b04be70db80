//===- ColumnLoop.h - A run of operations, W columns at a time ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_COLUMNLOOP_H
#define DELTANET_LIB_TRANSFORMS_COLUMNLOOP_H

#include "ColumnAxis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::deltanet {

/// How columns are cut: V in all, W a block.
struct ColumnBlocks {
  int64_t columns, width;
  int64_t getCount() const { return columns / width; }
  /// [K,V] as [V/W,K,W].
  RankedTensorType getBlockedType(RankedTensorType matrix) const;
};

/// Tensors that lie in blocks of columns, by what they are without: [K,V] for
/// [V/W,K,W].
using BlockedTensors = DenseMap<Value, Value>;

/// Replaces the run by a loop over blocks of columns, in front of `before`,
/// that does the same on W columns a turn. Matrices of the run that are in
/// `blocked` are read and written as blocks, and so are the results that are
/// written into them; these are added to `blocked`. Tensors that only the run
/// uses shrink.
void wrapInColumnLoop(const OperationRun &run, const ColumnAxis &axis,
                      ColumnBlocks blocks, Operation *before,
                      BlockedTensors &blocked);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_COLUMNLOOP_H
