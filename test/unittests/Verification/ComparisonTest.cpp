//===- ComparisonTest.cpp - Error measures, verdicts and limits -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/Comparison.h"
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

TEST(Limits, NamesParseBack) {
  for (Algorithm algorithm :
       {Algorithm::Recurrent, Algorithm::Chunked, Algorithm::ChunkedMatrix})
    EXPECT_EQ(parseAlgorithm(algorithmName(algorithm)), algorithm);
  EXPECT_FALSE(parseAlgorithm("magic").has_value());
}

} // namespace
