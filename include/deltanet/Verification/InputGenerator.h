//===- InputGenerator.h - Reproducible inputs -------------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// The same seed and shape give the same bits on every machine and compiler:
// values are made by integer hashing and correctly rounded arithmetic, without
// the C library's functions or random distributions. A tensor's element depends
// on the seed, the tensor and its index only.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_INPUTGENERATOR_H
#define DELTANET_VERIFICATION_INPUTGENERATOR_H

#include "deltanet/Verification/Problem.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir::deltanet::verification {

/// Log decays g.
enum class Gates {
  Realistic, ///< each head has a rate in (0,16); from about -1e-4 to below -20
  Weak,      ///< [-3e-3, -1e-5]
  Strong,    ///< -20 everywhere
  Mixed,     ///< -20 or 0
  Reset,     ///< weak, every 16th or so token -20, -60 or -200
  Huge,      ///< [-1e5, -1e3]
  Zero,      ///< 0 everywhere
  NegInf     ///< weak, every 8th or so token -inf
};

/// Step sizes beta.
enum class Betas {
  Uniform, ///< between 0 and 1
  Zero,    ///< 0 everywhere
  One,     ///< 1 everywhere
  Two      ///< between 0 and 2: negative eigenvalues
};

/// Directions of k (and, for Zero, of q).
enum class Keys {
  Normal,     ///< independent
  Correlated, ///< one base for each head + 1 % noise
  Zero        ///< every 7th q and k is the zero vector
};

struct GeneratorOptions {
  uint64_t seed = 0;
  Gates gates = Gates::Realistic;
  Betas betas = Betas::Uniform;
  Keys keys = Keys::Normal;
  bool initialState = true;
};

/// A problem of `lengths` sequences one after the other. v and the initial
/// state are about standard normal. q and k have unit length; where the rule
/// normalises them inside, lengths spread over four decades and some rows are
/// zero. Everything is rounded to facts.ioType. Fails as checkedElements does.
llvm::Expected<Problem> generateProblem(const RuleFacts &facts,
                                        llvm::ArrayRef<int64_t> lengths,
                                        const GeneratorOptions &options);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_INPUTGENERATOR_H
