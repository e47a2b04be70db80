//===- AsyncCopies.h - Copies that threads have not waited for ------------===//
//
// Part of the Delta-Net project.
//
// A copy happens as late as it may: when its thread waits for it. What reads
// its bytes too early, or changes its source, is seen that way.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_ASYNCCOPIES_H
#define DELTANET_LIB_EMULATION_PTX_ASYNCCOPIES_H

#include "Instruction.h"
#include <array>
#include <vector>

namespace mlir::deltanet::ptx {

/// A copy from global to shared memory; bytes that the source does not have
/// become zero.
struct AsyncCopy {
  uint32_t to; ///< in shared memory
  uint8_t bytes, sourceBytes;
  uint64_t from;
  const Instruction *instruction;
};

/// The copies of the threads of a warp, in the order in which they began.
class AsyncCopies {
public:
  void begin(unsigned lane, const AsyncCopy &copy) {
    lanes[lane].open.push_back(copy);
  }

  /// The copies of a lane that are in no group become its next one.
  void commit(unsigned lane);

  /// Takes out the copies of all but the latest `groups` of a lane.
  std::vector<AsyncCopy> finish(unsigned lane, uint64_t groups);

  /// How many copies of a lane have not been waited for.
  size_t countLeft(unsigned lane) const;

private:
  struct OfLane {
    std::vector<AsyncCopy> open; ///< in no group
    std::vector<std::vector<AsyncCopy>> groups;
  };
  std::array<OfLane, kLanes> lanes;
};

/// Reports lanes of a mask that end before they have waited for their copies.
void checkNoCopies(Warp &warp, LaneMask mask);

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_ASYNCCOPIES_H
