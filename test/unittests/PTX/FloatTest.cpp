//===- FloatTest.cpp - Arithmetic of f32 and f64 --------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "RoundingOracle.h"

using namespace mlir::deltanet::ptx;
using namespace mlir::deltanet::ptx::test;

namespace {

float flush(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value)
                                                : value;
}
float saturate(float value) {
  return std::isnan(value) || value <= 0 ? 0.0f : std::min(value, 1.0f);
}

TEST(Float, RoundedToNearest) {
  check("add.f32 %w, %a, %b;", +[](float a, float b) { return oneNaN(a + b); });
  check(
      "sub.rn.f32 %w, %a, %b;",
      +[](float a, float b) { return oneNaN(a - b); });
  check(
      "mul.rn.f32 %w, %a, %b;",
      +[](float a, float b) { return oneNaN(a * b); });
  check(
      "div.rn.f32 %w, %a, %b;",
      +[](float a, float b) { return oneNaN(a / b); });
  check(
      "mul.f32 %w, %a, 0f3FC00000;", +[](float a) { return oneNaN(a * 1.5f); });
}

template <typename T, Mode mode> T sum(T a, T b) {
  if (!std::isfinite(a) || !std::isfinite(b))
    return T(a + b);
  Exact exact = exactSum(a, b);
  // Of numbers that cancel, the zero is negative if all is rounded down.
  if (exact.compare(0) == 0)
    return a == 0 && std::signbit(a) == std::signbit(b) ? a
           : mode == Mode::Down                         ? T(-0.0)
                                                        : T(0.0);
  return roundTo<T>(mode, exact);
}
template <typename T, Mode mode> T product(T a, T b) {
  if (!std::isfinite(a) || !std::isfinite(b) || a == 0 || b == 0)
    return a * b;
  return roundTo<T>(mode, {Quad(a) * Quad(b)});
}
template <typename T, Mode mode> T quotient(T a, T b) {
  if (!std::isfinite(a) || !std::isfinite(b) || a == 0 || b == 0)
    return a / b;
  return roundTo<T>(mode, {Quad(a) / Quad(b)});
}
template <typename T, Mode mode> T fused(T a, T b, T c) {
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c))
    return std::fma(a, b, c);
  Exact exact = exactSum(Quad(a) * Quad(b), c);
  if (exact.compare(0) == 0) {
    bool isNegative = std::signbit(a) != std::signbit(b);
    bool allZero = (a == 0 || b == 0) && c == 0;
    if (allZero && isNegative == std::signbit(c))
      return c;
    return mode == Mode::Down ? T(-0.0) : T(0.0);
  }
  return roundTo<T>(mode, exact);
}

template <auto operation, typename... Sources>
float narrow(Sources... sources) {
  return oneNaN(operation(sources...));
}

TEST(Float, RoundedInDirections) {
  check("add.rz.f32 %w, %a, %b;", narrow<sum<float, Mode::Zero>, float, float>);
  check("add.rm.f32 %w, %a, %b;", narrow<sum<float, Mode::Down>, float, float>);
  check("mul.rp.f32 %w, %a, %b;",
        narrow<product<float, Mode::Up>, float, float>);
  check("mul.rz.f32 %w, %a, %b;",
        narrow<product<float, Mode::Zero>, float, float>);
  check("div.rm.f32 %w, %a, %b;",
        narrow<quotient<float, Mode::Down>, float, float>);
  check("fma.rz.f32 %w, %a, %b, %c;",
        narrow<fused<float, Mode::Zero>, float, float, float>);
  check("fma.rp.f32 %w, %a, %b, %c;",
        narrow<fused<float, Mode::Up>, float, float, float>);
}

TEST(Float, DirectionsEndWithTheInstruction) {
  check(
      "add.rp.f32 %r0, %a, %b; add.f32 %w, %a, %b;",
      +[](float a, float b) { return oneNaN(a + b); });
}

TEST(Float, FusedProductsAndSums) {
  check("fma.rn.f32 %w, %a, %b, %c;",
        narrow<fused<float, Mode::Nearest>, float, float, float>);
  check("mad.rn.f32 %w, %a, %b, %c;",
        narrow<fused<float, Mode::Nearest>, float, float, float>);
  // The product alone would be rounded to 1.
  check(
      "mov.f32 %r0, 0f3F800001; mov.f32 %r1, 0f3F7FFFFE;"
      "fma.rn.f32 %w, %r0, %r1, 0fBF800000;",
      +[](float) { return -0x1p-46f; });
}

double oneNaN64(double value) { return std::isnan(value) ? 0.0 : value; }
template <auto operation, typename... Sources> double wide(Sources... sources) {
  return oneNaN64(operation(sources...));
}

TEST(Float, Doubles) {
  // Which NaN an operation gives is not said: here none is stored.
  const std::string store = "testp.notanumber.f64 %p0, %l0;"
                            "selp.f64 %w, 0d0000000000000000, %l0, %p0;";
  check("add.f64 %l0, %a, %b;" + store,
        wide<sum<double, Mode::Nearest>, double, double>);
  check(
      "sub.rz.f64 %l0, %a, %b;" + store, +[](double a, double b) {
        return oneNaN64(sum<double, Mode::Zero>(a, -b));
      });
  check("mul.rm.f64 %l0, %a, %b;" + store,
        wide<product<double, Mode::Down>, double, double>);
  check("div.rn.f64 %l0, %a, %b;" + store,
        wide<quotient<double, Mode::Nearest>, double, double>);
  check("fma.rn.f64 %l0, %a, %b, %c;" + store,
        wide<fused<double, Mode::Nearest>, double, double, double>);
  check("fma.rm.f64 %l0, %a, %b, %c;" + store,
        wide<fused<double, Mode::Down>, double, double, double>);
}

TEST(Float, FlushedAndSaturated) {
  check(
      "add.ftz.f32 %w, %a, %b;",
      +[](float a, float b) { return oneNaN(flush(flush(a) + flush(b))); });
  check(
      "mul.rn.ftz.f32 %w, %a, %b;",
      +[](float a, float b) { return oneNaN(flush(flush(a) * flush(b))); });
  check(
      "fma.rn.ftz.sat.f32 %w, %a, %b, %c;", +[](float a, float b, float c) {
        return saturate(flush(std::fma(flush(a), flush(b), flush(c))));
      });
  check(
      "add.sat.f32 %w, %a, %b;",
      +[](float a, float b) { return saturate(a + b); });
}

/// The lesser, of zeros the negative one; NaN only if both are.
template <typename T> T lesser(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
}
template <typename T> T greater(T a, T b) { return -lesser<T>(-a, -b); }

TEST(Float, Choices) {
  check(
      "min.f32 %w, %a, %b;",
      +[](float a, float b) { return oneNaN(lesser(a, b)); });
  check(
      "max.f32 %w, %a, %b;",
      +[](float a, float b) { return oneNaN(greater(a, b)); });
  check(
      "max.ftz.f32 %w, %a, %b;",
      +[](float a, float b) { return oneNaN(greater(flush(a), flush(b))); });
  check(
      "min.NaN.f32 %w, %a, %b;", +[](float a, float b) {
        return oneNaN(std::isnan(a) || std::isnan(b) ? NAN : lesser(a, b));
      });
  check(
      "max.NaN.f32 %w, %a, %b;", +[](float a, float b) {
        return oneNaN(std::isnan(a) || std::isnan(b) ? NAN : greater(a, b));
      });
}

TEST(Float, Signs) {
  check("neg.f32 %w, %a;", +[](uint32_t a) { return a ^ 0x80000000; });
  check("abs.f32 %w, %a;", +[](uint32_t a) { return a & 0x7FFFFFFF; });
  check("abs.ftz.f32 %w, %a;", +[](float a) { return flush(std::fabs(a)); });
  check("neg.f64 %w, %a;", +[](uint64_t a) { return a ^ uint64_t(1) << 63; });
  check(
      "copysign.f32 %w, %a, %b;", +[](uint32_t a, uint32_t b) {
        return (a & 0x80000000) | (b & 0x7FFFFFFF);
      });
}

TEST(Float, UnknownForms) {
  for (const char *body :
       {"fma.f32 %r0, %r1, %r2, %r3;", "div.f32 %r0, %r1, %r2;",
        "add.ftz.f64 %l0, %l1, %l2;", "add.sat.f64 %l0, %l1, %l2;",
        "min.rn.f32 %r0, %r1, %r2;", "max.xorsign.abs.f32 %r0, %r1, %r2;",
        "max.f32 %r0, %r1, %r2, %r3;", "rem.f32 %r0, %r1, %r2;"})
    EXPECT_NE(parseError(body), "") << body;
}

} // namespace
