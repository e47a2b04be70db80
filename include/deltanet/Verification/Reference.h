//===- Reference.h - The token recurrence in float64 ------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// For each sequence and value head, with the state S in [K,V], for each token:
//
//   S <- exp(g) S             (delta rule: no decay)
//   d  = beta (v - S^T k)     reads the decayed state
//   S <- S + k d^T
//   o  = scale S^T q          reads the updated state
//
// with q, k replaced by x / sqrt(sum x^2 + eps) where the rule normalises them.
// exp(-inf) is exactly 0. Every output is compared with this.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_REFERENCE_H
#define DELTANET_VERIFICATION_REFERENCE_H

#include "deltanet/Verification/Problem.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::deltanet::verification {

struct ReferenceOptions {
  bool keepStates = false; ///< also return the state after each token
  /// Compute in float32, in the plain order: what that precision costs at
  /// least.
  bool float32 = false;
  unsigned threads = 1;
};

struct ReferenceResult {
  std::vector<double> o;          ///< [T,HV,V]; 0 for tokens of no sequence
  std::vector<double> finalState; ///< [N,HV,K,V]
  std::vector<double> states;     ///< [T,HV,K,V] if kept, else empty
};

/// Called now and then with finished and total (sequence, value head) pairs,
/// from one thread at a time.
using ProgressFn = llvm::function_ref<void(int64_t done, int64_t total)>;

/// Computes a problem that validate() accepts. The bits of the result do not
/// depend on the number of threads.
ReferenceResult computeReference(const Problem &problem,
                                 const ReferenceOptions &options = {},
                                 ProgressFn progress = nullptr);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_REFERENCE_H
