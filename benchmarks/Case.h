//===- Case.h - One kernel, one shape, one number of threads ----*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_CASE_H
#define DELTANET_BENCHMARKS_CASE_H

#include "Interleave.h"
#include "deltanet/Verification/KernelLibrary.h"
#include <string>
#include <utility>
#include <vector>

namespace mlir::deltanet::bench {

enum class Phase {
  Prefill, ///< one sequence of many tokens
  Decode   ///< many sequences of one token, states updated in place
};

struct Case {
  const dn_kernel *kernel;
  verification::RunnerTraits traits;
  std::string reason; ///< why this variant
  Phase phase;
  int64_t tokens; ///< of a sequence
  int64_t sequences;
  int threads;

  /// E.g. "prefill/gdn_16x32_bf16_kv/T:2048/threads:1".
  std::string name() const;
  /// All schedules of the kernel are chunked: somebody asked for it.
  bool isForcedChunked() const;
  int64_t stateBytes() const {
    const verification::RuleFacts &facts = traits.facts;
    return sequences * facts.hv * facts.k * facts.v * int64_t(sizeof(float));
  }
};

/// The cases of one kernel: T ∈ {64, 512, 2048, 4096} on one and two threads,
/// and decode with 0.5, 2, 16 and 64 MB of states. Fewer if the kernel or the
/// machine cannot, none if the baselines do not compute what the kernel does.
std::vector<Case> casesOf(const verification::ChosenVariant &variant,
                          const verification::RunnerTraits &traits);

/// What is measured. Ratios are greater when the kernel is faster.
namespace measure {
inline constexpr char kTime[] = "us_per_token_head";
inline constexpr char kBandwidth[] = "state_gb_per_s";
inline constexpr char kAgainstTokenLoop[] = "vs_token_loop";
inline constexpr char kShareOfFma[] = "share_of_fma_loop";
inline constexpr char kTokenLoopShareOfFma[] = "token_loop_share_of_fma_loop";
inline constexpr char kFma[] = "fma_loop_gflops";
inline constexpr char kShareOfStream[] = "share_of_state_stream";
inline constexpr char kStream[] = "state_stream_gb_per_s";
} // namespace measure

struct Result {
  Case which;
  std::string error;  ///< empty if the case was measured
  double seconds = 0; ///< of a call of the kernel, median
  int64_t rounds = 0;
  std::vector<std::pair<std::string, Quartiles>> measures;

  const Quartiles *find(llvm::StringRef measure) const;
};

/// Runs a case: checks the kernel's results against those of the token loop,
/// then measures. The result has an error if they differ or the kernel cannot
/// be called.
Result runCase(const Case &which, uint64_t seed, const Pacing &pacing);

} // namespace mlir::deltanet::bench

#endif // DELTANET_BENCHMARKS_CASE_H
