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
  double output;   ///< o
  double state;    ///< final state and states after each token
  double computed; ///< o before it is rounded to its type
};

/// |                  | f32          | bf16           | f16            |
/// | recurrent        | 1e-6,  1e-6  | 0.0020, 1e-6   | 5e-4,   1e-6   |
/// | chunked          | 1e-5,  1e-5  | 0.0020, 1e-5   | 5e-4,   1e-5   |
/// | chunked-matrix   | 1e-5,  1e-5  | 0.0040, 0.0040 | 0.0020, 0.0040 |
/// With correlated keys, 16-bit types on a matrix unit get 0.01 for both.
ErrorLimits errorLimits(Algorithm algorithm, dn_type ioType,
                        bool correlatedKeys);

/// How many times the RMS limit the error of a single element may be, over the
/// RMS of what its head has at one token or that of the whole head, whichever
/// is larger. A row of o that is tiny only because its terms cancel has the
/// error of the terms, so its own RMS alone is no measure: over that, honest
/// kernels have been seen at 1400 times the limit, over the larger one at 8.
constexpr double elementFactor = 64;

/// Errors that say nothing: kernels flush numbers below 2^-126 to zero, and a
/// result is the sum of up to 256 products with them.
constexpr double flushedError = 0x1p-114;

/// The most that rounding a value next to `exact` once to `type` may cost; 0
/// for f32.
double roundingError(dn_type type, double exact);

/// What rounding alone may cost an output of `type` with these exact values,
/// with 2 % more for values half way between two. Of many values this is below
/// errorLimits; but an output of few, which may all lie just above powers of
/// two, can miss those although no program could be closer. Values that `type`
/// cannot hold add nothing. 0 for f32 and for a reference of zeros.
double roundingAllowance(dn_type type, llvm::ArrayRef<double> reference);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_LIMITS_H
