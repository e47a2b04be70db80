//===- ComparisonTest.cpp - Error measures, verdicts and limits -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/Comparison.h"
#include "deltanet/Verification/ElementTypes.h"
#include "deltanet/Verification/Limits.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace mlir::deltanet::verification;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

Comparison compare(std::vector<float> got, std::vector<double> expected,
                   double limit = 1e-3) {
  return compareTensor("o", "reference", {int64_t(expected.size())}, got,
                       expected, limit);
}

TEST(Comparison, ErrorIsRelativeToTheReference) {
  Comparison result = compare({1.f, 2.f, 2.5f}, {1, 2, 2}, 0.2);
  EXPECT_EQ(result.verdict, Verdict::Pass);
  EXPECT_DOUBLE_EQ(result.error, 0.5 / 3);
  EXPECT_DOUBLE_EQ(result.referenceRms, std::sqrt(3.0));
  EXPECT_EQ(result.worstIndex, std::vector<int64_t>{2});
  EXPECT_EQ(result.worstGot, 2.5);
  EXPECT_EQ(result.worstExpected, 2);
}

TEST(Comparison, TheLimitItselfPasses) {
  EXPECT_EQ(compare({3.f}, {2}, 0.5).verdict, Verdict::Pass);
  Comparison above = compare({3.f}, {2}, 0.49);
  EXPECT_EQ(above.verdict, Verdict::Fail);
  EXPECT_EQ(above.reason, "above the limit");
}

TEST(Comparison, WorstElementHasItsPosition) {
  std::vector<float> got(24, 1.f);
  std::vector<double> expected(24, 1.0);
  got[17] = 2.f;
  Comparison result =
      compareTensor("o", "reference", {2, 3, 4}, got, expected, 1);
  EXPECT_EQ(result.worstIndex, (std::vector<int64_t>{1, 1, 1}));
}

TEST(Comparison, NotFiniteFails) {
  for (float bad : {nan, inf, -inf}) {
    Comparison result = compare({1.f, bad, bad}, {1, 1, 1}, 1e9);
    EXPECT_EQ(result.verdict, Verdict::Fail);
    EXPECT_EQ(result.reason, "2 of 3 values are not finite");
    EXPECT_EQ(result.worstIndex, std::vector<int64_t>{1});
  }
}

TEST(Comparison, ReferenceThatIsNotFiniteIsVoid) {
  EXPECT_EQ(compare({nan}, {double(nan)}).verdict, Verdict::Void);
  EXPECT_EQ(compare({1.f, 1.f}, {1, double(inf)}).verdict, Verdict::Void);
}

TEST(Comparison, Case61ZeroReferenceRequiresExactZeros) {
  EXPECT_EQ(compare({0.f, -0.f}, {0, 0}).verdict, Verdict::Pass);
  Comparison result = compare({0.f, 1e-38f}, {0, 0}, 1e9);
  EXPECT_EQ(result.verdict, Verdict::Fail);
  EXPECT_EQ(result.reason, "the reference is exactly zero");
  EXPECT_EQ(result.worstIndex, std::vector<int64_t>{1});
}

TEST(Comparison, Case61TinyReferenceIsVoid) {
  Comparison result = compare({1e-12f}, {1e-12});
  EXPECT_EQ(result.verdict, Verdict::Void);
  EXPECT_EQ(result.reason,
            "reference RMS 1.0e-12 is too small to compare with");
  EXPECT_EQ(compare({2e-9f}, {double(2e-9f)}).verdict, Verdict::Pass);
}

TEST(Comparison, Case61TinyReferenceThatIsAskedForIsCompared) {
  Tolerance tolerance = 1e-6;
  tolerance.nearZero = NearZero::Compare;
  auto compareTiny = [&](float got, double expected) {
    return compareTensor("o", "reference", {1}, {got}, {expected}, tolerance);
  };
  Comparison result = compareTiny(1e-12f, 1e-12);
  EXPECT_EQ(result.verdict, Verdict::Pass);
  EXPECT_EQ(result.reason, "reference RMS 1.0e-12 is nearly zero");
  EXPECT_EQ(compareTiny(1.1e-12f, 1e-12).verdict, Verdict::Fail);
  EXPECT_EQ(compareTiny(0, 1e-12).verdict, Verdict::Fail);
  // What kernels flush is no error, even if its square is no number.
  EXPECT_EQ(compareTiny(0, 1e-38).verdict, Verdict::Pass);
  EXPECT_EQ(compareTiny(0, 1e-200).verdict, Verdict::Pass);
  EXPECT_EQ(compareTiny(1e-30f, 1e-200).verdict, Verdict::Fail);
  EXPECT_EQ(compareTiny(1e-38f, 0).verdict, Verdict::Fail);
}

/// Two heads of 50000 tokens and 4 channels; values of the second are 1000
/// times smaller.
struct Large {
  std::vector<int64_t> shape = {50000, 2, 4};
  std::vector<float> got;
  std::vector<double> expected;

  Large() {
    for (int64_t i = 0; i < 400000; ++i) {
      double size = 1 + double(i % 37) / 37;
      got.push_back(float(i / 4 % 2 ? size / 1000 : size));
      expected.push_back(got.back());
    }
  }

  Comparison compare(Tolerance tolerance) {
    return compareTensor("o", "reference", shape, got, expected, tolerance);
  }
};

TEST(Comparison, OneFlippedElementAmongManyFails) {
  Tolerance output =
      errorLimits(Algorithm::Recurrent, DN_TYPE_BF16, false).output;
  output.type = DN_TYPE_BF16;
  // One of each head.
  for (int64_t at : {200002, 200006}) {
    Large large;
    large.expected[at] = -large.expected[at];
    Comparison blind = large.compare(output);
    if (at == 200006) {
      EXPECT_EQ(blind.verdict, Verdict::Pass); // the RMS sees nothing
    }
    Tolerance strict = output;
    strict.limit = 1; // so that the element decides
    strict.element = 64e-6;
    Comparison result = large.compare(strict);
    EXPECT_EQ(result.verdict, Verdict::Fail);
    EXPECT_NE(result.reason.find("an element is off by"), std::string::npos)
        << result.reason;
    EXPECT_EQ(result.worstIndex, unflatten(at, large.shape));
    EXPECT_EQ(result.worstGot, large.got[at]);
    EXPECT_EQ(result.worstExpected, large.expected[at]);
  }
}

TEST(Comparison, AnElementIsHeldToItsRowOrHead) {
  Tolerance tolerance = 1.0;
  tolerance.element = 1e-4;
  auto verdict = [&](int64_t at, float error) {
    Large large;
    large.got[at] += error;
    return large.compare(tolerance).verdict;
  };
  EXPECT_EQ(verdict(2, 1e-4f), Verdict::Pass);
  EXPECT_EQ(verdict(2, 3e-4f), Verdict::Fail);
  EXPECT_EQ(verdict(6, 1e-7f), Verdict::Pass);
  EXPECT_EQ(verdict(6, 3e-7f), Verdict::Fail);
  // A row that stands out from its head has the errors of its own values.
  Large large;
  for (int64_t i = 0; i < 4; ++i)
    large.got[i] = large.expected[i] = 1e5f;
  large.got[2] += 8;
  EXPECT_EQ(large.compare(tolerance).verdict, Verdict::Pass);
  // Rounding to the type is free.
  large.got[9] = 0;
  large.expected[9] = 0x1p-10;
  tolerance.element = 1e-9;
  large.got[2] = 1e5f;
  EXPECT_EQ(large.compare(tolerance).verdict, Verdict::Fail);
  large.got[9] = 0x1p-10 + 0x1p-19;
  EXPECT_EQ(large.compare(tolerance).verdict, Verdict::Fail);
  tolerance.type = DN_TYPE_BF16;
  EXPECT_EQ(large.compare(tolerance).verdict, Verdict::Pass);
}

TEST(Comparison, EmptyAndMissing) {
  EXPECT_EQ(compare({}, {}).verdict, Verdict::Pass);
  Comparison missing = compare({}, {1, 2});
  EXPECT_EQ(missing.verdict, Verdict::Fail);
  EXPECT_EQ(missing.reason, "expected 2 elements, got 0");
}

TEST(Limits, Table) {
  auto check = [](Algorithm algorithm, dn_type type, double output,
                  double state) {
    ErrorLimits limits = errorLimits(algorithm, type, false);
    EXPECT_EQ(limits.output, output);
    EXPECT_EQ(limits.state, state);
  };
  check(Algorithm::Recurrent, DN_TYPE_F32, 1e-6, 1e-6);
  check(Algorithm::Recurrent, DN_TYPE_BF16, 0.0020, 1e-6);
  check(Algorithm::Recurrent, DN_TYPE_F16, 5e-4, 1e-6);
  check(Algorithm::Chunked, DN_TYPE_F32, 1e-5, 1e-5);
  check(Algorithm::Chunked, DN_TYPE_BF16, 0.0020, 1e-5);
  check(Algorithm::Chunked, DN_TYPE_F16, 5e-4, 1e-5);
  check(Algorithm::ChunkedMatrix, DN_TYPE_F32, 1e-5, 1e-5);
  check(Algorithm::ChunkedMatrix, DN_TYPE_BF16, 0.0040, 0.0040);
  check(Algorithm::ChunkedMatrix, DN_TYPE_F16, 0.0020, 0.0040);
}

TEST(Limits, CorrelatedKeysWidenMatrixUnitsOnly) {
  EXPECT_EQ(errorLimits(Algorithm::ChunkedMatrix, DN_TYPE_BF16, true).state,
            0.01);
  EXPECT_EQ(errorLimits(Algorithm::ChunkedMatrix, DN_TYPE_F32, true).output,
            1e-5);
  EXPECT_EQ(errorLimits(Algorithm::Chunked, DN_TYPE_BF16, true).output, 0.0020);
  EXPECT_EQ(errorLimits(Algorithm::Recurrent, DN_TYPE_BF16, true).state, 1e-6);
}

TEST(Limits, BeforeRoundingAnOutputIsAsGoodAsAState) {
  for (dn_type type : {DN_TYPE_F32, DN_TYPE_BF16, DN_TYPE_F16}) {
    EXPECT_EQ(errorLimits(Algorithm::Recurrent, type, false).computed, 1e-6);
    EXPECT_EQ(errorLimits(Algorithm::Chunked, type, false).computed, 1e-5);
  }
  EXPECT_EQ(errorLimits(Algorithm::ChunkedMatrix, DN_TYPE_F16, false).computed,
            0.0020);
}

TEST(Limits, RoundingErrorHoldsAndIsReached) {
  for (dn_type type : {DN_TYPE_BF16, DN_TYPE_F16}) {
    // Just above a power of two, half way between two values.
    float unit = type == DN_TYPE_BF16 ? 0x1p-7f : 0x1p-10f;
    EXPECT_NEAR(roundingError(type, 1), unit / 2, 1e-12);
    for (float x = 1e-7f; x < 6e4f; x *= 1.0137f)
      EXPECT_LE(std::fabs(roundTo(type, x) - double(x)), roundingError(type, x))
          << x;
  }
  EXPECT_EQ(roundingError(DN_TYPE_F16, 0x1p-25), 0x1p-25);
  EXPECT_EQ(roundingError(DN_TYPE_F32, 1), 0);
}

TEST(Limits, ValuesThatTheTypeCannotHoldAllowNothing) {
  EXPECT_EQ(roundingAllowance(DN_TYPE_F16, {1e5, 1}), 0);
  EXPECT_EQ(roundingAllowance(DN_TYPE_BF16, {1e39, 1}), 0);
  double allowed = roundingAllowance(DN_TYPE_F16, {1e5, 1 + 0x1p-12});
  EXPECT_GT(allowed, 0);
  EXPECT_LT(allowed, 1e-8);
}

TEST(Limits, NamesParseBack) {
  for (Algorithm algorithm :
       {Algorithm::Recurrent, Algorithm::Chunked, Algorithm::ChunkedMatrix})
    EXPECT_EQ(parseAlgorithm(algorithmName(algorithm)), algorithm);
  EXPECT_FALSE(parseAlgorithm("magic").has_value());
}

} // namespace
