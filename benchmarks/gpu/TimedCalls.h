//===- TimedCalls.h - The calls that are timed ------------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_GPU_TIMEDCALLS_H
#define DELTANET_BENCHMARKS_GPU_TIMEDCALLS_H

#include "Options.h"
#include "deltanet/Verification/ProblemRunner.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir::deltanet::gpubench {

struct TimedCall {
  int64_t sequences, tokens; ///< tokens of each sequence

  /// One token a sequence, which updates its state in place.
  bool isDecode() const { return tokens == 1; }
  /// "decode 64x1", "prefill 4x8192".
  std::string name() const;
};

/// Quick ones and those that matter most come first.
llvm::ArrayRef<TimedCall> timedCalls(Cases cases);

/// Milliseconds on an H200, as published with FlashQLA
/// (benchmark/benchmark_results_H200.txt): graphs, K = V = 128, bf16.
struct PublishedTimes {
  int64_t h, hv;
  TimedCall call;
  double flashQla, flashInfer, fla; ///< FlashInfer 0.6.13, FLA 0.5.1
};

/// Null where there are none for such a rule and call.
const PublishedTimes *publishedTimes(const verification::RunnerTraits &traits,
                                     const TimedCall &call);

} // namespace mlir::deltanet::gpubench

#endif // DELTANET_BENCHMARKS_GPU_TIMEDCALLS_H
