//===- RoundingOracle.h - What a number rounds to, by search ----*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// Numbers of a format are in the order of their bits, so the neighbours of an
// exact value are found by bisection. Nothing of the simulator is used.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_UNITTESTS_PTX_ROUNDINGORACLE_H
#define DELTANET_TEST_UNITTESTS_PTX_ROUNDINGORACLE_H

#include "InstructionCheck.h"

namespace mlir::deltanet::ptx::test {

using Quad = __float128;

enum class Mode { Nearest, Zero, Down, Up, Away };

/// value + a rest that is smaller than any step of it, of a sign.
struct Exact {
  Quad value;
  int rest = 0;

  bool isNegative() const { return value < 0 || (value == 0 && rest < 0); }
  Exact magnitude() const {
    return isNegative() ? Exact{-value, -rest} : *this;
  }
  /// -1, 0 or 1: less than, equal to or greater than another number.
  int compare(Quad other) const {
    return value < other ? -1 : value > other ? 1 : rest;
  }
};

inline Exact exactSum(Quad a, Quad b) {
  Quad sum = a + b, fromB = sum - a;
  Quad rest = (a - (sum - fromB)) + (b - fromB);
  return {sum, rest > 0 ? 1 : rest < 0 ? -1 : 0};
}

/// The number that bits without a sign stand for. Those of infinity stand for
/// what would come after the largest number.
inline Quad decode(unsigned exponentBits, unsigned fraction, uint64_t bits) {
  int exponent = int(bits >> fraction);
  uint64_t significand = bits & ((uint64_t(1) << fraction) - 1);
  if (exponent)
    significand |= uint64_t(1) << fraction;
  int power =
      std::max(exponent, 1) - (1 << (exponentBits - 1)) + 1 - int(fraction);
  return Quad(significand) * std::ldexp(1.0, power);
}

/// The bits of a finite exact value in a format. A zero is positive, unless it
/// is what a negative value rounds to.
inline uint64_t roundTo(unsigned exponentBits, unsigned fraction, Mode mode,
                        const Exact &exact) {
  const uint64_t infinity = ((uint64_t(1) << exponentBits) - 1) << fraction;
  const bool isNegative = exact.isNegative();
  const Exact magnitude = exact.magnitude();
  uint64_t below = 0, above = infinity;
  while (above - below > 1) {
    uint64_t middle = (below + above) / 2;
    (magnitude.compare(decode(exponentBits, fraction, middle)) < 0 ? above
                                                                   : below) =
        middle;
  }
  const Quad lower = decode(exponentBits, fraction, below);
  const Quad upper = decode(exponentBits, fraction, above);
  bool up = false;
  if (magnitude.compare(lower) != 0) {
    int half = magnitude.compare((lower + upper) / 2);
    up = mode == Mode::Up     ? !isNegative
         : mode == Mode::Down ? isNegative
         : mode == Mode::Zero ? false
         : half != 0          ? half > 0
         : mode == Mode::Away ? true
                              : below % 2 != 0;
  }
  uint64_t sign = uint64_t(isNegative) << (exponentBits + fraction);
  return sign | (up ? above : below);
}

template <typename T> constexpr unsigned exponentBits() {
  return 8 * sizeof(T) - 1 - fractionBits<T>();
}
template <typename T> T roundTo(Mode mode, const Exact &exact) {
  return valueOfBits<T>(
      roundTo(exponentBits<T>(), fractionBits<T>(), mode, exact));
}

/// A value as a double: exact, also infinite or NaN.
inline double asDouble(float value) { return value; }
inline double asDouble(double value) { return value; }
template <typename T> double asDouble(T value) {
  constexpr unsigned fraction = fractionBits<T>();
  const uint64_t sign = 0x8000, infinity = 0x7FFF >> fraction << fraction;
  const uint64_t magnitude = value.bits & 0x7FFF;
  double result = magnitude > infinity ? std::nan("")
                  : magnitude == infinity
                      ? HUGE_VAL
                      : double(decode(exponentBits<T>(), fraction, magnitude));
  return value.bits & sign ? -result : result;
}

} // namespace mlir::deltanet::ptx::test

#endif // DELTANET_TEST_UNITTESTS_PTX_ROUNDINGORACLE_H
