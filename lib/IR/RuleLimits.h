//===- RuleLimits.h - The sizes and types that a rule may have ------------===//
//
// Part of the Delta-Net project.
//
// C3, C4 and C11 of docs/spec.md, for the operation and for the attribute that
// repeats its facts.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_IR_RULELIMITS_H
#define DELTANET_LIB_IR_RULELIMITS_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"

namespace mlir::deltanet {

// Far above any model, and low enough that no number of bytes overflows.
inline constexpr int64_t kMaxHeads = 1024;
inline constexpr int64_t kMaxTokens = int64_t(1) << 40;

inline bool isHeadCount(int64_t size) { return size >= 1 && size <= kMaxHeads; }

/// A legal static T; a dynamic one may be 0.
inline bool isTokenCount(int64_t size) {
  return size >= 1 && size <= kMaxTokens;
}

/// A legal K or V.
inline bool isChannelCount(int64_t size) {
  return size >= 16 && size <= 256 && size % 16 == 0;
}

/// A legal l2norm_eps.
inline bool isEps(const APFloat &eps) {
  return eps.isFinite() && (!eps.isNegative() || eps.isZero());
}

/// A legal type of q, k, v and o.
inline bool isIoType(Type type) {
  return type.isF32() || type.isBF16() || type.isF16();
}

} // namespace mlir::deltanet

#endif // DELTANET_LIB_IR_RULELIMITS_H
