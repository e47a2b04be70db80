//===- ScalarsTest.cpp - Rules worked by hand -----------------------------===//
//
// Part of the Delta-Net project.
//
// Scalars are embedded in the first of 16 channels. Tests named Case<n> hold a
// mistake that public kernels have made.
//
//===----------------------------------------------------------------------===//

#include "Runs.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

/// One head of 16x16 with scale 1.
static KernelSpec scalarSpec(dn_rule rule) {
  KernelSpec spec = f32Spec();
  spec.rule = rule;
  spec.h = spec.hv = 1;
  spec.k = spec.v = 16;
  spec.scale = 1;
  return spec;
}

namespace {
struct Scalars {
  float q, k, v, g, beta, state;
  int64_t tokens = 1;
};
} // namespace

/// The same scalars at every token.
static Problem embed(const KernelSpec &spec, const Scalars &scalars) {
  GeneratorOptions options;
  Problem problem = makeProblem(spec, {scalars.tokens}, options);
  auto fill = [&](std::vector<float> &tensor, float value, int64_t row) {
    for (size_t i = 0; i < tensor.size(); ++i)
      tensor[i] = i % row == 0 ? value : 0;
  };
  fill(problem.q, scalars.q, 16);
  fill(problem.k, scalars.k, 16);
  fill(problem.v, scalars.v, 16);
  fill(problem.g, scalars.g, 1);
  fill(problem.beta, scalars.beta, 1);
  fill(problem.stateIn, scalars.state, 256);
  return problem;
}

TEST(Cases, Case01_DecayComesBeforeTheErrorTerm) {
  KernelSpec spec = scalarSpec(DN_RULE_GATED);
  Scalars scalars{1, 1, 3, std::log(.5f), .5f, 2};
  Problem problem = embed(spec, scalars);
  CompiledKernels kernels(everyAlgorithm(spec, /*chunk=*/16));
  for (const Variant &variant : kernels.variants()) {
    RunResult result = run(variant, problem);
    // 1.5 if the decay came after.
    EXPECT_NEAR(result.o[0], 2, 1e-6) << variant.text();
    EXPECT_NEAR(result.finalState[0], 2, 1e-6) << variant.text();
  }
}

TEST(Cases, Case02_NoGateIsNoDecay) {
  KernelSpec delta = scalarSpec(DN_RULE_DELTA);
  Problem problem = embed(delta, {1, 1, 3, 0, .5f, 2});
  CompiledKernels kernels(everyAlgorithm(delta, /*chunk=*/16));
  for (const Variant &variant : kernels.variants()) {
    RunResult result = run(variant, problem);
    EXPECT_FLOAT_EQ(result.o[0], 2.5) << variant.text();
    EXPECT_FLOAT_EQ(result.finalState[0], 2.5) << variant.text();
  }
}

TEST(Cases, Case02_NoGateEqualsGateZeroToTheBit) {
  KernelSpec delta = f32Spec();
  delta.rule = DN_RULE_DELTA;
  KernelSpec gated = f32Spec();
  CompiledKernels deltaKernels(everyAlgorithm(delta));
  CompiledKernels gatedKernels(everyAlgorithm(gated));
  GeneratorOptions options;
  options.gates = Gates::Zero;
  Problem withGate = makeProblem(gated, {65}, options);
  Problem without = makeProblem(delta, {65}, options);
  ASSERT_EQ(deltaKernels.variants().size(), gatedKernels.variants().size());
  for (auto [first, second] :
       llvm::zip(deltaKernels.variants(), gatedKernels.variants())) {
    RunResult x = run(first, without), y = run(second, withGate);
    EXPECT_TRUE(sameBits(x.o, y.o)) << first.text();
    EXPECT_TRUE(sameBits(x.finalState, y.finalState)) << first.text();
  }
}

TEST(Cases, Case22_LargeStateWithNarrowActivations) {
  KernelSpec spec = scalarSpec(DN_RULE_GATED);
  spec.ioType = DN_TYPE_F16;
  Problem problem = embed(spec, {0, 0, 0, -4, .5f, 65536});
  CompiledKernels kernels(everyAlgorithm(spec, /*chunk=*/16));
  for (const Variant &variant : kernels.variants()) {
    RunResult result = run(variant, problem);
    EXPECT_NEAR(result.finalState[0], 1200.3343, 1e-3) << variant.text();
    EXPECT_EQ(result.o[0], 0) << variant.text();
  }
}

TEST(Cases, Case25_BetaTwoReflects) {
  KernelSpec spec = scalarSpec(DN_RULE_GATED);
  Problem problem = embed(spec, {1, 1, 0, 0, 2, 1, /*tokens=*/3});
  CompiledKernels kernels(everyAlgorithm(spec, /*chunk=*/16));
  for (const Variant &variant : kernels.variants()) {
    RunResult result = run(variant, problem);
    EXPECT_FLOAT_EQ(result.finalState[0], -1) << variant.text();
    for (int t = 0; t < 3; ++t)
      EXPECT_FLOAT_EQ(result.o[t * 16], t % 2 ? 1 : -1) << variant.text();
  }
}
