//===- StateSpread.h - A state in the registers of a block ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_SCHEDULE_STATESPREAD_H
#define DELTANET_SCHEDULE_STATESPREAD_H

#include "deltanet/IR/DeltaNet.h"
#include <optional>

namespace mlir::deltanet {

/// How the matrix of a state, as it lies in memory, is spread over the threads
/// of a block: [slice,K] (vk) or [K,slice] (kv). Lanes and warps along rows and
/// along columns; each lane has four neighbouring columns at a time, 16 bytes.
struct StateSpread {
  int64_t rowLanes, columnLanes;
  int64_t rowWarps, columnWarps;
  int64_t registers; ///< elements of the state that a thread holds
};

/// The spread of `slice` columns of V over `warps` warps, or none where the
/// numbers do not divide. Sums over K stay within a warp: with vk its lanes lie
/// along K, with kv the whole of K is its rows.
std::optional<StateSpread> spreadState(StateLayout layout, int64_t k,
                                       int64_t slice, int64_t warps);

} // namespace mlir::deltanet

#endif // DELTANET_SCHEDULE_STATESPREAD_H
