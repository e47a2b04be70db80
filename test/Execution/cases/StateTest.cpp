//===- StateTest.cpp - What the state keeps -------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Runs.h"
#include "Tools.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

TEST(Cases, Case03_ChunksReadTheIncomingState) {
  KernelSpec spec = f32Spec();
  CompiledKernels kernels(everyAlgorithm(spec));
  expectRight(kernels, makeProblem(spec, {128}));
}

TEST(Cases, Case17_PrefillThenDecodeInBothLayouts) {
  for (dn_state_layout layout : {DN_STATE_LAYOUT_KV, DN_STATE_LAYOUT_VK}) {
    SCOPED_TRACE(layout);
    KernelSpec spec = f32Spec();
    spec.stateLayout = layout;
    spec.k = spec.v = 64;
    CompiledKernels kernels(everyAlgorithm(spec, /*chunk=*/32));
    Problem whole = makeProblem(spec, {68});
    ReferenceResult reference = computeReference(whole);
    // One kernel fills, another one decodes.
    for (const Variant &prefill : kernels.variants())
      for (const Variant &decode : kernels.variants()) {
        RunResult filled =
            run(prefill, sliceTokens(whole, 0, 65, whole.stateIn));
        RunResult rest =
            runSteps(decode, sliceTokens(whole, 65, 68, filled.finalState), 1);
        RunResult both;
        both.o = filled.o;
        both.o.insert(both.o.end(), rest.o.begin(), rest.o.end());
        both.finalState = rest.finalState;
        bool chunked = prefill.spec.name != "recurrent";
        expectReference(chunked ? prefill : decode, whole, both, reference);
      }
  }
}

TEST(Cases, Case17_StateOfTheOtherLayoutIsRefused) {
  KernelSpec spec;
  spec.k = 64;
  spec.v = 32;
  std::string mlir = spec.toMlir();
  mlir.replace(mlir.find(", kv"), 4, ", vk");
  std::string message = compileError(mlir);
  EXPECT_NE(message.find("expected state as a tensor [N,HV,V,K]"),
            std::string::npos)
      << message;
}

TEST(Cases, Case18_StateIsNotRoundedToTheActivations) {
  KernelSpec spec;
  CompiledKernels kernels(everyAlgorithm(spec));
  GeneratorOptions options;
  options.gates = Gates::Zero;
  options.betas = Betas::Zero;
  // Nothing decays and nothing is written: every bit stays.
  for (int64_t tokens : {1, 65}) {
    Problem problem = makeProblem(spec, {tokens}, options);
    for (const Variant &variant : kernels.variants())
      EXPECT_TRUE(sameBits(run(variant, problem).finalState, problem.stateIn))
          << variant.text() << ", " << tokens << " tokens";
  }
}

TEST(Cases, Case19_LongDecodeDoesNotDrift) {
  KernelSpec spec;
  spec.h = spec.hv = 1;
  CompiledKernels kernels(spec);
  Problem problem = makeProblem(spec, {4096});
  std::fill(problem.g.begin(), problem.g.end(), -1e-3f);
  ReferenceResult reference = computeReference(problem);
  std::vector<float> expected(reference.finalState.begin(),
                              reference.finalState.end());
  // The same decay at every step: that of f32 alone is off by some 1e-8, and
  // always to the same side.
  for (const Variant &variant : kernels.variants())
    EXPECT_LE(relativeError(runSteps(variant, problem, 1).finalState, expected),
              1e-5)
        << variant.text();
}
