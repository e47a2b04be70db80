//===- RecordedProblem.h - Problems stored with their results ---*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// The .npz layout that docs/recorded.md describes.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_RECORDEDPROBLEM_H
#define DELTANET_VERIFICATION_RECORDEDPROBLEM_H

#include "deltanet/Verification/Npz.h"
#include "deltanet/Verification/Problem.h"

namespace mlir::deltanet::verification {

struct RecordedProblem {
  Problem problem;
  /// Expected results; empty where the file has none.
  std::vector<double> o;          ///< [T,HV,V]
  std::vector<double> finalState; ///< [N,HV,K,V]
  std::vector<double> states;     ///< [T,HV,K,V] after each token
  bool packed = false;            ///< the file has cu_seqlens
};

/// Interprets an archive. `where` starts every error, which names the array
/// and what was expected of it. The problem passes validate().
llvm::Expected<RecordedProblem> readRecordedProblem(const NpzArchive &archive,
                                                    llvm::StringRef where);

/// What a run computed, in the same layout. o has ioType (bf16 as o_bf16),
/// states are f32; empty tensors are left out.
NpzArchive writeResults(const Problem &problem, llvm::ArrayRef<float> o,
                        llvm::ArrayRef<float> finalState,
                        llvm::ArrayRef<float> states);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_RECORDEDPROBLEM_H
