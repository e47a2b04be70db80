//===- FloatEncoding.h - Any number rounded to any format -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_FLOATENCODING_H
#define DELTANET_LIB_EMULATION_PTX_FLOATENCODING_H

#include "RoundedOperation.h"
#include <algorithm>

namespace mlir::deltanet::ptx {

struct FloatFormat {
  int exponentBits, fractionBits;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  uint64_t sign() const { return uint64_t(1) << (exponentBits + fractionBits); }
  uint64_t infinity() const {
    return ((uint64_t(1) << exponentBits) - 1) << fractionBits;
  }
  uint64_t notANumber() const { return sign() - 1; }
};

/// Whether what is cut off below the last bit makes it one more: `rest` of
/// 2^shift, which is not zero.
inline bool roundsUp(Rounding rounding, bool isNegative, bool isOdd,
                     uint64_t rest, int shift) {
  switch (rounding) {
  case Rounding::Zero:
    return false;
  case Rounding::Down:
    return isNegative;
  case Rounding::Up:
    return !isNegative;
  default:
    break;
  }
  if (shift > 64)
    return false;
  uint64_t half = uint64_t(1) << (shift - 1);
  return rest > half || (rest == half && (isOdd || rounding == Rounding::Away));
}

/// The bits of significand * 2^exponent in a format.
inline uint64_t encode(const FloatFormat &format, Rounding rounding,
                       bool isNegative, uint64_t significand, int exponent) {
  const uint64_t sign = isNegative ? format.sign() : 0;
  if (significand == 0)
    return sign;
  int leading = exponent + 63 - __builtin_clzll(significand);
  int last = std::max(leading, 1 - format.bias()) - format.fractionBits;
  int shift = last - exponent;
  uint64_t kept = 0;
  if (shift <= 0) {
    kept = significand << -shift;
  } else {
    kept = shift < 64 ? significand >> shift : 0;
    uint64_t rest = shift < 64 ? significand - (kept << shift) : significand;
    if (rest != 0)
      kept += roundsUp(rounding, isNegative, kept & 1, rest, shift);
  }
  // The leading bit of a normal number adds one to the exponent.
  uint64_t below = last + format.fractionBits + format.bias() - 1;
  uint64_t bits = (below << format.fractionBits) + kept;
  if (bits >= format.infinity()) {
    bool isFinite = rounding == Rounding::Zero ||
                    rounding == (isNegative ? Rounding::Up : Rounding::Down);
    bits = format.infinity() - isFinite;
  }
  return sign | bits;
}

/// The bits of a number that a double holds.
inline uint64_t encode(const FloatFormat &format, Rounding rounding,
                       double value) {
  uint64_t bits = bitCast<uint64_t>(value);
  bool isNegative = bits >> 63;
  uint64_t fraction = bits & 0x000FFFFFFFFFFFFF;
  int exponent = bits >> 52 & 0x7FF;
  if (exponent == 0x7FF)
    return fraction ? format.notANumber()
                    : format.infinity() | (isNegative ? format.sign() : 0);
  if (exponent == 0)
    return encode(format, rounding, isNegative, fraction, -1074);
  return encode(format, rounding, isNegative, fraction | uint64_t(1) << 52,
                exponent - 1075);
}

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_FLOATENCODING_H
