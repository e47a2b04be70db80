//===- Interleave.h - Measuring several things in turn ----------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// Other processes and the clock of the CPU disturb a measurement for seconds
// at a time. So what is to be compared runs in turn, in short samples, and
// every ratio is taken between samples of one round.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_INTERLEAVE_H
#define DELTANET_BENCHMARKS_INTERLEAVE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <vector>

namespace mlir::deltanet::bench {

/// Where the time of a sample comes from.
enum class Clock {
  ThreadCpu, ///< CPU time of the calling thread: others may use the machine
  Wall
};

/// Something that is measured.
struct Contestant {
  std::function<void()> call;
  std::vector<double> seconds; ///< of one call, a value for each round
};

struct Pacing {
  Clock clock = Clock::ThreadCpu;
  double secondsPerCase = 3;      ///< aimed at, all contestants together
  double secondsPerSample = 2e-3; ///< at least; short calls are repeated
  int minRounds = 7, maxRounds = 101;
};

/// Fills in the seconds of all contestants. A round takes one sample of each,
/// beginning with another one every time. Contestants whose call is shorter
/// than a sample run once untimed before it, so that what fits in a cache is
/// there.
void interleave(llvm::MutableArrayRef<Contestant> contestants,
                const Pacing &pacing);

struct Quartiles {
  double lower = 0, median = 0, upper = 0;
};

/// Linear between neighbours. `values` has at least one element.
Quartiles quartiles(std::vector<double> values);

/// Quartiles of map(seconds of one call).
Quartiles quartilesOf(const Contestant &contestant,
                      llvm::function_ref<double(double)> map);

/// Quartiles of numerator / denominator, round by round.
Quartiles ratioOf(const Contestant &numerator, const Contestant &denominator);

} // namespace mlir::deltanet::bench

#endif // DELTANET_BENCHMARKS_INTERLEAVE_H
