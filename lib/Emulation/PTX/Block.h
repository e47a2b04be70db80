//===- Block.h - The warps of a block and what they share -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_BLOCK_H
#define DELTANET_LIB_EMULATION_PTX_BLOCK_H

#include "InitialisedBytes.h"
#include "MemoryShadow.h"
#include "Warp.h"
#include "deltanet/Emulation/PTX/Launch.h"
#include <memory>
#include <set>

namespace mlir::deltanet::ptx {

/// What the blocks of a launch have in common.
struct Grid {
  const Program::State &program;
  const Kernel &kernel;
  const LaunchShape &shape;
  const LaunchOptions &options;
  DeviceMemory &memory;
  std::vector<char> parameters;
  MemoryShadow sharedShadow; ///< of the block that runs
  /// Blocks have numbers that no launch gives twice; those of this one begin
  /// here.
  uint64_t firstBlock;
  LaunchResult result;
  std::vector<uint64_t> executions;                    ///< by instruction
  std::vector<AccessCounts> accesses;                  ///< by instruction
  std::set<std::pair<uint32_t, FindingKind>> reported; ///< by instruction
};

class Block {
public:
  Block(Grid &grid, std::array<uint32_t, 3> id, uint64_t number);

  /// Runs all warps to their end. False after a finding that the launch cannot
  /// go on after.
  bool run();

  /// All live threads of a warp arrive at a barrier, which opens when `threads`
  /// have, 0: all that have not exited. `holding`, of a reduction, are those
  /// whose predicate holds. What Execute returns.
  Step arriveAtBarrier(Warp &warp, unsigned barrier, unsigned threads,
                       bool waits,
                       std::optional<LaneMask> holding = std::nullopt);

  /// Where the local memory of one thread begins in that of all.
  uint64_t localOffset(const Warp &warp, unsigned lane) const {
    return (warp.number * kLanes + lane) * grid.kernel.syntax->localBytes;
  }
  /// Local memory of one thread.
  char *local(const Warp &warp, unsigned lane) {
    return locals.data() + localOffset(warp, lane);
  }

  Grid &grid;
  const std::array<uint32_t, 3> id; ///< %ctaid
  const uint64_t number;
  std::vector<std::unique_ptr<Warp>> warps;
  std::vector<char> shared;
  std::optional<InitialisedBytes> localInitialised; ///< if there is any

private:
  struct Barrier {
    bool isInUse = false;
    unsigned expected = 0; ///< threads; 0: all that have not exited
    unsigned arrived = 0;
    bool reduces = false;
    unsigned holding = 0, others = 0; ///< threads, of a reduction
    std::vector<WarpClock> passedBy;  ///< of warps that do not wait
  };

  void fillSpecialRegisters(Warp &warp);
  bool runWarp(Warp &warp, uint64_t turns);
  void releaseBarrier(unsigned number);
  void reportDeadlock();

  std::vector<char> locals;
  std::array<Barrier, 16> barriers;
};

/// Writes the result of the reduction that a warp waited for, if that is what
/// it waited for. `holding` threads had a predicate that holds.
void giveReduction(Warp &warp, uint32_t holding, uint32_t others);

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_BLOCK_H
