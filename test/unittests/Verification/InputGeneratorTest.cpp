//===- InputGeneratorTest.cpp - Reproducible inputs -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/InputGenerator.h"
#include "deltanet/Verification/ElementTypes.h"
#include "llvm/Support/CRC.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>

using namespace mlir::deltanet::verification;

namespace {

RuleFacts someFacts() {
  RuleFacts facts;
  facts.h = 2;
  facts.hv = 4;
  facts.k = 64;
  facts.v = 32;
  facts.scale = 0.125;
  return facts;
}

Problem make(GeneratorOptions options = {}, RuleFacts facts = someFacts(),
             std::vector<int64_t> lengths = {100, 0, 28}) {
  Problem problem = llvm::cantFail(generateProblem(facts, lengths, options));
  llvm::cantFail(validate(problem));
  return problem;
}

uint32_t checksum(const std::vector<float> &values) {
  return llvm::crc32({reinterpret_cast<const uint8_t *>(values.data()),
                      values.size() * sizeof(float)});
}

double length(const std::vector<float> &rows, int64_t row, int64_t k) {
  double sum = 0;
  for (int64_t i = 0; i < k; ++i)
    sum += double(rows[row * k + i]) * rows[row * k + i];
  return std::sqrt(sum);
}

std::pair<float, float> range(const std::vector<float> &values) {
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, *high};
}

/// Pins what a seed means: these bits are the same on every machine.
TEST(InputGenerator, SameBitsEverywhere) {
  GeneratorOptions options;
  options.seed = 7;
  Problem problem = make(options);
  EXPECT_EQ(checksum(problem.q), 482301083u);
  EXPECT_EQ(checksum(problem.k), 2104649003u);
  EXPECT_EQ(checksum(problem.v), 3907477872u);
  EXPECT_EQ(checksum(problem.g), 1177038383u);
  EXPECT_EQ(checksum(problem.beta), 431203975u);
  EXPECT_EQ(checksum(problem.stateIn), 4185338668u);
}

TEST(InputGenerator, SeedsDiffer) {
  GeneratorOptions options;
  Problem first = make(options);
  options.seed = 1;
  Problem second = make(options);
  EXPECT_NE(first.q, second.q);
  EXPECT_NE(first.g, second.g);
  EXPECT_NE(first.stateIn, second.stateIn);
}

TEST(InputGenerator, TokensDoNotDependOnTheNumberOfTokens) {
  Problem shorter = make({}, someFacts(), {10}),
          longer = make({}, someFacts(), {20});
  longer.q.resize(shorter.q.size());
  longer.g.resize(shorter.g.size());
  EXPECT_EQ(shorter.q, longer.q);
  EXPECT_EQ(shorter.g, longer.g);
}

TEST(InputGenerator, ValuesAreStandardNormal) {
  Problem problem = make({}, someFacts(), {400});
  double sum = 0, sum2 = 0;
  for (float v : problem.v) {
    sum += v;
    sum2 += double(v) * v;
  }
  double count = double(problem.v.size()); // 51200
  EXPECT_NEAR(sum / count, 0, 0.02);
  EXPECT_NEAR(sum2 / count, 1, 0.03);
  EXPECT_NE(problem.q, problem.k);
}

TEST(InputGenerator, RowsHaveUnitLength) {
  Problem problem = make();
  for (int64_t row = 0; row < 128 * 2; ++row) {
    EXPECT_NEAR(length(problem.q, row, 64), 1, 1e-6);
    EXPECT_NEAR(length(problem.k, row, 64), 1, 1e-6);
  }
}

TEST(InputGenerator, RowsSpreadWhereTheRuleNormalises) {
  RuleFacts facts = someFacts();
  facts.l2normEps = 1e-6;
  Problem problem = make({}, facts);
  double low = 1e9, high = 0;
  int64_t zeros = 0;
  for (int64_t row = 0; row < 128 * 2; ++row) {
    double size = length(problem.k, row, 64);
    zeros += size == 0;
    high = std::max(high, size);
    low = size == 0 ? low : std::min(low, size);
  }
  EXPECT_GT(zeros, 10);
  EXPECT_LT(low, 2e-4);
  EXPECT_GT(high, 50);
}

TEST(InputGenerator, ActivationsAreRounded) {
  for (dn_type type : {DN_TYPE_BF16, DN_TYPE_F16}) {
    RuleFacts facts = someFacts();
    facts.ioType = type;
    Problem problem = make({}, facts);
    for (const std::vector<float> *tensor :
         {&problem.q, &problem.k, &problem.v})
      for (float value : *tensor)
        ASSERT_EQ(value, roundTo(type, value));
  }
}

TEST(InputGenerator, Gates) {
  auto gates = [](Gates kind) {
    GeneratorOptions options;
    options.gates = kind;
    return make(options).g;
  };
  EXPECT_EQ(range(gates(Gates::Zero)), std::make_pair(-0.f, -0.f));
  EXPECT_EQ(range(gates(Gates::Strong)), std::make_pair(-20.f, -20.f));
  EXPECT_EQ(range(gates(Gates::Mixed)), std::make_pair(-20.f, 0.f));
  EXPECT_EQ(range(gates(Gates::Reset)).first, -200.f);
  auto [weakLow, weakHigh] = range(gates(Gates::Weak));
  EXPECT_GE(weakLow, -3e-3f);
  EXPECT_LE(weakHigh, -1e-5f);
  auto [hugeLow, hugeHigh] = range(gates(Gates::Huge));
  EXPECT_GE(hugeLow, -1e5f);
  EXPECT_LE(hugeHigh, -1e3f);
  std::vector<float> forget = gates(Gates::NegInf);
  int64_t infinite = std::count(forget.begin(), forget.end(), -INFINITY);
  EXPECT_GT(infinite, 30);
  EXPECT_LT(infinite, 100);
}

TEST(InputGenerator, RealisticGatesSpread) {
  Problem problem = make({}, someFacts(), {2000});
  auto [low, high] = range(problem.g);
  EXPECT_LT(low, -10);
  EXPECT_GT(high, -1e-2);
  EXPECT_LE(high, 0);
  int64_t weak = std::count_if(problem.g.begin(), problem.g.end(),
                               [](float g) { return g > -0.1; });
  EXPECT_GT(weak, int64_t(problem.g.size()) / 3);
}

TEST(InputGenerator, Betas) {
  auto betas = [](Betas kind) {
    GeneratorOptions options;
    options.betas = kind;
    return range(make(options).beta);
  };
  EXPECT_EQ(betas(Betas::Zero), std::make_pair(0.f, 0.f));
  EXPECT_EQ(betas(Betas::One), std::make_pair(1.f, 1.f));
  EXPECT_LE(betas(Betas::Uniform).second, 1);
  EXPECT_GT(betas(Betas::Two).second, 1.5);
  EXPECT_LE(betas(Betas::Two).second, 2);
}

TEST(InputGenerator, Keys) {
  GeneratorOptions options;
  options.keys = Keys::Correlated;
  Problem problem = make(options);
  EXPECT_TRUE(problem.correlatedKeys);
  double dot = 0;
  for (int64_t i = 0; i < 64; ++i)
    dot += double(problem.k[i]) * problem.k[50 * 2 * 64 + i];
  EXPECT_GT(dot, 0.999);
  options.keys = Keys::Zero;
  problem = make(options);
  EXPECT_EQ(length(problem.k, 3 * 2, 64), 0);
  EXPECT_EQ(length(problem.q, 3 * 2 + 1, 64), 0);
  EXPECT_NEAR(length(problem.q, 4 * 2, 64), 1, 1e-6);
}

TEST(InputGenerator, DeltaRuleHasNoGateAndStatesAreOptional) {
  RuleFacts facts = someFacts();
  facts.rule = DN_RULE_DELTA;
  GeneratorOptions options;
  options.initialState = false;
  Problem problem = make(options, facts, {});
  EXPECT_EQ(problem.sequences, 0);
  EXPECT_TRUE(problem.g.empty());
  EXPECT_TRUE(problem.stateIn.empty());
}

TEST(InputGenerator, RefusesBadLengths) {
  auto error = [](std::vector<int64_t> lengths) {
    auto problem = generateProblem(someFacts(), lengths, {});
    return problem ? "" : llvm::toString(problem.takeError());
  };
  EXPECT_EQ(error({3, -1}), "expected lengths of at least 0, got -1");
  EXPECT_NE(error({INT64_MAX / 2, INT64_MAX / 2}).find("expected at most"),
            std::string::npos);
}

} // namespace
