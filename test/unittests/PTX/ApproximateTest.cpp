//===- ApproximateTest.cpp - Functions that are promised up to an error ---===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "RoundingOracle.h"

using namespace mlir::deltanet::ptx;
using namespace mlir::deltanet::ptx::test;

namespace {

/// What a function may give: an exact value and the largest error.
using Exactly = long double (*)(long double);
using Allowed = long double (*)(long double operand, long double exact);

template <typename T> long double ulpOf(long double exact) {
  int least = 2 - (1 << (exponentBits<T>() - 1));
  int exponent = exact == 0 ? least : std::max(std::ilogb(exact), least);
  return std::ldexp(1.0L, exponent - int(fractionBits<T>()));
}

/// Results stay within an error of the exact ones, but are not all the nearest
/// ones: some differ from them by at least `part` of what is allowed.
template <typename T>
void checkError(const char *body, double low, double high, Exactly exactly,
                Allowed allowed, double part = 0.5) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> range(low, high);
  std::vector<T> operands;
  while (operands.size() < 4096)
    operands.push_back(roundTo<T>(Mode::Nearest, {range(random)}));
  Outcome outcome = run(body, {valuesOf(operands)}, {sizeof(T)});
  ASSERT_EQ(outcome.error, "");
  ASSERT_TRUE(outcome.findings.empty());
  std::vector<T> results = valuesAs<T>(outcome.results[0]);
  long double most = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    long double operand = asDouble(operands[i]), exact = exactly(operand);
    long double bound = allowed(operand, exact);
    long double error = std::fabs(asDouble(results[i]) - exact);
    ASSERT_LE(error, bound * (1 + 1e-9L)) << body << " of " << operand;
    most = std::max(most, error / bound);
  }
  EXPECT_GE(most, part) << body;
}

long double twoUlps(long double, long double exact) {
  return 2.5L * ulpOf<float>(exact);
}
template <int hundredths> // of a power of two
long double relative(long double, long double exact) {
  return std::exp2(hundredths / 100.0L) * std::fabs(exact);
}
template <int thousandths> long double absolute(long double, long double) {
  return std::exp2(thousandths / 1000.0L);
}
long double reciprocal(long double a) { return 1 / a; }
long double reciprocalRoot(long double a) { return 1 / std::sqrt(a); }

TEST(Approximate, ErrorsOfFloats) {
  checkError<float>("ex2.approx.f32 %w, %a;", -20, 20, std::exp2, twoUlps);
  checkError<float>("ex2.approx.f32 %w, %a;", -148, -126, std::exp2, twoUlps);
  checkError<float>("lg2.approx.f32 %w, %a;", 0.5, 2, std::log2,
                    absolute<-22000>);
  checkError<float>("lg2.approx.f32 %w, %a;", 2, 1e9, std::log2,
                    relative<-2200>);
  checkError<float>(
      "rcp.approx.f32 %w, %a;", 0.01, 100, reciprocal,
      +[](long double, long double exact) { return ulpOf<float>(exact); });
  checkError<float>("sqrt.approx.f32 %w, %a;", 0, 1e6, std::sqrt,
                    relative<-2300>);
  checkError<float>("rsqrt.approx.f32 %w, %a;", 0, 1e6, reciprocalRoot,
                    relative<-2290>);
  checkError<float>("tanh.approx.f32 %w, %a;", -4, 4, std::tanh,
                    relative<-1100>);
  checkError<float>("sin.approx.f32 %w, %a;", -6.28, 6.28, std::sin,
                    absolute<-20500>);
  checkError<float>("cos.approx.f32 %w, %a;", 7, 300, std::cos,
                    absolute<-14700>);
}

TEST(Approximate, ErrorsOfHalves) {
  checkError<Half>("ex2.approx.f16 %w, %a;", -10, 10, std::exp2,
                   relative<-990>);
  checkError<Brain>("ex2.approx.ftz.bf16 %w, %a;", -10, 10, std::exp2,
                    relative<-700>);
  checkError<Half>("tanh.approx.f16 %w, %a;", -4, 4, std::tanh,
                   absolute<-10987>);
  checkError<Brain>("tanh.approx.bf16 %w, %a;", -4, 4, std::tanh,
                    absolute<-8000>);
}

TEST(Approximate, ErrorsOfQuotients) {
  checkError<float>(
      "div.approx.f32 %w, 0f40400000, %a;", 0.01, 100,
      +[](long double a) { return 3 / a; }, twoUlps);
  checkError<float>(
      "div.full.f32 %w, 0f40400000, %a;", 0.01, 100,
      +[](long double a) { return 3 / a; }, twoUlps);
}

/// The result of one operand.
uint32_t resultOf(const std::string &instruction, uint32_t operand) {
  Outcome outcome = run(instruction + " %w, %a;", {{4, {operand}}}, {4});
  EXPECT_EQ(outcome.error, "");
  return outcome.results.empty() ? 0 : outcome.results[0].bits[0];
}

TEST(Approximate, SpecialOperands) {
  constexpr uint32_t plus = 0, minus = 0x80000000, infinity = 0x7F800000,
                     nan = 0x7FFFFFFF, one = 0x3F800000;
  struct Row {
    const char *instruction;
    uint32_t ofMinusInfinity, ofMinusOne, ofMinusZero, ofZero, ofInfinity;
    bool isExactOfMinusOne;
  };
  const Row rows[] = {
      {"ex2.approx.f32", plus, 0, one, one, infinity, false},
      {"ex2.approx.ftz.f32", plus, 0, one, one, infinity, false},
      {"lg2.approx.f32", nan, nan, infinity | minus, infinity | minus, infinity,
       true},
      {"rcp.approx.ftz.f32", minus, 0, infinity | minus, infinity, plus, false},
      {"sqrt.approx.f32", nan, nan, minus, plus, infinity, true},
      {"rsqrt.approx.f32", nan, nan, infinity | minus, infinity, plus, true},
      {"tanh.approx.f32", one | minus, 0, minus, plus, one, false},
      {"sin.approx.f32", nan, 0, minus, plus, nan, false},
      {"cos.approx.f32", nan, 0, one, one, nan, false},
  };
  for (const Row &row : rows) {
    SCOPED_TRACE(row.instruction);
    EXPECT_EQ(resultOf(row.instruction, infinity | minus), row.ofMinusInfinity);
    if (row.isExactOfMinusOne) {
      EXPECT_EQ(resultOf(row.instruction, one | minus), row.ofMinusOne);
    }
    EXPECT_EQ(resultOf(row.instruction, minus), row.ofMinusZero);
    EXPECT_EQ(resultOf(row.instruction, plus), row.ofZero);
    EXPECT_EQ(resultOf(row.instruction, infinity), row.ofInfinity);
    EXPECT_EQ(resultOf(row.instruction, 0x7FC00001), nan);
  }
  // A subnormal operand is a zero only where it is flushed.
  EXPECT_EQ(resultOf("rsqrt.approx.ftz.f32", 1), infinity);
  EXPECT_LT(resultOf("rsqrt.approx.f32", 1), infinity);
  EXPECT_EQ(resultOf("ex2.approx.ftz.f32", 0xC3010000), plus); // 2^-129
  EXPECT_NE(resultOf("ex2.approx.f32", 0xC3010000), plus);
  EXPECT_EQ(resultOf("ex2.approx.f32", 0x43000000), infinity); // 2^128
}

TEST(Approximate, LargeDivisors) {
  const std::string body = "mov.f32 %r0, 0f7F000000;"; // 2^127
  check(
      body + "div.approx.f32 %w, 0f7F000000, %r0;",
      +[](float) { return 0.0f; });
  check(
      body + "div.approx.f32 %w, 0f7F800000, %r0;",
      +[](float) { return oneNaN(NAN); });
}

TEST(Approximate, ExactForms) {
  check("rcp.rn.f32 %w, %a;", +[](float a) { return oneNaN(1 / a); });
  check("sqrt.rn.f32 %w, %a;", +[](float a) { return oneNaN(std::sqrt(a)); });
  check(
      "sqrt.rz.f32 %w, %a;", +[](float a) {
        if (!(a > 0) || std::isinf(a))
          return oneNaN(std::sqrt(a));
        float root = std::sqrt(a);
        return double(root) * root > a ? std::nextafter(root, 0.0f) : root;
      });
  // Which NaN results is not said.
  check(
      "testp.number.f64 %p0, %a; mov.f64 %w, 0d0000000000000000;"
      "@%p0 rcp.rn.f64 %w, %a;",
      +[](double a) { return std::isnan(a) ? 0.0 : 1 / a; });
}

TEST(Approximate, SameOperandsHaveSameResults) {
  check(
      "ex2.approx.f32 %r0, %a; ex2.approx.f32 %r1, %a; xor.b32 %w, %r0, %r1;",
      +[](float) { return uint32_t(0); });
}

TEST(Approximate, UnknownForms) {
  for (const char *body :
       {"ex2.f32 %r0, %r1;", "rcp.f32 %r0, %r1;", "ex2.approx.bf16 %h0, %h1;",
        "tanh.approx.ftz.f32 %r0, %r1;", "rsqrt.rn.f32 %r0, %r1;",
        "rcp.approx.ftz.f64 %l0, %l1;", "lg2.approx.f16 %h0, %h1;",
        "div.approx.f64 %l0, %l1, %l2;"})
    EXPECT_NE(parseError(body), "") << body;
}

} // namespace
