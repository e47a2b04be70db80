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
    lanes[lane].copies.push_back({copy, lanes[lane].groups});
  }

  /// The copies of a lane that are in no group become its next one.
  void commit(unsigned lane) { ++lanes[lane].groups; }

  /// Calls body(copy) for the copies of all but the latest groups of a lane,
  /// and forgets them.
  template <typename Body>
  void finish(unsigned lane, uint64_t latest, Body body) {
    OfLane &own = lanes[lane];
    auto left = own.copies.begin();
    for (; left != own.copies.end() && left->group + latest < own.groups;
         ++left)
      body(left->copy);
    own.copies.erase(own.copies.begin(), left);
  }

  /// How many copies of a lane have not been waited for.
  size_t countLeft(unsigned lane) const { return lanes[lane].copies.size(); }

private:
  struct Grouped {
    AsyncCopy copy;
    uint64_t group; ///< number of it
  };
  struct OfLane {
    std::vector<Grouped> copies;
    uint64_t groups = 0; ///< that have been committed
  };
  std::array<OfLane, kLanes> lanes;
};

/// Reports lanes of a mask that end before they have waited for their copies.
void checkNoCopies(Warp &warp, LaneMask mask);

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_ASYNCCOPIES_H
