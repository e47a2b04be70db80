//===- NumericsTest.cpp - Values that break kernels -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Runs.h"
#include "deltanet/Verification/ElementTypes.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

TEST(Cases, Case24_CorrelatedKeys) {
  // k = base + 1 % noise, beta = 1, g in [-0.034, -0.012].
  for (dn_type type : {DN_TYPE_F32, DN_TYPE_BF16}) {
    KernelSpec spec;
    spec.ioType = type;
    GeneratorOptions options;
    options.keys = Keys::Correlated;
    options.betas = Betas::One;
    Problem problem = makeProblem(spec, {512}, options);
    for (size_t i = 0; i < problem.g.size(); ++i)
      problem.g[i] = -0.012f - 0.022f * float(i * 37 % 101) / 101;
    expectRight(CompiledKernels(everyAlgorithm(spec)), problem);
  }
}

/// Entries of (I + stril(beta k kᵀ))⁻¹ are near 2 there, and their sums cancel.
TEST(Cases, EqualKeysAndBetasNearTwoOnTensorCores) {
  for (auto [channels, beta, eps] :
       {std::tuple(32, 2.f, std::optional<double>()),
        std::tuple(128, 1.9f, std::optional<double>(1e-6))}) {
    KernelSpec spec;
    spec.k = spec.v = channels;
    spec.l2normEps = eps;
    spec.levels = "sm_80";
    spec.schedules = {
        "chunked, value_slice = 32, staging = two_stage, matrix = "
        "mma, warps = 2, intra_warps = 4"};
    GeneratorOptions options;
    options.keys = Keys::Correlated;
    Problem problem = makeProblem(spec, {256}, options);
    std::fill(problem.beta.begin(), problem.beta.end(), beta);
    std::fill(problem.g.begin(), problem.g.end(), 0.f);
    size_t row = spec.h * channels;
    for (size_t i = row; i < problem.k.size(); ++i)
      problem.k[i] = problem.k[i - row];
    expectRight(CompiledKernels({spec}), problem);
  }
}

/// A state that knows nothing of the channel that sets the scale of a query:
/// what f16 keeps of the others is all of the output.
TEST(Cases, QueriesWithOneLoudChannel) {
  for (dn_type type : {DN_TYPE_F32, DN_TYPE_BF16, DN_TYPE_F16}) {
    KernelSpec spec;
    spec.ioType = type;
    GeneratorOptions options;
    options.initialState = false;
    Problem problem = makeProblem(spec, {70}, options);
    float quiet = type == DN_TYPE_F32 ? 1e-3f : 1e-2f;
    for (size_t i = 0; i < problem.q.size(); ++i) {
      bool isLoud = i % spec.k == 0;
      problem.q[i] = roundTo(type, isLoud ? 1.f : quiet * problem.q[i]);
      if (isLoud)
        problem.k[i] = 0;
    }
    expectRight(CompiledKernels(bothAlgorithms(spec)), problem);
  }
}

/// Warps that share the rows of a chunk in no way but by its columns.
TEST(Cases, FiveWarpsOfAScan) {
  KernelSpec spec;
  spec.k = 32;
  spec.v = 80;
  spec.levels = "sm_80";
  spec.schedules = {"chunked, value_slice = 80, staging = two_stage, matrix = "
                    "mma, warps = 5, intra_warps = 4"};
  expectRight(CompiledKernels({spec}), makeProblem(spec, {70}));
}

TEST(Cases, Case53_DenormalInputsMayVanish) {
  KernelSpec spec;
  CompiledKernels kernels(everyAlgorithm(spec));
  Problem problem = makeProblem(spec, {20});
  // Every third value is denormal; what it could add is far below the rest.
  for (size_t i = 0; i < problem.v.size(); i += 3)
    problem.v[i] = roundTo(DN_TYPE_BF16, 1e-39f);
  expectRight(kernels, problem);

  // Nothing but denormals: zeros or denormals, but no garbage.
  GeneratorOptions options;
  options.initialState = false;
  problem = makeProblem(spec, {20}, options);
  std::fill(problem.v.begin(), problem.v.end(), roundTo(DN_TYPE_BF16, 1e-39f));
  for (const Variant &variant : kernels.variants()) {
    RunResult result = run(variant, problem);
    for (float x : result.o)
      ASSERT_LE(std::fabs(x), 1e-38f) << variant.text();
    for (float x : result.finalState)
      ASSERT_LE(std::fabs(x), 1e-38f) << variant.text();
  }
}

TEST(Cases, ZeroKeysAndZeroBeta) {
  KernelSpec spec;
  spec.l2normEps = 1e-6;
  spec.takesState = false;
  CompiledKernels kernels(everyAlgorithm(spec, /*chunk=*/32));
  GeneratorOptions options;
  options.betas = Betas::Zero;
  // The reference is exactly zero, which asks for exact zeros.
  expectRight(kernels, makeProblem(spec, {70}, options));
  options.betas = Betas::One;
  options.keys = Keys::Zero;
  expectRight(kernels, makeProblem(spec, {70}, options));
}

TEST(Cases, Case63_ChannelsAndLengthsThatFillNoTile) {
  // K = 80 has no tiles, K = 96 and V = 80 have an odd number of them, and 63
  // tokens leave half a pair.
  for (auto [k, v] : {std::pair{80, 80}, {96, 80}}) {
    KernelSpec spec;
    spec.k = k;
    spec.v = v;
    expectRight(CompiledKernels(everyAlgorithm(spec, /*chunk=*/32)),
                makeProblem(spec, {63}));
  }
}
