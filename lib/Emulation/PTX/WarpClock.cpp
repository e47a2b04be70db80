//===- WarpClock.cpp - What happened before what in a block ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "WarpClock.h"
#include "Warp.h"

using namespace mlir::deltanet::ptx;

void WarpClock::waitForEachOther(LaneMask mask) {
  ++now;
  Times known = {};
  forEachLane(mask, [&](unsigned lane) {
    for (unsigned other = 0; other < kLanes; ++other)
      known[other] = std::max(known[other], lanes[lane][other]);
  });
  forEachLane(mask, [&](unsigned lane) { known[lane] = now; });
  forEachLane(mask, [&](unsigned lane) { lanes[lane] = known; });
}

void WarpClock::meet(llvm::ArrayRef<WarpClock *> clocks) {
  Times known = {};
  for (WarpClock *clock : clocks) {
    for (unsigned other = 0; other < kWarpsOfBlock; ++other)
      known[other] = std::max(known[other], clock->warps[other]);
    known[clock->warp] = clock->now;
  }
  for (WarpClock *clock : clocks)
    clock->warps = known;
}
