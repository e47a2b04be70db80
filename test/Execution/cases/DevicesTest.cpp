//===- DevicesTest.cpp - Streams, graphs and memory of GPUs ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SimulatedCall.h"
#include "gtest/gtest.h"
#include <thread>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

/// Of a small kernel: the recurrence and chunks, each for all lengths.
static std::vector<KernelSpec> bothOnGpu(const KernelSpec &spec) {
  std::vector<KernelSpec> some;
  for (const KernelSpec &each : everyAlgorithm(spec, /*chunk=*/32))
    if (each.isForGpu())
      some.push_back(each);
  some[0].schedules = {
      "recurrent, value_slice = 16, state = registers, warps = 1"};
  return some;
}

static KernelSpec smallSpec() {
  KernelSpec spec;
  spec.h = spec.hv = 1;
  spec.k = spec.v = 16;
  return spec;
}

TEST(Cases, Case37_StridesBeyondInt32OnGpus) {
  // As on CPUs: tokens and states 2^31 + 64 elements apart.
  KernelSpec spec = smallSpec();
  spec.indexType = DN_TYPE_I64;
  Problem problem = makeProblem(spec, {2, 3});
  ReferenceResult reference = computeReference(problem);
  CompiledKernels kernels(bothOnGpu(spec));
  SimulatedGpu gpu;
  for (const Variant &variant : kernels.variants()) {
    SimulatedCall call(gpu, variant, problem, (int64_t(1) << 31) + 64);
    call.launch();
    gpu.expectNoFindings();
    expectReference(variant, problem, call.download(), reference);
  }
}

TEST(Cases, Case38_AnyNumberOfBlocks) {
  // One chunk a sequence: so many blocks in each of the stages.
  KernelSpec spec = smallSpec();
  spec.indexType = DN_TYPE_I32;
  CompiledKernels kernels(bothOnGpu(spec));
  for (int64_t blocks : {1023, 1024, 1025, 4096}) {
    SCOPED_TRACE(blocks);
    std::vector<int64_t> lengths;
    for (int64_t i = 0; i < blocks; ++i)
      lengths.push_back(1 + i % 3);
    expectRight(kernels, makeProblem(spec, lengths));
  }
}

TEST(Cases, Case50_CapturedCallsRunWithNewData) {
  KernelSpec spec;
  for (int64_t tokens : {1, 66}) {
    SCOPED_TRACE(tokens);
    GeneratorOptions others;
    others.seed = 7;
    Problem first = makeProblem(spec, {tokens}),
            second = makeProblem(spec, {tokens}, others);
    CompiledKernels kernels(bothOnGpu(spec));
    for (const Variant &variant : kernels.variants()) {
      RunResult expected = run(variant, second);
      SimulatedGpu gpu;
      auto create = reinterpret_cast<int (*)(void **, unsigned)>(
          gpu.function("cuStreamCreate"));
      auto begin = reinterpret_cast<int (*)(void *, int)>(
          gpu.function("cuStreamBeginCapture_v2"));
      auto end = reinterpret_cast<int (*)(void *, void **)>(
          gpu.function("cuStreamEndCapture"));
      auto instantiate =
          reinterpret_cast<int (*)(void **, void *, unsigned long long)>(
              gpu.function("cuGraphInstantiateWithFlags"));
      auto replay = reinterpret_cast<int (*)(void *, void *)>(
          gpu.function("cuGraphLaunch"));
      SimulatedCall call(gpu, variant, first);
      void *stream, *graph, *executable;
      constexpr int global = 0;
      ASSERT_EQ(create(&stream, 0), 0);
      ASSERT_EQ(begin(stream, global), 0);
      call.launch(stream);
      ASSERT_EQ(end(stream, &graph), 0);
      ASSERT_EQ(instantiate(&executable, graph, 0), 0);
      call.upload(second);
      ASSERT_EQ(replay(executable, stream), 0);
      gpu.expectNoFindings();
      RunResult result = call.download();
      EXPECT_TRUE(sameBits(result.o, expected.o) &&
                  sameBits(result.finalState, expected.finalState))
          << variant.text();
    }
  }
}

TEST(Cases, Case50_ThreadsWithStreamsOfTheirOwn) {
  KernelSpec spec;
  CompiledKernels kernels(bothOnGpu(spec));
  for (const Variant &variant : kernels.variants()) {
    std::vector<Problem> problems;
    std::vector<RunResult> expected, results(2);
    for (uint64_t seed : {1, 2}) {
      GeneratorOptions options;
      options.seed = seed;
      problems.push_back(makeProblem(spec, {66}, options));
      expected.push_back(run(variant, problems.back()));
    }
    SimulatedGpu gpu;
    auto create = reinterpret_cast<int (*)(void **, unsigned)>(
        gpu.function("cuStreamCreate"));
    std::vector<std::thread> threads;
    for (int i : {0, 1})
      threads.emplace_back([&, i] {
        gpu.enter();
        void *stream = nullptr;
        EXPECT_EQ(create(&stream, 0), 0);
        {
          SimulatedCall call(gpu, variant, problems[i]);
          for (int repeat = 0; repeat < 5; ++repeat)
            call.launch(stream);
          results[i] = call.download();
        }
        gpu.leave();
      });
    for (std::thread &thread : threads)
      thread.join();
    gpu.expectNoFindings();
    for (int i : {0, 1})
      EXPECT_TRUE(sameBits(results[i].o, expected[i].o) &&
                  sameBits(results[i].finalState, expected[i].finalState))
          << variant.text() << ", thread " << i;
  }
}
