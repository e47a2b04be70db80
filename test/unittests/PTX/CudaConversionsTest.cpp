//===- CudaConversionsTest.cpp - Conversions and functions of floats ------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CudaLaunch.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace mlir::deltanet::ptx;
using llvm::APFloat;

/// Floats of all sizes, halves between integers, and what is no number.
static std::vector<float> someFloats() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> values = {
      0,         -0.0f,         0.5f,
      1.5f,      2.5f,          -0.5f,
      -1.5f,     -2.5f,         1e10f,
      -1e10f,    1e20f,         -1e20f,
      1e38f,     65504,         65519.99f,
      65520,     1e-7f,         1e-40f,
      6e-8f,     2147483648.0f, 4294967296.0f,
      kInfinity, -kInfinity,    std::numeric_limits<float>::quiet_NaN()};
  std::mt19937 random(21);
  while (values.size() < 128) {
    float value = float(int32_t(random()));
    values.push_back(std::ldexp(value, int(random() % 60) - 45));
  }
  return values;
}

/// A number that has been rounded to an integer, as one of type T.
template <typename T> static T clamp(float rounded) {
  // PTX ISA, cvt: what NaN becomes depends on the sizes.
  if (std::isnan(rounded))
    return sizeof(T) == 8 ? T(1) << 63 : 0;
  if (rounded <= float(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  if (rounded >= float(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  return T(rounded);
}

TEST(CudaConversions, FloatsToIntegers) {
  std::vector<float> in = someFloats();
  std::vector<int> expected;
  for (float x : in) {
    uint64_t wide = uint64_t(clamp<int64_t>(std::nearbyint(x)));
    uint64_t natural = clamp<uint64_t>(std::trunc(x));
    int32_t truncated = clamp<int32_t>(std::trunc(x));
    for (int result :
         {clamp<int32_t>(std::nearbyint(x)), truncated,
          clamp<int32_t>(std::ceil(x)), clamp<int32_t>(std::floor(x)),
          int(clamp<uint32_t>(std::nearbyint(x))),
          int(clamp<uint32_t>(std::floor(x))), int(wide), int(wide >> 32),
          int(natural), int(natural >> 32), int(int8_t(truncated)),
          int(uint16_t(clamp<uint32_t>(std::trunc(x))))})
      expected.push_back(result);
  }
  CudaLaunch launch("Conversions");
  launch.input(in);
  launch.output<int>(expected.size());
  launch.runClean("floats_to_integers", {{2, 1, 1}, {64, 1, 1}}, 0);
  std::vector<int> results = launch.result<int>();
  for (size_t i = 0; i < results.size(); ++i)
    EXPECT_EQ(results[i], expected[i])
        << "result " << i % 12 << " of " << in[i / 12];
}

static float through(const llvm::fltSemantics &semantics, float value,
                     APFloat::roundingMode rounding) {
  APFloat number(value);
  bool isInexact;
  number.convert(semantics, rounding, &isInexact);
  return number.convertToFloat();
}

/// Equal bits, or both NaN.
static void expectSame(float got, float expected, const std::string &what) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(got)) << what;
  else
    EXPECT_EQ(llvm::bit_cast<uint32_t>(got), llvm::bit_cast<uint32_t>(expected))
        << what << ": " << got << ", expected " << expected;
}

TEST(CudaConversions, FloatsToFloats) {
  constexpr auto kNearest = APFloat::rmNearestTiesToEven;
  std::vector<float> in = someFloats();
  CudaLaunch launch("Conversions");
  launch.input(in);
  launch.output<float>(8 * in.size());
  uint64_t narrow = launch.lastAddress;
  launch.output<double>(in.size());
  launch.runClean("floats_to_floats", {{4, 1, 1}, {32, 1, 1}}, 0);
  std::vector<double> wide = launch.result<double>();
  for (size_t i = 0; i < in.size(); ++i) {
    float x = in[i], results[8];
    launch.memory.read(narrow + i * sizeof results,
                       {reinterpret_cast<char *>(results), sizeof results});
    double product = double(x) * 1.000000059604645;
    const float expected[] = {
        through(APFloat::IEEEhalf(), x, kNearest),
        through(APFloat::IEEEhalf(), x, APFloat::rmTowardZero),
        through(APFloat::BFloat(), x, kNearest),
        std::nearbyint(x),
        std::floor(x),
        std::ceil(x),
        std::trunc(x),
        float(product)};
    for (int result = 0; result < 8; ++result)
      expectSame(results[result], expected[result],
                 "result " + std::to_string(result) + " of " +
                     std::to_string(x));
    if (!std::isnan(x))
      EXPECT_EQ(wide[i], product);
  }
}

TEST(CudaConversions, IntegersToFloats) {
  std::vector<int64_t> in = {0, 1, -1, INT64_MIN, INT64_MAX, INT32_MIN};
  for (int64_t value : randomIntegers<int64_t>(58, INT32_MIN, INT32_MAX, 22))
    in.push_back(int64_t(uint64_t(value) << (in.size() % 33)));
  CudaLaunch launch("Conversions");
  launch.input(in);
  launch.output<float>(6 * in.size());
  uint64_t narrow = launch.lastAddress;
  launch.output<double>(2 * in.size());
  launch.runClean("integers_to_floats", {{1, 1, 1}, {64, 1, 1}}, 0);
  std::vector<double> wide = launch.result<double>();
  for (size_t i = 0; i < in.size(); ++i) {
    int64_t x = in[i];
    float results[6];
    launch.memory.read(narrow + i * sizeof results,
                       {reinterpret_cast<char *>(results), sizeof results});
    APFloat towardsZero(0.0f);
    towardsZero.convertFromAPInt(llvm::APInt(32, uint32_t(x)), true,
                                 APFloat::rmTowardZero);
    const float expected[] = {float(int32_t(x)),
                              float(uint32_t(x)),
                              float(x),
                              float(uint64_t(x)),
                              towardsZero.convertToFloat(),
                              through(APFloat::IEEEhalf(),
                                      float(int32_t(x) >> 16),
                                      APFloat::rmNearestTiesToEven)};
    for (int result = 0; result < 6; ++result)
      expectSame(results[result], expected[result],
                 "result " + std::to_string(result) + " of " +
                     std::to_string(x));
    EXPECT_EQ(wide[2 * i], double(x));
    EXPECT_EQ(wide[2 * i + 1], double(uint32_t(x)));
  }
}

TEST(CudaConversions, FloatFunctions) {
  std::vector<float> in;
  for (float value : randomFloats(64, 23))
    in.push_back(std::abs(value) * 6 + 0.01f);
  CudaLaunch launch("FloatFunctions");
  launch.input(in);
  launch.output<float>(12 * in.size());
  launch.runClean("float_functions", {{2, 1, 1}, {32, 1, 1}}, 0);
  std::vector<float> results = launch.result<float>();
  for (size_t i = 0; i < in.size(); ++i) {
    double x = in[i];
    const double expected[] = {
        std::exp(-x),  std::log(x),      std::tanh(x),     std::log1p(x),
        std::expm1(x), std::pow(x, 1.5), 1 / std::sqrt(x), std::erf(x),
        std::exp2(x),  std::exp(x),      std::log(x),      1 / x};
    for (int result = 0; result < 12; ++result)
      EXPECT_NEAR(results[12 * i + result], expected[result],
                  1e-6 * std::max(1.0, std::abs(expected[result])))
          << "result " << result << " of " << x;
  }
}

TEST(CudaConversions, RoundedFloats) {
  std::vector<float> a, b;
  for (float value : someFloats())
    if (std::isfinite(value))
      a.push_back(value);
  b = a;
  std::shuffle(b.begin(), b.end(), std::mt19937(24));
  CudaLaunch launch("FloatFunctions");
  launch.input(a);
  launch.input(b);
  launch.output<float>(14 * a.size());
  launch.runClean("rounded_floats", {{1, 1, 1}, {uint32_t(a.size()), 1, 1}}, 0);
  std::vector<float> results = launch.result<float>();
  constexpr auto kUp = APFloat::rmTowardPositive;
  constexpr auto kDown = APFloat::rmTowardNegative;
  constexpr auto kZero = APFloat::rmTowardZero;
  for (size_t i = 0; i < a.size(); ++i) {
    const float x = a[i], y = b[i];
    auto add = [&](APFloat::roundingMode rounding) {
      APFloat sum(x);
      sum.add(APFloat(y), rounding);
      return sum.convertToFloat();
    };
    auto multiply = [&](APFloat::roundingMode rounding) {
      APFloat product(x);
      product.multiply(APFloat(y), rounding);
      return product.convertToFloat();
    };
    APFloat fused(x);
    fused.fusedMultiplyAdd(APFloat(y), APFloat(x), kDown);
    const float expected[] = {x / y,
                              std::sqrt(std::abs(x)),
                              1 / y,
                              add(kUp),
                              add(kDown),
                              add(kZero),
                              multiply(kUp),
                              multiply(kZero),
                              fused.convertToFloat(),
                              std::fma(x, y, -x),
                              x - y,
                              std::fmin(x, y),
                              std::fmax(x, y),
                              std::copysign(x, y)};
    for (int result = 0; result < 14; ++result)
      expectSame(results[14 * i + result], expected[result],
                 "result " + std::to_string(result) + " of " +
                     std::to_string(x) + ", " + std::to_string(y));
  }
}
