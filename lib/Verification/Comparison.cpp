//===- Comparison.cpp - Measuring one tensor against its reference --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/Comparison.h"
#include "deltanet/Verification/Limits.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

llvm::StringRef verification::verdictName(Verdict verdict) {
  switch (verdict) {
  case Verdict::Pass:
    return "pass";
  case Verdict::Fail:
    return "FAIL";
  case Verdict::Void:
    return "VOID";
  }
  return "unknown";
}

std::vector<int64_t> verification::unflatten(int64_t index,
                                             llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> position(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    position[i] = index % shape[i];
    index /= shape[i];
  }
  return position;
}

namespace {
/// One pass over both tensors.
struct Sums {
  double error2 = 0, expected2 = 0; ///< sums of squares
  double unflushed2 = 0;            ///< of errors above flushedError
  int64_t notFinite = 0, referenceNotFinite = 0, firstNotFinite = 0;
  int64_t worst = 0; ///< flat index
  double worstError = -1;
  bool expectedZero = true, gotZero = true;

  Sums(llvm::ArrayRef<float> got, llvm::ArrayRef<double> expected) {
    for (size_t i = 0; i < expected.size(); ++i) {
      expectedZero &= expected[i] == 0;
      gotZero &= got[i] == 0;
      if (!std::isfinite(expected[i])) {
        ++referenceNotFinite;
        continue;
      }
      expected2 += expected[i] * expected[i];
      if (!std::isfinite(got[i])) {
        if (notFinite++ == 0)
          firstNotFinite = int64_t(i);
        continue;
      }
      double error = std::fabs(got[i] - expected[i]);
      error2 += error * error;
      unflushed2 += error > flushedError ? error * error : 0;
      if (error > worstError) {
        worstError = error;
        worst = int64_t(i);
      }
    }
  }
};

/// The element furthest above what Tolerance::element allows.
struct WorstElement {
  int64_t index = 0; ///< flat
  double excess = 1; ///< error over what is allowed, if that is more
  double allowed = 0;

  WorstElement(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<float> got,
               llvm::ArrayRef<double> expected, const Tolerance &tolerance) {
    int64_t heads = shape.size() > 2 ? shape[1] : 1;
    int64_t rows = shape.size() > 2 ? shape[0] * heads : 1;
    int64_t row = int64_t(expected.size()) / rows;
    std::vector<double> ofRow(rows), ofHead(heads);
    for (size_t i = 0; i < expected.size(); ++i)
      ofRow[i / row] += expected[i] * expected[i];
    for (int64_t r = 0; r < rows; ++r)
      ofHead[r % heads] += ofRow[r] * heads / rows;
    for (size_t i = 0; i < expected.size(); ++i) {
      int64_t r = int64_t(i) / row;
      double rms = std::sqrt(std::max(ofRow[r], ofHead[r % heads]) / row);
      double error = std::fabs(got[i] - expected[i]);
      double bound = tolerance.element * rms +
                     roundingError(tolerance.type, expected[i]) + flushedError;
      if (error > excess * bound) {
        index = int64_t(i);
        excess = error / bound;
        allowed = bound;
      }
    }
  }
};
} // namespace

Comparison verification::compareTensor(llvm::StringRef tensor,
                                       llvm::StringRef against,
                                       llvm::ArrayRef<int64_t> shape,
                                       llvm::ArrayRef<float> got,
                                       llvm::ArrayRef<double> expected,
                                       const Tolerance &tolerance) {
  Comparison result;
  result.tensor = tensor.str();
  result.against = against.str();
  result.shape = shape.vec();
  result.limit = tolerance.limit;
  auto finish = [&](Verdict verdict, std::string reason = "") {
    result.verdict = verdict;
    result.reason = std::move(reason);
    return result;
  };
  if (got.size() != expected.size())
    return finish(Verdict::Fail, llvm::formatv("expected {0} elements, got {1}",
                                               expected.size(), got.size()));
  if (expected.empty())
    return finish(Verdict::Pass);

  Sums sums(got, expected);
  int64_t at = sums.notFinite ? sums.firstNotFinite : sums.worst;
  result.worstIndex = unflatten(at, shape);
  result.worstGot = got[at];
  result.worstExpected = expected[at];
  result.referenceRms = std::sqrt(sums.expected2 / double(expected.size()));
  result.error = std::numeric_limits<double>::quiet_NaN();

  if (sums.referenceNotFinite)
    return finish(Verdict::Void, llvm::formatv("{0} reference values are not "
                                               "finite",
                                               sums.referenceNotFinite));
  if (sums.notFinite)
    return finish(Verdict::Fail, llvm::formatv("{0} of {1} values are not "
                                               "finite",
                                               sums.notFinite, got.size()));
  if (sums.expectedZero) {
    result.error = sums.gotZero ? 0.0 : result.error;
    return finish(sums.gotZero ? Verdict::Pass : Verdict::Fail,
                  "the reference is exactly zero");
  }
  double error2 = sums.error2;
  std::string how;
  if (result.referenceRms < voidRms) {
    how = llvm::formatv("reference RMS {0:e1} is ", result.referenceRms);
    if (tolerance.nearZero == NearZero::Void)
      return finish(Verdict::Void, how + "too small to compare with");
    how += "nearly zero";
    error2 = sums.unflushed2;
  }
  result.error = error2 == 0 ? 0 : std::sqrt(error2 / sums.expected2);
  if (!(result.error <= tolerance.limit))
    return finish(Verdict::Fail, "above the limit");
  if (std::isfinite(tolerance.element)) {
    WorstElement worst(shape, got, expected, tolerance);
    if (worst.excess > 1) {
      result.worstIndex = unflatten(worst.index, shape);
      result.worstGot = got[worst.index];
      result.worstExpected = expected[worst.index];
      return finish(Verdict::Fail,
                    llvm::formatv("an element is off by {0:e1}, its limit is "
                                  "{1:e1}",
                                  worst.excess * worst.allowed, worst.allowed));
    }
  }
  return finish(Verdict::Pass, how);
}
