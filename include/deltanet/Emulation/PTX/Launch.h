//===- Launch.h - A kernel executed over a grid -----------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// Warps run in lockstep: one instruction for all threads of a warp that stand
// at the first place, in an order in which both ways of a branch come before
// the place where they meet. Blocks run one after the other, the warps of a
// block in an order that the seed gives. Correctness does not depend on either:
// races are found by what orders accesses, not by the values that a schedule
// happens to give.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_EMULATION_PTX_LAUNCH_H
#define DELTANET_EMULATION_PTX_LAUNCH_H

#include "deltanet/Emulation/PTX/DeviceMemory.h"
#include "deltanet/Emulation/PTX/Finding.h"
#include "deltanet/Emulation/PTX/InstructionReport.h"
#include "deltanet/Emulation/PTX/Program.h"

namespace mlir::deltanet::ptx {

struct LaunchShape {
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint64_t dynamicSharedBytes = 0;
};

struct LaunchOptions {
  /// The order in which warps take turns; 0: each runs until it waits.
  uint64_t seed = 0;
  /// Data races, uninitialised reads and unwaited copies. Bounds, alignment,
  /// barriers and deadlocks are always checked.
  bool checks = true;
  /// Executed instructions of a warp count once: some minutes of them.
  uint64_t instructionLimit = uint64_t(1) << 32;
  /// The launch ends with this many findings.
  unsigned findingLimit = 16;
  /// The most shared memory of a block; 0: that of the program's target.
  uint64_t sharedLimit = 0;
};

struct LaunchResult {
  bool completed = true; ///< no finding ended it
  std::vector<Finding> findings;
  InstructionReport report;
};

/// The most shared memory of a block on a GPU: "sm_90" or "sm_90a".
uint64_t sharedMemoryOf(llvm::StringRef target);

/// Runs a kernel to its end, or to a finding that it cannot go on after.
/// `parameters` has the bytes of each parameter, in order. Fails where the
/// launch is not one that the kernel or a GPU allows.
llvm::Expected<LaunchResult>
launch(const Program &program, llvm::StringRef kernel, const LaunchShape &shape,
       llvm::ArrayRef<llvm::ArrayRef<char>> parameters, DeviceMemory &memory,
       const LaunchOptions &options = {});

} // namespace mlir::deltanet::ptx

#endif // DELTANET_EMULATION_PTX_LAUNCH_H
