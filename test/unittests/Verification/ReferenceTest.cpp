//===- ReferenceTest.cpp - The float64 recurrence by hand -----------------===//
//
// Part of the Delta-Net project.
//
// Numbers worked out by hand, most from public bug reports. Scalars are
// embedded in channel 0 of K = V = 16 with scale 1; agreement with public model
// code is RecordedProblemTest's.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/Reference.h"
#include "deltanet/Verification/InputGenerator.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace mlir::deltanet::verification;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

/// H = HV = 1, K = V = 16, all zero but what the tests set.
struct Scalars {
  Problem problem;

  explicit Scalars(int64_t tokens, dn_rule rule = DN_RULE_GATED) {
    RuleFacts &facts = problem.facts;
    facts.rule = rule;
    facts.h = facts.hv = 1;
    facts.k = facts.v = 16;
    facts.scale = 1.0;
    problem.tokens = tokens;
    problem.cuSeqlens = {0, tokens};
    problem.q.assign(tokens * 16, 0.f);
    problem.k.assign(tokens * 16, 0.f);
    problem.v.assign(tokens * 16, 0.f);
    problem.beta.assign(tokens, 0.f);
    if (rule == DN_RULE_GATED)
      problem.g.assign(tokens, 0.f);
    problem.stateIn.assign(256, 0.f);
  }
  void token(int64_t t, float q, float k, float v, float beta, float g = 0) {
    problem.q[t * 16] = q;
    problem.k[t * 16] = k;
    problem.v[t * 16] = v;
    problem.beta[t] = beta;
    if (!problem.g.empty())
      problem.g[t] = g;
  }
  ReferenceResult run() {
    llvm::cantFail(validate(problem));
    return computeReference(problem);
  }
};

TEST(Reference, Case01DecayComesBeforeTheErrorTerm) {
  Scalars scalars(1);
  scalars.problem.stateIn[0] = 2;
  scalars.token(0, 1, 1, 3, .5f, std::log(.5f));
  ReferenceResult result = scalars.run();
  EXPECT_NEAR(result.o[0], 2.0, 1e-7); // 1.5 if the decay came later
  EXPECT_NEAR(result.finalState[0], 2.0, 1e-7);
}

TEST(Reference, Case02DeltaRuleEqualsGateZeroToTheBit) {
  Scalars delta(1, DN_RULE_DELTA), gated(1);
  for (Scalars *scalars : {&delta, &gated}) {
    scalars->problem.stateIn[0] = 2;
    scalars->token(0, 1, 1, 3, .5f);
    ReferenceResult result = scalars->run();
    EXPECT_EQ(result.o[0], 2.5);
    EXPECT_EQ(result.finalState[0], 2.5);
  }
  EXPECT_EQ(delta.run().finalState, gated.run().finalState);
}

TEST(Reference, Case22LargeStateSurvivesNarrowActivations) {
  Scalars scalars(1);
  scalars.problem.facts.ioType = DN_TYPE_F16;
  scalars.problem.stateIn[0] = 65536;
  scalars.token(0, 0, 0, 0, 0, -4);
  EXPECT_NEAR(scalars.run().finalState[0], 1200.33, 0.01);
}

TEST(Reference, Case25BetaTwoReflects) {
  Scalars scalars(3);
  scalars.problem.stateIn[0] = 1;
  for (int64_t t = 0; t < 3; ++t)
    scalars.token(t, 1, 1, 0, 2);
  ReferenceResult result = scalars.run();
  EXPECT_EQ(result.o[0 * 16], -1.0);
  EXPECT_EQ(result.o[1 * 16], 1.0);
  EXPECT_EQ(result.o[2 * 16], -1.0);
  EXPECT_EQ(result.finalState[0], -1.0);
}

TEST(Reference, FullForgetIsExact) {
  Scalars scalars(1);
  scalars.problem.stateIn.assign(256, 1e30f);
  scalars.token(0, 1, 1, 3, .5f, -inf);
  ReferenceResult result = scalars.run();
  EXPECT_EQ(result.finalState[0], 1.5);
  EXPECT_EQ(result.finalState[255], 0.0);
}

TEST(Reference, ScaleMultipliesTheReadOnly) {
  Scalars scalars(1);
  scalars.problem.facts.scale = 0.25;
  scalars.token(0, 2, 1, 3, 1);
  ReferenceResult result = scalars.run();
  EXPECT_EQ(result.o[0], 1.5);
  EXPECT_EQ(result.finalState[0], 3.0);
}

TEST(Reference, StateRowsAreKeyChannels) {
  Scalars scalars(1);
  scalars.problem.k[2] = 1; // key channel 2
  scalars.problem.v[5] = 7; // value channel 5
  scalars.problem.q[2] = 1;
  scalars.problem.beta[0] = 1;
  ReferenceResult result = scalars.run();
  EXPECT_EQ(result.finalState[2 * 16 + 5], 7.0);
  EXPECT_EQ(result.o[5], 7.0);
}

TEST(Reference, NormAddsEpsInsideTheSumAndKeepsZeroRows) {
  Scalars scalars(2);
  scalars.problem.facts.l2normEps = 7.0;
  scalars.token(0, 0, 3, 8, 1); // 3 / sqrt(9 + 7) = 0.75
  ReferenceResult result = scalars.run();
  EXPECT_DOUBLE_EQ(result.finalState[0], 6.0);
  scalars.problem.facts.l2normEps = 0.0;
  scalars.token(1, 0, 0, 5, 1);
  EXPECT_DOUBLE_EQ(scalars.run().finalState[0], 8.0);
}

TEST(Reference, HeadMaps) {
  RuleFacts facts;
  facts.h = 2;
  facts.hv = 6;
  std::vector<int64_t> grouped, tiled;
  for (int64_t hv = 0; hv < 6; ++hv)
    grouped.push_back(facts.keyHead(hv));
  facts.headMap = DN_HEAD_MAP_TILED;
  for (int64_t hv = 0; hv < 6; ++hv)
    tiled.push_back(facts.keyHead(hv));
  EXPECT_EQ(grouped, (std::vector<int64_t>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(tiled, (std::vector<int64_t>{0, 1, 0, 1, 0, 1}));
}

Problem generated(llvm::ArrayRef<int64_t> lengths) {
  RuleFacts facts;
  facts.h = 2;
  facts.hv = 4;
  facts.k = 16;
  facts.v = 32;
  facts.scale = 0.25;
  return llvm::cantFail(generateProblem(facts, lengths, GeneratorOptions()));
}

TEST(Reference, EmptySequencesReturnTheirInitialState) {
  Problem problem = generated({0, 3, 0});
  ReferenceResult result = computeReference(problem);
  int64_t state = 4 * 16 * 32;
  for (int64_t i = 0; i < state; ++i) {
    EXPECT_EQ(result.finalState[i], problem.stateIn[i]);
    EXPECT_EQ(result.finalState[2 * state + i], problem.stateIn[2 * state + i]);
  }
  EXPECT_NE(result.finalState[state], problem.stateIn[state]);
}

TEST(Reference, SequencesEqualTheirSoloRunsAndThreadsChangeNothing) {
  Problem problem = generated({5, 0, 9});
  ReferenceOptions options;
  options.keepStates = true;
  ReferenceResult all = computeReference(problem, options);
  options.threads = 5;
  ReferenceResult threaded = computeReference(problem, options);
  EXPECT_EQ(all.o, threaded.o);
  EXPECT_EQ(all.states, threaded.states);
  EXPECT_EQ(all.finalState, threaded.finalState);

  int64_t state = 4 * 16 * 32, row = 4 * 32;
  for (int64_t n = 0; n < 3; ++n) {
    int64_t begin = problem.cuSeqlens[n], end = problem.cuSeqlens[n + 1];
    Problem solo = sliceTokens(problem, begin, end,
                               {problem.stateIn.begin() + n * state,
                                problem.stateIn.begin() + (n + 1) * state});
    llvm::cantFail(validate(solo));
    ReferenceResult result = computeReference(solo);
    EXPECT_TRUE(std::equal(result.o.begin(), result.o.end(),
                           all.o.begin() + begin * row));
    EXPECT_TRUE(std::equal(result.finalState.begin(), result.finalState.end(),
                           all.finalState.begin() + n * state));
    if (begin < end) {
      EXPECT_TRUE(std::equal(result.finalState.begin(), result.finalState.end(),
                             all.states.begin() + (end - 1) * state));
    }
  }
}

TEST(Reference, Float32IsNearButNotEqual) {
  Scalars scalars(1);
  scalars.problem.stateIn[0] = 1;
  float third = 1.f / 3;
  scalars.token(0, third, third, 2, third);
  ReferenceResult exact = scalars.run();
  ReferenceOptions options;
  options.float32 = true;
  ReferenceResult rounded = computeReference(scalars.problem, options);
  EXPECT_NE(exact.o[0], rounded.o[0]);
  EXPECT_NEAR(exact.o[0], rounded.o[0], 1e-7);
  EXPECT_EQ(rounded.o[0], float(rounded.o[0]));
}

TEST(Reference, ReportsProgress) {
  int64_t calls = 0, last = 0;
  computeReference(generated({3, 2}), {}, [&](int64_t done, int64_t total) {
    EXPECT_EQ(total, 8);
    EXPECT_EQ(done, ++calls);
    last = done;
  });
  EXPECT_EQ(last, 8);
}

TEST(Problem, ValidateNamesWhatIsWrong) {
  auto message = [](Problem problem) {
    llvm::Error error = validate(problem);
    return error ? llvm::toString(std::move(error)) : std::string();
  };
  Problem good = generated({2, 3}), bad = good;
  EXPECT_EQ(message(good), "");
  bad.v.pop_back();
  EXPECT_EQ(message(bad), "v: expected 640 elements, got 639");
  bad = good;
  bad.g.clear();
  EXPECT_EQ(message(bad), "g: expected 20 elements, got 0");
  bad = good;
  bad.cuSeqlens = {0, 4, 3};
  EXPECT_EQ(message(bad), "cu_seqlens: expected ascending offsets, got 3 after "
                          "4 at index 2");
  bad.cuSeqlens = {0, 2, 6};
  EXPECT_EQ(message(bad), "cu_seqlens: expected offsets up to T = 5, got 6");
  bad.cuSeqlens = {1, 2, 5};
  EXPECT_EQ(message(bad), "cu_seqlens: expected 0 as first offset, got 1");
  bad.cuSeqlens = {0, 5};
  EXPECT_EQ(message(bad), "cu_seqlens: expected N+1 = 3 offsets, got 2");
  bad = good;
  bad.facts.h = 3;
  EXPECT_EQ(message(bad), "expected HV to be a multiple of H, got HV = 4 and "
                          "H = 3");
  bad.facts.h = 0;
  EXPECT_EQ(message(bad), "expected H, HV, K and V of at least 1, got H = 0, "
                          "HV = 4, K = 16, V = 32");
  bad = good;
  bad.tokens = -1;
  EXPECT_EQ(message(bad), "expected T >= 0 and N >= 0, got T = -1 and N = 2");
}

TEST(Problem, RefusesWhatNoMachineHolds) {
  RuleFacts facts;
  facts.h = facts.hv = 16;
  facts.k = facts.v = 128;
  for (auto [tokens, sequences] :
       {std::pair<int64_t, int64_t>{INT64_MAX, 1}, {1, INT64_MAX}}) {
    llvm::Expected<int64_t> size = checkedElements(facts, tokens, sequences);
    ASSERT_FALSE(bool(size));
    EXPECT_NE(llvm::toString(size.takeError()).find("expected at most"),
              std::string::npos);
  }
}

} // namespace
