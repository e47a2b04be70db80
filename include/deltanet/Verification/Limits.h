//===- Limits.h - How far from the reference is still right -----*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_LIMITS_H
#define DELTANET_VERIFICATION_LIMITS_H

#include "deltanet-c/kernel_abi.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mlir::deltanet::verification {

/// How a kernel computes, as far as rounding goes.
enum class Algorithm {
  Recurrent,    ///< token by token in f32
  Chunked,      ///< matrix form, f32 arithmetic
  ChunkedMatrix ///< matrix form on a unit that multiplies 16-bit operands
};

/// "recurrent", "chunked", "chunked-matrix", and back.
llvm::StringRef algorithmName(Algorithm algorithm);
std::optional<Algorithm> parseAlgorithm(llvm::StringRef name);

/// Limits of RMS(error) / RMS(reference).
struct ErrorLimits {
  double output; ///< o
  double state;  ///< final state and states after each token
};

/// |                  | f32          | bf16           | f16            |
/// | recurrent        | 1e-6,  1e-6  | 0.0020, 1e-6   | 5e-4,   1e-6   |
/// | chunked          | 1e-5,  1e-5  | 0.0020, 1e-5   | 5e-4,   1e-5   |
/// | chunked-matrix   | 1e-5,  1e-5  | 0.0040, 0.0040 | 0.0020, 0.0040 |
/// With correlated keys, 16-bit types on a matrix unit get 0.01 for both.
ErrorLimits errorLimits(Algorithm algorithm, dn_type ioType,
                        bool correlatedKeys);

/// What rounding alone may cost an output of `type` with these exact values,
/// with 2 % more for values half way between two. Of many values this is below
/// errorLimits; but an output of few, which may all lie just above powers of
/// two, can miss those although no program could be closer. 0 for f32 and for a
/// reference of zeros.
double roundingAllowance(dn_type type, llvm::ArrayRef<double> reference);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_LIMITS_H
