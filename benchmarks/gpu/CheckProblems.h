//===- CheckProblems.h - Problems that kernels are checked by ---*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_GPU_CHECKPROBLEMS_H
#define DELTANET_BENCHMARKS_GPU_CHECKPROBLEMS_H

#include "Options.h"
#include "deltanet/Verification/InputGenerator.h"
#include "deltanet/Verification/MemoryLayout.h"
#include "deltanet/Verification/ProblemRunner.h"

namespace mlir::deltanet::gpubench {

struct CheckProblem {
  const char *name;
  std::vector<int64_t> lengths;
  verification::GeneratorOptions inputs;
  verification::MemoryLayout layout;
  bool isStored = false; ///< there may be stored results of it
};

/// The problem of which results are stored: small, as a simulator made them.
CheckProblem storedProblem(const verification::RunnerTraits &traits);

/// All problems for a kernel; what it cannot have (a state, several sequences)
/// is left out of them. First that one, if there are stored results to compare
/// with.
std::vector<CheckProblem>
checkProblems(const verification::RunnerTraits &traits, const Options &options);

} // namespace mlir::deltanet::gpubench

#endif // DELTANET_BENCHMARKS_GPU_CHECKPROBLEMS_H
