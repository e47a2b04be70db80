//===- LinearSlices.h - How an index moves a slice ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_LINEARSLICES_H
#define DELTANET_LIB_TRANSFORMS_LINEARSLICES_H

#include "mlir/Interfaces/ViewLikeInterface.h"
#include <optional>

namespace mlir::deltanet {

/// Whether `value` is computed from `index`, without regard to memory.
bool dependsOn(Value value, Value index);

/// The dimension of a slice that an index moves, and how far a step.
struct MovedDimension {
  unsigned position;
  int64_t distance;
};

/// Nothing unless the index enters exactly one offset, linearly and upwards, of
/// a dimension of size one.
std::optional<MovedDimension>
getMovedDimension(OffsetSizeAndStrideOpInterface slice, Value index);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_LINEARSLICES_H
