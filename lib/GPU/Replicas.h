//===- Replicas.h - Threads that hold the same elements -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_REPLICAS_H
#define DELTANET_LIB_GPU_REPLICAS_H

#include "ThreadPlace.h"

namespace mlir::deltanet {

/// The threads that hold the same elements of a tile, lanes of a warp before
/// other warps, and the number of this one among them, an i32.
class Replicas {
public:
  Replicas(OpBuilder &builder, Location loc, fragment::TileType tile,
           ThreadPlace &place);

  int64_t getCount() const { return count; }

  /// Whether this is one of the first; null if that is always so.
  Value isBelow(OpBuilder &builder, Location loc, int64_t end) const;

  /// The value at the place of this one's number, which is below their count.
  Value choose(OpBuilder &builder, Location loc, ArrayRef<Value> values) const;
  /// The same of constants, an index.
  Value choose(OpBuilder &builder, Location loc,
               ArrayRef<int64_t> values) const;

private:
  int64_t count = 1;
  Value number;
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_REPLICAS_H
