//===- StoredResult.h - What a simulator computed, in a file ----*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_GPU_STOREDRESULT_H
#define DELTANET_BENCHMARKS_GPU_STOREDRESULT_H

#include "deltanet/Verification/ResultCheck.h"

namespace mlir::deltanet::gpubench {

/// The results of one problem, and who computed them. Stored as
/// docs/recorded.md says, without the inputs.
struct StoredResult {
  std::string device;  ///< "simulated sm_80 (8.0)"
  std::string variant; ///< "sm_80"
  verification::Algorithm algorithm = verification::Algorithm::Recurrent;
  std::vector<float> o, finalState;
};

llvm::Error write(llvm::StringRef path, const verification::Problem &problem,
                  const StoredResult &stored);

llvm::Expected<StoredResult> read(llvm::StringRef path,
                                  const verification::Problem &problem);

/// Compares two runs of a problem, neither of them exact: they may differ by
/// the sum of what each may be off by.
std::vector<verification::Comparison> compareWithStored(
    const verification::Problem &problem, const verification::RunResult &result,
    verification::Algorithm algorithm, const StoredResult &stored);

} // namespace mlir::deltanet::gpubench

#endif // DELTANET_BENCHMARKS_GPU_STOREDRESULT_H
