//===- FloatResult.h - What f32 and f64 results are made of ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_FLOATRESULT_H
#define DELTANET_LIB_EMULATION_PTX_FLOATRESULT_H

#include "Elementwise.h"

namespace mlir::deltanet::ptx {

/// The only NaN that operations of f32 give.
constexpr uint32_t kNaN = 0x7FFFFFFF;

/// Zero, with its sign, for a subnormal number.
DELTANET_PTX_INLINE float flushed(float value) {
  uint32_t bits = bitCast<uint32_t>(value);
  return bitCast<float>(bits & 0x7F800000 ? bits : bits & 0x80000000);
}

/// Between 0 and 1; 0 for NaN.
DELTANET_PTX_INLINE float saturated(float value) {
  return value > 0 ? (value < 1 ? value : 1.0f) : 0.0f;
}

DELTANET_PTX_INLINE float withOneNaN(float value) {
  return value == value ? value : bitCast<float>(kNaN);
}
DELTANET_PTX_INLINE double withOneNaN(double value) { return value; }

/// A function of floats with flushed operands and results, and saturated ones.
template <auto apply, bool flushes, bool saturates> struct Finished;
template <typename T, typename... Sources, T (*operation)(Sources...),
          bool flushes, bool saturates>
struct Finished<operation, flushes, saturates> {
  DELTANET_PTX_INLINE static T apply(Sources... sources) {
    T value = prepared(operation(prepared(sources)...));
    if constexpr (saturates)
      return saturated(value);
    return withOneNaN(value);
  }

private:
  DELTANET_PTX_INLINE static T prepared(T value) {
    if constexpr (flushes)
      return flushed(value);
    return value;
  }
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_FLOATRESULT_H
