//===- FragmentPlaces.h - Which tensors are tiles, and how they lie -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_FRAGMENTPLACES_H
#define DELTANET_LIB_GPU_FRAGMENTPLACES_H

#include "deltanet/Fragment/IR/Fragment.h"
#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::deltanet {

/// How a tensor is a tile: the layout, and the dimension of the tile that each
/// of the tensor is, without its leading ones of size 1: [0, 1] or [1, 0] for a
/// matrix, [0] or [1] for a vector.
struct FragmentPlace {
  fragment::LayoutAttr layout;
  SmallVector<int64_t, 2> dims;

  bool operator==(const FragmentPlace &other) const {
    return layout == other.layout && dims == other.dims;
  }
  bool operator!=(const FragmentPlace &other) const {
    return !(*this == other);
  }
  /// That of a tensor whose dimensions are those of this one that the results
  /// of a map name.
  FragmentPlace through(AffineMap map) const;
};

/// What a work item computes from tensor to tensor, as tiles.
struct FragmentPlan {
  /// The operations that work on tiles, in order.
  SmallVector<Operation *> operations;
  /// Of the tensors that such an operation makes, and of those of the same
  /// dimensions that it reads.
  DenseMap<Value, FragmentPlace> places;
};

/// Follows the tensors of the `deltanet.token_step`s of a parallel loop through
/// elementwise operations, copies, fills and dot products, or those of its
/// products of matrices, where the schedule has tensor cores; other loops have
/// no tiles. Nothing is changed. Error: a state that cannot be spread over the
/// block, or a tensor that would have to lie in two ways.
FailureOr<FragmentPlan> planFragments(scf::ForallOp loop,
                                      ScheduleAttr schedule);

/// The same for a schedule with state = registers.
FailureOr<FragmentPlan> planTokenSteps(scf::ForallOp loop,
                                       ScheduleAttr schedule);
/// The same for a schedule with matrix = mma.
FailureOr<FragmentPlan> planChunkProducts(scf::ForallOp loop,
                                          ScheduleAttr schedule);

/// All values that a loop carries where it carries this tensor, each with the
/// loop: what is one lies alike before, within and after it.
LogicalResult
walkCarried(Value tensor,
            function_ref<LogicalResult(Value, Operation *)> visit);

/// One element of each result, all of one place of a tile, from one of each
/// operand of all or fewer dimensions.
bool isElementwise(Operation *op);
/// The same, and every tensor has the dimensions of the results.
bool isElementwiseOfOneShape(Operation *op);

/// Sums or maxima along one of two dimensions.
bool isReduction(Operation *op);

/// A product of matrices for tensor cores: of f16 or bf16, or of numbers of f32
/// that are of tf32.
bool isTensorCoreProduct(Operation *op);

/// Whether a tensor is a part of what other work items made or the caller gave.
bool isFromOutside(Value tensor, scf::ForallOp loop);

/// A matrix whose whole rows are read or written at once.
FragmentPlace getRowPlace(RankedTensorType type, int64_t warps);

/// The first rows of a static matrix into as many of another, or null.
tensor::ExtractSliceOp getStoredRows(tensor::InsertSliceOp insert);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_FRAGMENTPLACES_H
