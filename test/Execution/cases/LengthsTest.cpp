//===- LengthsTest.cpp - Lengths on both sides of every border ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Runs.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

TEST(Cases, Case09_LastPartialChunk) {
  KernelSpec spec;
  CompiledKernels kernels(everyAlgorithm(spec));
  for (int64_t tokens : {1, 15, 16, 17, 63, 65, 100, 127, 129}) {
    SCOPED_TRACE(tokens);
    expectRight(kernels, makeProblem(spec, {tokens}));
  }
}

TEST(Cases, Case12_PaddingWithBetaAndGateZeroChangesNothing) {
  // Lengths 5 and 9, padded on the left to 9 with junk.
  KernelSpec spec = f32Spec();
  spec.indexType = DN_TYPE_I32;
  CompiledKernels kernels(everyAlgorithm(spec, /*chunk=*/16));
  Problem padded = makeProblem(spec, {9, 9});
  constexpr int64_t pads = 4;
  int64_t heads = padded.facts.hv;
  std::fill_n(padded.beta.begin(), pads * heads, 0.f);
  std::fill_n(padded.g.begin(), pads * heads, 0.f);
  Problem unpadded =
      sliceTokens(padded, pads, 9, soloProblem(padded, 0).stateIn);
  for (const Variant &variant : kernels.variants())
    for (const Problem &batch : {padded, soloProblem(padded, 0)}) {
      RunResult with = run(variant, batch), without = run(variant, unpadded);
      EXPECT_LE(relativeError(outputsOf(batch, with, pads, 9), without.o), 1e-6)
          << variant.text() << ", " << batch.sequences << " sequences";
      EXPECT_LE(relativeError(finalStateOf(batch, with, 0), without.finalState),
                1e-6)
          << variant.text() << ", " << batch.sequences << " sequences";
    }
}

TEST(Cases, Case36_ResumeAnywhere) {
  KernelSpec spec = f32Spec();
  CompiledKernels kernels(everyAlgorithm(spec));
  Problem problem = makeProblem(spec, {128});
  for (const Variant &variant : kernels.variants()) {
    RunResult whole = run(variant, problem);
    for (int64_t cut : {1, 63, 64, 65, 100}) {
      RunResult begin =
          run(variant, sliceTokens(problem, 0, cut, problem.stateIn));
      RunResult end =
          run(variant, sliceTokens(problem, cut, 128, begin.finalState));
      EXPECT_LE(relativeError(end.o, outputsOf(problem, whole, cut, 128)), 1e-6)
          << variant.text() << ", cut at " << cut;
      EXPECT_LE(relativeError(end.finalState, whole.finalState), 1e-6)
          << variant.text() << ", cut at " << cut;
    }
  }
}

TEST(Cases, Case57_EveryChunkLength) {
  std::vector<KernelSpec> specs;
  for (const char *staging : {"one_pass", "two_stage"})
    for (int chunk : {16, 32, 64, 128}) {
      KernelSpec spec = f32Spec();
      spec.name = std::string(staging) + "_" + std::to_string(chunk);
      spec.schedules = {"chunked, chunk = " + std::to_string(chunk) +
                        ", staging = " + staging};
      specs.push_back(spec);
    }
  CompiledKernels kernels(specs);
  for (int64_t tokens : {1, 31, 129, 256})
    expectRight(kernels, makeProblem(specs.front(), {tokens}));
}

TEST(Cases, Case61_BothSidesOfEachThreshold) {
  KernelSpec spec;
  spec.indexType = DN_TYPE_I32;
  spec.schedules = {
      "recurrent, max_tokens = 1, state = memory",
      "recurrent, min_tokens = 2, max_tokens = 15, tokens = 2",
      "chunked, min_tokens = 16, max_tokens = 69, chunk = 16",
      "chunked, min_tokens = 70, chunk = 64, staging = two_stage"};
  CompiledKernels kernels(spec);
  expectRight(kernels, makeProblem(spec, {70, 1, 69, 0, 16, 2, 15, 71, 1}));
  for (int64_t tokens : {1, 2, 15, 16, 69, 70})
    expectRight(kernels, makeProblem(spec, {tokens}));
}

TEST(Cases, StaticTokens) {
  for (int64_t tokens : {1, 65}) {
    KernelSpec spec;
    spec.staticTokens = tokens;
    expectRight(CompiledKernels(everyAlgorithm(spec, /*chunk=*/32)),
                makeProblem(spec, {tokens}));
  }
}
