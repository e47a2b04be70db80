//===- WarpClock.h - What happened before what in a block -----------------===//
//
// Part of the Delta-Net project.
//
// A warp's time passes whenever threads of it wait for each other. Each of its
// lanes knows the accesses of another lane up to their last common wait, and
// those of other warps up to the last barrier with them. What it does not know
// has no order with what it does.
//
// FastTrack (Flanagan and Freund, PLDI 2009), with times of warps.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_WARPCLOCK_H
#define DELTANET_LIB_EMULATION_PTX_WARPCLOCK_H

#include "Instruction.h"
#include <algorithm>
#include <array>

namespace mlir::deltanet::ptx {

constexpr unsigned kWarpsOfBlock = 32; ///< 1024 threads

class WarpClock {
public:
  explicit WarpClock(unsigned warp) : warp(warp) {}

  uint32_t time() const { return now; }

  /// Whether an access of this block, by a lane of a warp at its time, happened
  /// before what `lane` does now.
  bool happenedBefore(unsigned otherWarp, unsigned otherLane, uint32_t time,
                      unsigned lane) const {
    if (otherWarp != warp)
      return time < warps[otherWarp];
    return otherLane == lane || time < lanes[lane][otherLane];
  }

  /// The lanes of a mask have waited for each other.
  void waitForEachOther(LaneMask mask);

  /// These warps, whose live lanes have waited for each other, have met at a
  /// barrier.
  static void meet(llvm::ArrayRef<WarpClock *> clocks);

private:
  using Times = std::array<uint32_t, kWarpsOfBlock>;

  unsigned warp;
  uint32_t now = 0;
  Times warps = {};                     ///< what all lanes know of warps
  std::array<Times, kLanes> lanes = {}; ///< what a lane knows of lanes
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_WARPCLOCK_H
