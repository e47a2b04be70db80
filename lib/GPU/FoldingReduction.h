//===- FoldingReduction.h - Sums and maxima over lanes of a warp ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_FOLDINGREDUCTION_H
#define DELTANET_LIB_GPU_FOLDINGREDUCTION_H

#include "ThreadPlace.h"

namespace mlir::deltanet {

/// Lanes of a warp that differ in some neighbouring bits of their number, from
/// `lowestBit` on.
struct LaneGroup {
  int64_t lowestBit, size;
};

/// One value of two: a sum, a maximum.
using Combine = function_ref<Value(Value, Value)>;

/// Combines each of the values, f32, over the lanes of a group; all of them get
/// all results.
///
/// Each step halves the lanes. With one value a step exchanges it and combines.
/// With several, a lane gives away half of its values and goes on with the
/// results of the other half; in the end each lane has some of the results, and
/// gives them to all. So 8 sums over 32 lanes take 4 + 2 + 1 + 1 + 1 + 8
/// shuffles, not 40.
SmallVector<Value> reduceOverLanes(OpBuilder &builder, Location loc,
                                   ArrayRef<Value> values, Combine combine,
                                   LaneGroup group, ThreadPlace &place);

/// The same without the last step. Of so many parts of the results, a lane gets
/// the one that the upper bits of its number in the group name.
SmallVector<Value> reducePartsOverLanes(OpBuilder &builder, Location loc,
                                        ArrayRef<Value> values, Combine combine,
                                        int64_t parts, LaneGroup group,
                                        ThreadPlace &place);

/// The last step: all parts for all lanes. Values of 16 bits have it, too.
SmallVector<Value> gatherFromLanes(OpBuilder &builder, Location loc,
                                   ArrayRef<Value> part, int64_t parts,
                                   LaneGroup group);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_FOLDINGREDUCTION_H
