//===- CarriedState.h - The state as blocks of columns --------------------===//
//
// Part of the Delta-Net project.
//
// The state that the chunks of a sequence carry, a matrix [K,V] (or one for
// each member), is read by products as a right-hand side, W columns at a time.
// In rows of V columns such a part touches one line of each row, all in the
// same few sets of the L1 cache; as [V/W,K,W] it is contiguous. No later step
// can move a layout across a carried value, so it is changed here, together
// with all that is computed from it: each run of such operations becomes a loop
// over blocks of columns.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_CARRIEDSTATE_H
#define DELTANET_LIB_TRANSFORMS_CARRIEDSTATE_H

#include "ColumnLoop.h"
#include "ParallelDomains.h"

namespace mlir::deltanet {

/// Operations of one block that use one matrix of the state.
struct StateRun {
  OperationRun operations;
  ColumnAxis axis;
};

/// The state of one loop over chunks and everything that its layout touches.
struct CarriedState {
  ColumnBlocks blocks;
  /// The allocation and all tensors made of it, each after what it is made of.
  llvm::SetVector<Value> tensors;
  /// The runs, by the matrix that they use.
  DenseMap<Value, StateRun> runs;
};

/// The state that the phase carries, or why it keeps its rows.
struct CarriedStateDecision {
  std::optional<CarriedState> state;
  std::string reason;
};
CarriedStateDecision decideCarriedState(PhaseLoop phase);

/// Carries the state in blocks.
void blockCarriedState(const CarriedState &state);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_CARRIEDSTATE_H
