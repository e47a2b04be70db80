//===- ConvertTest.cpp - Conversions between types ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "RoundingOracle.h"

using namespace mlir::deltanet::ptx;
using namespace mlir::deltanet::ptx::test;

namespace {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using s8 = int8_t;
using s16 = int16_t;
using s32 = int32_t;
using s64 = int64_t;

TEST(Convert, IntegersExtendAndChop) {
  check("cvt.u64.u32 %w, %a;", +[](u32 a) { return u64(a); });
  check("cvt.s64.s32 %w, %a;", +[](s32 a) { return s64(a); });
  check("cvt.u32.u64 %w, %a;", +[](u64 a) { return u32(a); });
  check("cvt.u32.u16 %w, %a;", +[](u16 a) { return u32(a); });
  check("cvt.s32.s16 %w, %a;", +[](s16 a) { return s32(a); });
  check("cvt.u16.u32 %w, %a;", +[](u32 a) { return u16(a); });
  check("cvt.s64.s16 %w, %a;", +[](s16 a) { return s64(a); });
  check("cvt.u16.u64 %w, %a;", +[](u64 a) { return u16(a); });
}

TEST(Convert, RegistersMayBeWiderThanTypes) {
  check("cvt.u32.u8 %w, %a;", +[](u32 a) { return u32(u8(a)); });
  check("cvt.s32.s8 %w, %a;", +[](u32 a) { return s32(s8(a)); });
  check("cvt.s8.s32 %w, %a;", +[](s32 a) { return s32(s8(a)); });
  check("cvt.u8.u32 %w, %a;", +[](u32 a) { return u32(u8(a)); });
  check("cvt.s16.s32 %w, %a;", +[](s32 a) { return s64(s16(a)); });
  check("cvt.u32.u32 %w, %a;", +[](u64 a) { return u64(u32(a)); });
  check("cvt.s8.s16 %w, %a;", +[](s16 a) { return s16(s8(a)); });
}

template <typename To, typename From> To clamp(From value) {
  __int128 low = std::numeric_limits<To>::min();
  __int128 high = std::numeric_limits<To>::max();
  return To(std::min(std::max(__int128(value), low), high));
}

TEST(Convert, IntegersSaturate) {
  check("cvt.sat.s16.s32 %w, %a;", clamp<s16, s32>);
  check("cvt.sat.u32.s32 %w, %a;", clamp<u32, s32>);
  check("cvt.sat.s32.u64 %w, %a;", clamp<s32, u64>);
  check("cvt.sat.u16.s64 %w, %a;", clamp<u16, s64>);
  check("cvt.sat.u64.s64 %w, %a;", clamp<u64, s64>);
}

template <typename To, typename From, Mode mode> To fromInteger(From value) {
  return value == 0 ? roundTo<To>(mode, {0}) : roundTo<To>(mode, {Quad(value)});
}

TEST(Convert, IntegersToFloats) {
  check("cvt.rn.f32.s32 %w, %a;", fromInteger<float, s32, Mode::Nearest>);
  check("cvt.rn.f32.u32 %w, %a;", fromInteger<float, u32, Mode::Nearest>);
  check("cvt.rz.f32.s32 %w, %a;", fromInteger<float, s32, Mode::Zero>);
  check("cvt.rm.f32.s64 %w, %a;", fromInteger<float, s64, Mode::Down>);
  check("cvt.rp.f32.u64 %w, %a;", fromInteger<float, u64, Mode::Up>);
  check("cvt.rn.f32.u64 %w, %a;", fromInteger<float, u64, Mode::Nearest>);
  check("cvt.rn.f64.s64 %w, %a;", fromInteger<double, s64, Mode::Nearest>);
  check("cvt.rm.f64.u64 %w, %a;", fromInteger<double, u64, Mode::Down>);
  check("cvt.rn.f64.s32 %w, %a;", fromInteger<double, s32, Mode::Nearest>);
  check("cvt.rn.f16.s32 %w, %a;", fromInteger<Half, s32, Mode::Nearest>);
  check("cvt.rz.f16.u64 %w, %a;", fromInteger<Half, u64, Mode::Zero>);
  check("cvt.rn.bf16.s16 %w, %a;", fromInteger<Brain, s16, Mode::Nearest>);
  check(
      "cvt.rn.f32.u8 %w, %a;",
      +[](u32 a) { return fromInteger<float, u8, Mode::Nearest>(a); });
}

/// A float to an integer. `invalid` is what NaN gives.
template <typename To, typename From, double (*integral)(double)>
To toInteger(From value) {
  double exact = integral(asDouble(value));
  bool is64 = sizeof(To) == 8 || sizeof(From) == 8;
  if (std::isnan(exact))
    return is64 ? To(u64(1) << (8 * sizeof(To) - 1)) : To(0);
  Quad low = std::numeric_limits<To>::min(),
       high = std::numeric_limits<To>::max();
  return exact < low    ? std::numeric_limits<To>::min()
         : exact > high ? std::numeric_limits<To>::max()
                        : To(Quad(exact));
}

TEST(Convert, FloatsToIntegers) {
  check("cvt.rzi.s32.f32 %w, %a;", toInteger<s32, float, std::trunc>);
  check("cvt.rni.s32.f32 %w, %a;", toInteger<s32, float, std::nearbyint>);
  check("cvt.rmi.s32.f32 %w, %a;", toInteger<s32, float, std::floor>);
  check("cvt.rpi.u32.f32 %w, %a;", toInteger<u32, float, std::ceil>);
  check("cvt.rzi.u32.f32 %w, %a;", toInteger<u32, float, std::trunc>);
  check("cvt.rzi.s64.f32 %w, %a;", toInteger<s64, float, std::trunc>);
  check("cvt.rzi.u64.f32 %w, %a;", toInteger<u64, float, std::trunc>);
  check("cvt.rni.s64.f64 %w, %a;", toInteger<s64, double, std::nearbyint>);
  check("cvt.rzi.u32.f64 %w, %a;", toInteger<u32, double, std::trunc>);
  check("cvt.rzi.s16.f16 %w, %a;", toInteger<s16, Half, std::trunc>);
  check("cvt.rni.u16.f32 %w, %a;", toInteger<u16, float, std::nearbyint>);
  check(
      "cvt.rzi.s8.f32 %w, %a;",
      +[](float a) { return s32(toInteger<s8, float, std::trunc>(a)); });
}

/// A float to another one; NaN has all bits but the sign.
template <typename To, typename From, Mode mode> To toFloat(From value) {
  double exact = asDouble(value);
  constexpr unsigned bits = 8 * sizeof(To);
  const u64 sign = std::signbit(exact) ? u64(1) << (bits - 1) : 0;
  const u64 magnitudes = ~u64(0) >> (65 - bits);
  if (std::isnan(exact))
    return valueOfBits<To>(magnitudes);
  if (std::isinf(exact))
    return valueOfBits<To>(
        sign | (magnitudes >> fractionBits<To>() << fractionBits<To>()));
  return exact == 0 ? valueOfBits<To>(sign) : roundTo<To>(mode, {exact});
}

TEST(Convert, FloatsToFloats) {
  check("cvt.rn.f16.f32 %w, %a;", toFloat<Half, float, Mode::Nearest>);
  check("cvt.rz.f16.f32 %w, %a;", toFloat<Half, float, Mode::Zero>);
  check("cvt.rp.f16.f32 %w, %a;", toFloat<Half, float, Mode::Up>);
  check("cvt.rn.bf16.f32 %w, %a;", toFloat<Brain, float, Mode::Nearest>);
  check("cvt.rm.bf16.f32 %w, %a;", toFloat<Brain, float, Mode::Down>);
  check("cvt.f32.f16 %w, %a;", toFloat<float, Half, Mode::Nearest>);
  check("cvt.f32.bf16 %w, %a;", toFloat<float, Brain, Mode::Nearest>);
  check("cvt.f64.f32 %w, %a;", toFloat<double, float, Mode::Nearest>);
  check("cvt.f64.f16 %w, %a;", toFloat<double, Half, Mode::Nearest>);
  check("cvt.rn.f32.f64 %w, %a;", toFloat<float, double, Mode::Nearest>);
  check("cvt.rm.f32.f64 %w, %a;", toFloat<float, double, Mode::Down>);
  check("cvt.rn.f16.f64 %w, %a;", toFloat<Half, double, Mode::Nearest>);
  check("cvt.rn.bf16.f64 %w, %a;", toFloat<Brain, double, Mode::Nearest>);
  check("cvt.rn.bf16.f16 %w, %a;", toFloat<Brain, Half, Mode::Nearest>);
}

TEST(Convert, FloatsToIntegralFloats) {
  check(
      "cvt.rni.f32.f32 %w, %a;",
      +[](float a) { return oneNaN(std::nearbyint(a)); });
  check(
      "cvt.rpi.f32.f32 %w, %a;", +[](float a) { return oneNaN(std::ceil(a)); });
}

float flush(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value)
                                                : value;
}

TEST(Convert, FlushedSaturatedAndWithoutNegatives) {
  check("cvt.ftz.f32.f32 %w, %a;", +[](float a) { return oneNaN(flush(a)); });
  check(
      "cvt.sat.f32.f32 %w, %a;", +[](float a) {
        return std::isnan(a) || a <= 0 ? 0.0f : std::min(a, 1.0f);
      });
  check(
      "cvt.rpi.ftz.s32.f32 %w, %a;",
      +[](float a) { return toInteger<s32, float, std::ceil>(flush(a)); });
  check(
      "cvt.rn.ftz.f32.f64 %w, %a;", +[](double a) {
        return flush(toFloat<float, double, Mode::Nearest>(a));
      });
  check(
      "cvt.rn.relu.bf16.f32 %w, %a;", +[](float a) {
        return std::isnan(a) ? u16(0x7FFF)
               : a <= 0      ? u16(0)
                             : toFloat<Brain, float, Mode::Nearest>(a).bits;
      });
}

template <typename T> u32 pair(float upper, float lower) {
  return u32(toFloat<T, float, Mode::Nearest>(upper).bits) << 16 |
         toFloat<T, float, Mode::Nearest>(lower).bits;
}

TEST(Convert, PairsWithTheFirstAsTheUpper) {
  check("cvt.rn.f16x2.f32 %w, %a, %b;", pair<Half>);
  check("cvt.rn.bf16x2.f32 %w, %a, %b;", pair<Brain>);
  check(
      "cvt.rz.bf16x2.f32 %w, %a, %b;", +[](float a, float b) {
        return u32(toFloat<Brain, float, Mode::Zero>(a).bits) << 16 |
               toFloat<Brain, float, Mode::Zero>(b).bits;
      });
  check(
      "cvt.rn.relu.f16x2.f32 %w, %a, %b;", +[](float a, float b) {
        return pair<Half>(a < 0 || a == 0 ? 0 : a, b < 0 || b == 0 ? 0 : b);
      });
}

TEST(Convert, TF32) {
  check(
      "cvt.rna.tf32.f32 %w, %a;", +[](float a) {
        if (!std::isfinite(a))
          return std::isnan(a) ? u32(0x7FFFFFFF) : u32(bitsOfValue(a));
        u32 sign = u32(bitsOfValue(a)) & 0x80000000;
        u64 bits = roundTo(8, 10, Mode::Away, {std::fabs(a)});
        return sign | u32(bits << 13);
      });
}

TEST(Convert, UnknownForms) {
  for (const char *body :
       {"cvt.f16.f32 %h0, %r0;", "cvt.rn.f32.f16 %r0, %h0;",
        "cvt.s32.f32 %r0, %r1;", "cvt.rn.s32.f32 %r0, %r1;",
        "cvt.f32.s32 %r0, %r1;", "cvt.rzi.f32.s32 %r0, %r1;",
        "cvt.rn.satfinite.bf16.f32 %h0, %r0;",
        "cvt.rn.e4m3x2.f32 %h0, %r0, %r1;", "cvt.b32.b32 %r0, %r1;",
        "cvt.ftz.f64.f16 %l0, %h0;", "cvt.rna.f16.f32 %h0, %r0;",
        "cvt.rna.satfinite.tf32.f32 %r0, %r1;", "cvt.u64.u32 %r0, %r1;"})
    EXPECT_NE(parseError(body), "") << body;
}

} // namespace
