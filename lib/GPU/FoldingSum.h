//===- FoldingSum.h - Sums over lanes of a warp ---------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_FOLDINGSUM_H
#define DELTANET_LIB_GPU_FOLDINGSUM_H

#include "ThreadPlace.h"

namespace mlir::deltanet {

/// Sums each of the values, f32, over the lanes that differ in some bits of
/// their number, neighbours from `lowestBit` on; all of these lanes get all
/// sums.
///
/// Each step halves the lanes. With one value a step exchanges it and adds.
/// With several, a lane gives away half of its values and goes on with the sums
/// of the other half; in the end each lane has some of the sums, and gives them
/// to all. So 8 sums over 32 lanes take 4 + 2 + 1 + 1 + 1 + 8 shuffles, not 40.
SmallVector<Value> sumOverLanes(OpBuilder &builder, Location loc,
                                ArrayRef<Value> values, int64_t lowestBit,
                                int64_t lanes, ThreadPlace &place);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_FOLDINGSUM_H
