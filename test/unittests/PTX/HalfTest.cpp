//===- HalfTest.cpp - Arithmetic of floats of 16 bits ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "RoundingOracle.h"

using namespace mlir::deltanet::ptx;
using namespace mlir::deltanet::ptx::test;

namespace {

constexpr uint16_t kNaN = 0x7FFF;

/// The nearest number of a kind to a result that is given as a double, and if
/// that is finite and no zero, exactly.
template <typename T> T nearest(double value, const Exact &exact) {
  if (std::isnan(value))
    return {kNaN};
  if (std::isinf(value) || value == 0) {
    constexpr uint16_t infinity = 0x7FFF >> fractionBits<T>()
                                                << fractionBits<T>();
    uint16_t bits = value == 0 ? 0 : infinity;
    return {uint16_t(bits | (std::signbit(value) ? 0x8000 : 0))};
  }
  return roundTo<T>(Mode::Nearest, exact);
}

template <typename T> T add(T a, T b) {
  double x = asDouble(a), y = asDouble(b);
  return nearest<T>(x + y, exactSum(x, y));
}
template <typename T> T sub(T a, T b) {
  double x = asDouble(a), y = asDouble(b);
  return nearest<T>(x - y, exactSum(x, -y));
}
template <typename T> T mul(T a, T b) {
  double x = asDouble(a), y = asDouble(b);
  return nearest<T>(x * y, {Quad(x) * y});
}
template <typename T> T fma(T a, T b, T c) {
  double x = asDouble(a), y = asDouble(b), z = asDouble(c);
  return nearest<T>(std::fma(x, y, z), exactSum(Quad(x) * y, z));
}
template <typename T> T positive(T a) {
  return {uint16_t(a.bits >> 15 ? 0 : a.bits)};
}
template <typename T> T fmaRelu(T a, T b, T c) {
  return positive(fma(a, b, c));
}
template <typename T> T min(T a, T b) {
  double x = asDouble(a), y = asDouble(b);
  if (std::isnan(x) && std::isnan(y))
    return {kNaN};
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) ? b : a;
  return x < y || (x == y && std::signbit(x)) ? a : b;
}
template <typename T> T negative(T a) { return {uint16_t(a.bits ^ 0x8000)}; }
template <typename T> T max(T a, T b) {
  T result = min(negative(a), negative(b));
  return result.bits == kNaN ? result : negative(result);
}
template <typename T> T maxOrNaN(T a, T b) {
  bool isNumber = !std::isnan(asDouble(a)) && !std::isnan(asDouble(b));
  return isNumber ? max(a, b) : T{kNaN};
}

TEST(Half, Arithmetic) {
  check("add.f16 %w, %a, %b;", add<Half>);
  check("sub.rn.f16 %w, %a, %b;", sub<Half>);
  check("mul.f16 %w, %a, %b;", mul<Half>);
  check("fma.rn.f16 %w, %a, %b, %c;", fma<Half>);
  check("fma.rn.relu.f16 %w, %a, %b, %c;", fmaRelu<Half>);
  check("add.rn.bf16 %w, %a, %b;", add<Brain>);
  check("sub.bf16 %w, %a, %b;", sub<Brain>);
  check("mul.rn.bf16 %w, %a, %b;", mul<Brain>);
  check("fma.rn.bf16 %w, %a, %b, %c;", fma<Brain>);
  check("fma.rn.relu.bf16 %w, %a, %b, %c;", fmaRelu<Brain>);
}

TEST(Half, RoundedOnce) {
  // 1.5 * (1 + 2^-7) lies in the middle of two numbers, and what is added or
  // not, less than a double beside it shows, decides.
  const std::string product = "mov.b16 %h0, 0x3FC0; mov.b16 %h1, 0x3F81;";
  check(
      product + "fma.rn.bf16 %w, %h0, %h1, 0x0000;",
      +[](uint16_t) { return uint16_t(0x3FC2); });
  check(
      product + "fma.rn.bf16 %w, %h0, %h1, 0x8001;",
      +[](uint16_t) { return uint16_t(0x3FC1); });
}

Half flush(Half a) {
  return {uint16_t(a.bits & 0x7C00 ? a.bits : a.bits & 0x8000)};
}
Half saturate(Half a) {
  double value = asDouble(a);
  return {uint16_t(!(value > 0) ? 0 : value < 1 ? a.bits : 0x3C00)};
}

TEST(Half, FlushedAndSaturated) {
  check(
      "add.ftz.f16 %w, %a, %b;",
      +[](Half a, Half b) { return flush(add(flush(a), flush(b))); });
  check(
      "fma.rn.ftz.f16 %w, %a, %b, %c;", +[](Half a, Half b, Half c) {
        return flush(fma(flush(a), flush(b), flush(c)));
      });
  check(
      "mul.sat.f16 %w, %a, %b;",
      +[](Half a, Half b) { return saturate(mul(a, b)); });
}

TEST(Half, Choices) {
  check("min.f16 %w, %a, %b;", min<Half>);
  check("max.bf16 %w, %a, %b;", max<Brain>);
  check("max.NaN.f16 %w, %a, %b;", maxOrNaN<Half>);
  check("max.NaN.bf16 %w, %a, %b;", maxOrNaN<Brain>);
}

TEST(Half, Signs) {
  check("neg.f16 %w, %a;", negative<Half>);
  check("abs.bf16 %w, %a;", +[](uint16_t a) { return uint16_t(a & 0x7FFF); });
  check("abs.f16x2 %w, %a;", +[](uint32_t a) { return a & 0x7FFF7FFF; });
  check("neg.bf16x2 %w, %a;", +[](uint32_t a) { return a ^ 0x80008000; });
}

/// Operates on the halves of registers that are made of four operands.
std::string ofPairs(const char *operation) {
  return std::string("mov.b32 %r0, {%a, %b}; mov.b32 %r1, {%c, %d};") +
         operation;
}
template <typename T> uint32_t pairOf(T low, T high) {
  return uint32_t(high.bits) << 16 | low.bits;
}

TEST(Half, Pairs) {
  check(
      ofPairs("add.f16x2 %w, %r0, %r1;"), +[](Half a, Half b, Half c, Half d) {
        return pairOf(add(a, c), add(b, d));
      });
  check(
      ofPairs("mul.rn.bf16x2 %w, %r0, %r1;"),
      +[](Brain a, Brain b, Brain c, Brain d) {
        return pairOf(mul(a, c), mul(b, d));
      });
  check(
      ofPairs("fma.rn.f16x2 %w, %r0, %r1, %r1;"),
      +[](Half a, Half b, Half c, Half d) {
        return pairOf(fma(a, c, c), fma(b, d, d));
      });
  check(
      ofPairs("fma.rn.relu.bf16x2 %w, %r0, %r1, %r0;"),
      +[](Brain a, Brain b, Brain c, Brain d) {
        return pairOf(fmaRelu(a, c, a), fmaRelu(b, d, b));
      });
  check(
      ofPairs("max.f16x2 %w, %r0, %r1;"), +[](Half a, Half b, Half c, Half d) {
        return pairOf(max(a, c), max(b, d));
      });
  check(
      ofPairs("min.bf16x2 %w, %r0, %r1;"),
      +[](Brain a, Brain b, Brain c, Brain d) {
        return pairOf(min(a, c), min(b, d));
      });
}

TEST(Half, UnknownForms) {
  for (const char *body :
       {"add.rz.f16 %h0, %h1, %h2;", "add.ftz.bf16 %h0, %h1, %h2;",
        "add.relu.f16 %h0, %h1, %h2;", "div.f16 %h0, %h1, %h2;",
        "max.xorsign.abs.f16 %h0, %h1, %h2;", "add.f16x2 %h0, %h1, %h2;",
        "fma.f16 %h0, %h1, %h2, %h3;"})
    EXPECT_NE(parseError(body), "") << body;
}

} // namespace
