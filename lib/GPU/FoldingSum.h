//===- FoldingSum.h - Sums over lanes of a warp ---------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_FOLDINGSUM_H
#define DELTANET_LIB_GPU_FOLDINGSUM_H

#include "ThreadPlace.h"

namespace mlir::deltanet {

/// Lanes of a warp that differ in some neighbouring bits of their number, from
/// `lowestBit` on.
struct LaneGroup {
  int64_t lowestBit, size;
};

/// Sums each of the values, f32, over the lanes of a group; all of them get all
/// sums.
///
/// Each step halves the lanes. With one value a step exchanges it and adds.
/// With several, a lane gives away half of its values and goes on with the sums
/// of the other half; in the end each lane has some of the sums, and gives them
/// to all. So 8 sums over 32 lanes take 4 + 2 + 1 + 1 + 1 + 8 shuffles, not 40.
SmallVector<Value> sumOverLanes(OpBuilder &builder, Location loc,
                                ArrayRef<Value> values, LaneGroup group,
                                ThreadPlace &place);

/// The same without the last step. Of so many parts of the sums, a lane gets
/// the one that the upper bits of its number in the group name.
SmallVector<Value> sumPartsOverLanes(OpBuilder &builder, Location loc,
                                     ArrayRef<Value> values, int64_t parts,
                                     LaneGroup group, ThreadPlace &place);

/// The last step: all parts for all lanes. Values of 16 bits have it, too.
SmallVector<Value> gatherFromLanes(OpBuilder &builder, Location loc,
                                   ArrayRef<Value> part, int64_t parts,
                                   LaneGroup group);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_FOLDINGSUM_H
