//===- Limits.cpp - How far from the reference is still right -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/Limits.h"
#include "deltanet/Verification/ElementTypes.h"
#include <algorithm>
#include <cmath>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

llvm::StringRef verification::algorithmName(Algorithm algorithm) {
  switch (algorithm) {
  case Algorithm::Recurrent:
    return "recurrent";
  case Algorithm::Chunked:
    return "chunked";
  case Algorithm::ChunkedMatrix:
    return "chunked-matrix";
  }
  return "unknown";
}

std::optional<Algorithm> verification::parseAlgorithm(llvm::StringRef name) {
  for (Algorithm algorithm :
       {Algorithm::Recurrent, Algorithm::Chunked, Algorithm::ChunkedMatrix})
    if (algorithmName(algorithm) == name)
      return algorithm;
  return std::nullopt;
}

ErrorLimits verification::errorLimits(Algorithm algorithm, dn_type ioType,
                                      bool correlatedKeys) {
  double exact = algorithm == Algorithm::Recurrent ? 1e-6 : 1e-5;
  if (ioType != DN_TYPE_BF16 && ioType != DN_TYPE_F16)
    return {exact, exact, exact};
  if (algorithm == Algorithm::ChunkedMatrix) {
    if (correlatedKeys)
      return {0.01, 0.01, 0.01};
    double output = ioType == DN_TYPE_BF16 ? 0.0040 : 0.0020;
    return {output, 0.0040, output};
  }
  // Rounding o once is nearly all that 16-bit types may cost here.
  return {ioType == DN_TYPE_BF16 ? 0.0020 : 5e-4, exact, exact};
}

double verification::roundingError(dn_type type, double exact) {
  switch (type) {
  case DN_TYPE_BF16:
    return 0x1p-8 * std::fabs(exact);
  case DN_TYPE_F16:
    // Half of the distance between two denormals.
    return std::max(0x1p-11 * std::fabs(exact), 0x1p-25);
  default:
    return 0;
  }
}

double verification::roundingAllowance(dn_type type,
                                       llvm::ArrayRef<double> reference) {
  if (type != DN_TYPE_BF16 && type != DN_TYPE_F16)
    return 0;
  double error2 = 0, reference2 = 0;
  for (double x : reference) {
    double rounded = roundTo(type, float(x));
    if (std::isfinite(rounded))
      error2 += (rounded - x) * (rounded - x);
    reference2 += x * x;
  }
  return reference2 == 0 ? 0 : 1.02 * std::sqrt(error2 / reference2);
}
