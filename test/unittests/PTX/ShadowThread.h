//===- ShadowThread.h - Threads that access a shadow in tests -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_UNITTESTS_PTX_SHADOWTHREAD_H
#define DELTANET_TEST_UNITTESTS_PTX_SHADOWTHREAD_H

#include "MemoryShadow.h"

namespace mlir::deltanet::ptx {

/// Two blocks of two warps each.
class ShadowThreads {
public:
  explicit ShadowThreads(uint64_t bytes = 64) : shadow(bytes) {
    shadow.markInitialised(0, bytes);
  }

  Accessor by(unsigned warp, unsigned lane, unsigned block = 0) const {
    return {firstBlock, firstBlock + block, warp, lane, clocks[block][warp]};
  }

  /// The warps of a block meet at a barrier.
  void barrier(unsigned block = 0) {
    for (WarpClock &clock : clocks[block])
      clock.waitForEachOther(kAllLanes);
    WarpClock::meet({&clocks[block][0], &clocks[block][1]});
  }
  void syncWarp(unsigned warp, LaneMask mask, unsigned block = 0) {
    clocks[block][warp].waitForEachOther(mask);
  }

  /// What is wrong with an access; nothing if it is empty.
  std::string read(const Accessor &by, uint64_t offset = 0,
                   unsigned bytes = 4) {
    return access(AccessKind::Read, by, offset, bytes);
  }
  std::string write(const Accessor &by, uint64_t offset = 0,
                    unsigned bytes = 4) {
    return access(AccessKind::Write, by, offset, bytes);
  }
  std::string atomic(const Accessor &by, uint64_t offset = 0,
                     unsigned bytes = 4) {
    return access(AccessKind::Atomic, by, offset, bytes);
  }
  std::string beginCopy(const Accessor &by, uint64_t offset = 0) {
    return textOf(shadow.beginCopy(offset, 16, by));
  }
  std::string endCopy(const Accessor &by, uint64_t offset = 0) {
    return textOf(shadow.endCopy(offset, 16, by));
  }

  MemoryShadow shadow;
  uint64_t firstBlock = 1;

private:
  std::string access(AccessKind kind, const Accessor &by, uint64_t offset,
                     unsigned bytes) {
    return textOf(shadow.access(offset, bytes, kind, by));
  }
  static std::string textOf(const std::optional<AccessProblem> &problem) {
    return problem ? problem->what : "";
  }

  WarpClock clocks[2][2] = {{WarpClock(0), WarpClock(1)},
                            {WarpClock(0), WarpClock(1)}};
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_TEST_UNITTESTS_PTX_SHADOWTHREAD_H
