//===- ResultCheck.h - A run against what it should have given --*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_RESULTCHECK_H
#define DELTANET_VERIFICATION_RESULTCHECK_H

#include "deltanet/Verification/Comparison.h"
#include "deltanet/Verification/ProblemRunner.h"

namespace mlir::deltanet::verification {

/// Results to compare with; a tensor without elements is not compared.
struct ExpectedResult {
  std::string name; ///< e.g. "reference"
  llvm::ArrayRef<double> o, finalState, states;
};

/// Sequences that ran with the same algorithm, and so share their limits.
struct AlgorithmGroup {
  Algorithm algorithm = Algorithm::Recurrent;
  std::vector<int64_t> sequences;
  std::vector<std::string> schedules; ///< texts of those that ran
};

/// Groups the sequences of a problem by the algorithm that serves their length,
/// or the pieces of at most `tokensPerCall` tokens (0: whole sequences). A
/// sequence whose pieces differ belongs to the algorithm with wider limits.
/// `forced` replaces what the schedules say. Fails for a length that no
/// schedule serves.
llvm::Expected<std::vector<AlgorithmGroup>>
groupByAlgorithm(const RunnerTraits &traits, const Problem &problem,
                 int64_t tokensPerCall, std::optional<Algorithm> forced);

/// Compares every tensor that both sides have, group by group.
/// NearZero::Compare is for inputs of which nothing says that their results are
/// worth comparing.
std::vector<Comparison> compareResult(const Problem &problem,
                                      llvm::ArrayRef<AlgorithmGroup> groups,
                                      const RunResult &result,
                                      const ExpectedResult &expected,
                                      NearZero nearZero = NearZero::Void);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_RESULTCHECK_H
