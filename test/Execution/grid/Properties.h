//===- Properties.h - What must hold bit for bit ----------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// Properties of a kernel that need no reference. Each function reports what is
// wrong as a failure of the running test.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_EXECUTION_PROPERTIES_H
#define DELTANET_TEST_EXECUTION_PROPERTIES_H

#include "Runs.h"

namespace mlir::deltanet::execution {

/// A second run and any number of threads give the same bits.
void expectSameBitsAlways(const Variant &variant,
                          const verification::Problem &problem,
                          llvm::ArrayRef<int> threads);

/// Other values from token `token` on change no bit of the outputs before it.
/// The problem has one sequence.
void expectPastUnchanged(const Variant &variant,
                         const verification::Problem &problem, int64_t token,
                         uint64_t otherSeed);

/// The same, whatever order the warps of a GPU take turns in.
void expectSameBitsInAnyOrder(const Variant &variant,
                              const verification::Problem &problem);

/// A NaN at token `token` of the first sequence, in each input of one head,
/// changes no bit of other sequences, nor of value heads that have nothing to
/// do with that head, nor of outputs before its chunk.
void expectNaNStays(const Variant &variant,
                    const verification::Problem &problem, int64_t token);

/// Two calls, cut between chunks of `chunk` tokens, give the bits of one call.
/// For kernels whose only schedule has such chunks, and both states.
void expectSameBitsResumed(const Variant &variant,
                           const verification::Problem &problem, int64_t chunk);

/// Each sequence gives the bits of its solo run.
void expectSequencesIsolated(const Variant &variant,
                             const verification::Problem &problem);

/// Two calls, cut at `token`, give what one call gives: to 1e-6 in f32 where
/// the recurrence runs token by token, else within the error limits. The
/// problem has one sequence, the kernel both states.
void expectResumes(const Variant &variant, const verification::Problem &problem,
                   int64_t token);

/// Two results agree within the sum of their limits.
void expectAgree(const Variant &variant, const verification::RunResult &result,
                 const Variant &other,
                 const verification::RunResult &otherResult,
                 const verification::Problem &problem);

} // namespace mlir::deltanet::execution

#endif // DELTANET_TEST_EXECUTION_PROPERTIES_H
