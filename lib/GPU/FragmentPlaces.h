//===- FragmentPlaces.h - Which tensors are tiles, and how they lie -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_FRAGMENTPLACES_H
#define DELTANET_LIB_GPU_FRAGMENTPLACES_H

#include "deltanet/Fragment/IR/Fragment.h"
#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::deltanet {

/// The dimensions of a tile that those of a tensor are, without its leading
/// ones of size 1: [0, 1] for a state, [0] or [1] for a vector.
using FragmentPlace = SmallVector<int64_t, 2>;

/// What a work item computes from tensor to tensor, as tiles of one layout.
struct FragmentPlan {
  fragment::LayoutAttr layout;
  /// The operations that work on tiles, in order.
  SmallVector<Operation *> operations;
  /// Of every tensor that such an operation reads or makes.
  DenseMap<Value, FragmentPlace> places;
};

/// Follows the tensors of the `deltanet.token_step`s of a parallel loop through
/// elementwise operations, copies, fills and dot products; a loop with another
/// schedule than state = registers has no tiles. Nothing is changed.
/// Error: a state that cannot be spread over the block, or a tensor that would
/// have to lie along both dimensions.
FailureOr<FragmentPlan> planFragments(scf::ForallOp loop,
                                      ScheduleAttr schedule);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_FRAGMENTPLACES_H
