//===- AsyncCopies.cpp - Copies that threads have not waited for ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "AsyncCopies.h"
#include "Block.h"

using namespace mlir::deltanet::ptx;

void mlir::deltanet::ptx::checkNoCopies(Warp &warp, LaneMask mask) {
  if (!warp.block.grid.options.checks)
    return;
  forEachLane(mask, [&](unsigned lane) {
    if (size_t left = warp.copies.countLeft(lane))
      warp.report(
          FindingKind::UnwaitedCopy, lane,
          "expected a wait for all copies before the thread ends, got " +
              llvm::Twine(left) + " without one");
  });
}
