//===- Comparison.h - Measuring one tensor against its reference *- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_COMPARISON_H
#define DELTANET_VERIFICATION_COMPARISON_H

#include "deltanet-c/kernel_abi.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace mlir::deltanet::verification {

enum class Verdict {
  Pass,
  Fail,
  Void ///< the reference is too small for its error to mean anything
};

/// "pass", "FAIL", "VOID".
llvm::StringRef verdictName(Verdict verdict);

/// References with an RMS below this, but not exactly zero, make a comparison
/// void.
constexpr double voidRms = 1e-9;

/// What to do with a reference whose RMS is below voidRms.
enum class NearZero {
  Void,   ///< nothing can be learned from it, as if nothing had been computed
  Compare ///< it is what the inputs give
};

/// How far a tensor may be from its reference.
struct Tolerance {
  Tolerance(double limit) : limit(limit) {}

  double limit; ///< of RMS(error) / RMS(reference)
  /// Of the error of one element, beyond one rounding to `type`, over the RMS
  /// of its row or of its head.
  double element = std::numeric_limits<double>::infinity();
  dn_type type = DN_TYPE_F32; ///< to which the tensor was rounded at last
  NearZero nearZero = NearZero::Void;
};

struct Comparison {
  std::string tensor;  ///< e.g. "o"
  std::string against; ///< e.g. "reference"
  std::vector<int64_t> shape;
  Verdict verdict = Verdict::Fail;
  std::string reason; ///< why not, or how it passed; empty when it just did

  double error = 0; ///< RMS(got - expected) / RMS(expected), or NaN
  double limit = 0;
  double referenceRms = 0;

  /// The element with the largest absolute error; the first that is not finite
  /// if there is one, or the one furthest above Tolerance::element. No meaning
  /// without elements.
  std::vector<int64_t> worstIndex;
  double worstGot = 0, worstExpected = 0;
};

/// Compares `got` with `expected`, both of `shape` in C order.
/// - An element that is not finite fails; a reference that is not finite is
///   void.
/// - A reference of exact zeros requires exact zeros (of either sign).
/// - A reference whose RMS is below voidRms is void or compared like any other,
///   as the tolerance says. Errors up to flushedError count as none then.
/// - An element above Tolerance::element fails. Rows are what a head has at one
///   outer position: dimension 1 counts heads, those after it are the row. A
///   tensor of fewer dimensions is one row.
/// - Tensors without elements pass.
Comparison compareTensor(llvm::StringRef tensor, llvm::StringRef against,
                         llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<float> got,
                         llvm::ArrayRef<double> expected,
                         const Tolerance &tolerance);

/// Position of a flat index in `shape`.
std::vector<int64_t> unflatten(int64_t index, llvm::ArrayRef<int64_t> shape);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_COMPARISON_H
