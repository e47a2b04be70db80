//===- HalfFloats.h - Numbers of 16 bits and what they round to -----------===//
//
// Part of the Delta-Net project.
//
// Everything is written with integers and choices, so that loops over it
// become vectors.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_HALFFLOATS_H
#define DELTANET_LIB_EMULATION_PTX_HALFFLOATS_H

#include "Elementwise.h"

namespace mlir::deltanet::ptx {

/// The only NaN that operations of 16 bits give, of either kind.
constexpr uint16_t kHalfNaN = 0x7FFF;

/// The nearest float, or if the value lies between two, the one whose last bit
/// is set. Rounding that further gives what rounding the value itself would.
DELTANET_PTX_INLINE float roundToOdd(double value) {
  float nearest = float(value);
  uint32_t bits = bitCast<uint32_t>(nearest);
  double back = nearest;
  bool isBelow = __builtin_fabs(back) < __builtin_fabs(value);
  uint32_t odd = isBelow ? bits + 1 : bits - 1;
  bool moves = back != value && value == value && !(bits & 1);
  return bitCast<float>(moves ? odd : bits);
}

/// a + b, or if that lies between two doubles, the one whose last bit is set.
DELTANET_PTX_INLINE double addToOdd(double a, double b) {
  double sum = a + b;
  double fromB = sum - a;
  double rest = (a - (sum - fromB)) + (b - fromB);
  uint64_t bits = bitCast<uint64_t>(sum);
  uint64_t odd = (rest > 0) == (sum > 0) ? bits + 1 : bits - 1;
  bool moves = (rest > 0 || rest < 0) && !(bits & 1);
  return bitCast<double>(moves ? odd : bits);
}

/// One kind of number: its bits to and from float, rounded to nearest even.
struct F16 {
  static constexpr uint16_t kInfinity = 0x7C00;

  DELTANET_PTX_INLINE static float toFloat(uint16_t bits) {
    uint32_t sign = uint32_t(bits & 0x8000) << 16, magnitude = bits & 0x7FFF;
    uint32_t rebias = magnitude >= kInfinity ? 224u << 23 : 112u << 23;
    float subnormal = float(int32_t(magnitude)) * 0x1p-24f;
    uint32_t value = magnitude < 0x0400 ? bitCast<uint32_t>(subnormal)
                                        : (magnitude << 13) + rebias;
    return bitCast<float>(value | sign);
  }

  DELTANET_PTX_INLINE static uint16_t fromFloat(float value) {
    uint32_t bits = bitCast<uint32_t>(value);
    uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7FFFFFFF;
    // Beside 0.5 a float has the steps of the smallest numbers.
    uint32_t subnormal =
        bitCast<uint32_t>(bitCast<float>(magnitude) + 0.5f) - 0x3F000000;
    uint32_t normal =
        (magnitude + 0xFFF + (magnitude >> 13 & 1) - (112u << 23)) >> 13;
    uint32_t result = magnitude < 0x38800000 ? subnormal : normal;
    result = magnitude >= 0x477FF000 ? uint32_t(kInfinity) : result;
    result |= sign;
    return magnitude > 0x7F800000 ? kHalfNaN : uint16_t(result);
  }
};

struct BF16 {
  static constexpr uint16_t kInfinity = 0x7F80;

  DELTANET_PTX_INLINE static float toFloat(uint16_t bits) {
    return bitCast<float>(uint32_t(bits) << 16);
  }

  DELTANET_PTX_INLINE static uint16_t fromFloat(float value) {
    uint32_t bits = bitCast<uint32_t>(value);
    uint32_t rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
    return (bits & 0x7FFFFFFF) > 0x7F800000 ? kHalfNaN : uint16_t(rounded);
  }
};

template <typename Number>
DELTANET_PTX_INLINE uint16_t fromDouble(double value) {
  return Number::fromFloat(roundToOdd(value));
}

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_HALFFLOATS_H
