//===- SequencesTest.cpp - Packed sequences -------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Runs.h"
#include "Tools.h"
#include "gtest/gtest.h"
#include <chrono>
#include <limits>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

static KernelSpec packedSpec() {
  KernelSpec spec;
  spec.indexType = DN_TYPE_I32;
  return spec;
}

TEST(Cases, Case13_SeveralDecodingSequencesShareNothing) {
  KernelSpec spec = packedSpec();
  CompiledKernels kernels(everyAlgorithm(spec));
  constexpr int64_t sequences = 4, steps = 8;
  for (const Variant &variant : kernels.variants()) {
    std::vector<float> states;
    std::vector<std::vector<float>> soloStates(sequences);
    for (int64_t step = 0; step < steps; ++step) {
      GeneratorOptions options;
      options.seed = uint64_t(step);
      Problem batch = makeProblem(spec, {1, 1, 1, 1}, options);
      if (step > 0)
        batch.stateIn = states;
      RunResult result = run(variant, batch);
      states = result.finalState;
      for (int64_t n = 0; n < sequences; ++n) {
        Problem solo = soloProblem(batch, n);
        if (step > 0)
          solo.stateIn = soloStates[n];
        RunResult alone = run(variant, solo);
        soloStates[n] = alone.finalState;
        EXPECT_TRUE(sameBits(outputsOf(batch, result, n, n + 1), alone.o))
            << variant.text() << ", step " << step << ", sequence " << n;
        EXPECT_TRUE(sameBits(finalStateOf(batch, result, n), alone.finalState))
            << variant.text() << ", step " << step << ", sequence " << n;
      }
    }
  }
}

TEST(Cases, Case14_OneFinalStateForEachSequence) {
  // Memory behind the second state is guarded.
  KernelSpec spec = packedSpec();
  spec.k = 32;
  spec.v = 16;
  spec.takesState = false;
  Problem problem = makeProblem(spec, {4, 4});
  CompiledKernels kernels(everyAlgorithm(spec, /*chunk=*/16));
  for (const Variant &variant : kernels.variants())
    EXPECT_EQ(run(variant, problem).finalState.size(), 2u * 2 * 32 * 16);
  expectRight(kernels, problem);
}

TEST(Cases, Case27_LongSequenceAndManyShortOnes) {
  KernelSpec with = packedSpec(), without = packedSpec();
  with.name = "with_state";
  without.name = "without_state";
  without.takesState = false;
  CompiledKernels kernels({with, without});
  std::vector<int64_t> lengths(64, 1);
  lengths[0] = 8192;
  GeneratorOptions options;
  options.initialState = false;
  Problem problem = makeProblem(with, lengths, options);
  for (const Variant &variant : kernels.variants("with_state")) {
    auto begin = std::chrono::steady_clock::now();
    RunResult result = run(variant, problem);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - begin;
    if (variant.isNative) {
      EXPECT_LT(time.count(), 10) << variant.text();
    }
    for (const Variant &other : kernels.variants("without_state")) {
      if (other.kernel->isa != variant.kernel->isa)
        continue;
      RunResult same = run(other, problem);
      EXPECT_TRUE(sameBits(result.o, same.o)) << variant.text();
      EXPECT_TRUE(sameBits(result.finalState, same.finalState))
          << variant.text();
    }
  }
}

TEST(Cases, Case28_EmptySequencesKeepTheirState) {
  KernelSpec with = packedSpec(), without = packedSpec();
  without.takesState = false;
  for (const KernelSpec &spec : {with, without}) {
    // cu_seqlens = [0, 0, 5, 5, 70]
    Problem problem = makeProblem(spec, {0, 5, 0, 65});
    CompiledKernels kernels(everyAlgorithm(spec));
    expectRight(kernels, problem);
    for (const Variant &variant : kernels.variants()) {
      RunResult result = run(variant, problem);
      for (int64_t n : {0, 2}) {
        llvm::ArrayRef<float> state = finalStateOf(problem, result, n);
        std::vector<float> expected(state.size(), 0.f);
        if (spec.takesState)
          expected = soloProblem(problem, n).stateIn;
        EXPECT_TRUE(sameBits(state, expected)) << variant.text();
      }
    }
  }
}

TEST(Cases, Case29_StateRowsAreCountedBySequences) {
  KernelSpec spec = packedSpec();
  spec.takesState = false;
  CompiledKernels kernels(everyAlgorithm(spec));
  Problem problem = makeProblem(spec, {3, 20, 7});
  for (const Variant &variant : kernels.variants())
    EXPECT_EQ(int64_t(run(variant, problem).finalState.size()),
              3 * problem.facts.hv * problem.facts.k * problem.facts.v);
  expectRight(kernels, problem);
}

TEST(Cases, Case29_InitialStateOfTooFewRowsIsRefused) {
  std::string mlir = packedSpec().toMlir();
  auto replaceAll = [&](llvm::StringRef from, llvm::StringRef to) {
    for (size_t at = 0; (at = mlir.find(from.str(), at)) != std::string::npos;
         at += to.size())
      mlir.replace(at, from.size(), to.str());
  };
  replaceAll("tensor<?x2x128x128xf32>", "tensor<2x2x128x128xf32>");
  replaceAll("tensor<?xi32>", "tensor<4xi32>");
  std::string message = compileError(mlir);
  EXPECT_NE(
      message.find("expected cu_seqlens of N+1 elements for N = 2, got 4"),
      std::string::npos)
      << message;
}

TEST(Cases, Case30_TokensBehindTheLastSequence) {
  KernelSpec spec = packedSpec();
  CompiledKernels kernels(everyAlgorithm(spec));
  Problem problem = makeProblem(spec, {30, 40, 10});
  // The last ten tokens belong to nobody.
  problem.sequences = 2;
  problem.cuSeqlens.pop_back();
  problem.stateIn.resize(problem.stateElements());
  expectRight(kernels, problem);
}

TEST(Cases, Case30_BadOffsetsAreRefused) {
  KernelSpec spec = packedSpec();
  CompiledKernels kernels(spec);
  for (const Variant &variant : kernels.nativeVariants())
    for (std::vector<int32_t> offsets : {std::vector<int32_t>{0, 50, 40},
                                         {1, 50, 70},
                                         {0, 50, 81},
                                         {0, -1, 70}}) {
      std::vector<char> memory(1 << 22);
      dn_args args = {};
      args.size = sizeof(args);
      args.q = args.k = args.v = memory.data();
      args.g = args.beta = args.state_in =
          reinterpret_cast<const float *>(memory.data());
      args.o = memory.data() + (1 << 20);
      args.state_out = reinterpret_cast<float *>(memory.data() + (2 << 20));
      args.cu_seqlens = offsets.data();
      args.tokens = 80;
      args.sequences = 2;
      args.q_token_stride = args.k_token_stride = args.v_token_stride =
          args.o_token_stride = 256;
      args.q_head_stride = args.k_head_stride = args.v_head_stride =
          args.o_head_stride = 128;
      args.g_token_stride = args.beta_token_stride = 2;
      args.state_in_sequence_stride = args.state_out_sequence_stride =
          2 * 128 * 128;
      args.state_in_head_stride = args.state_out_head_stride = 128 * 128;
      char message[DN_MESSAGE_BYTES];
      EXPECT_EQ(dn_check(variant.kernel, &args, message, sizeof(message)),
                DN_ERROR_SEQLENS)
          << message;
      offsets = {0, 50, 70};
      args.cu_seqlens = offsets.data();
      std::vector<char> workspace(variant.kernel->workspace_bytes(&args) + 64);
      args.workspace_bytes = workspace.size() - 64;
      uintptr_t first = reinterpret_cast<uintptr_t>(workspace.data());
      args.workspace = workspace.data() + (64 - first % 64) % 64;
      EXPECT_EQ(dn_check(variant.kernel, &args, message, sizeof(message)),
                DN_OK)
          << message;
    }
}

TEST(Cases, Case59_NaNStaysInItsSequenceAndItsFuture) {
  KernelSpec spec = packedSpec();
  CompiledKernels kernels(everyAlgorithm(spec));
  // Chunks hold 64 tokens: the NaN is in the second, and what is before it in
  // its own chunk is allowed to suffer there.
  constexpr int64_t poisoned = 69;
  Problem clean = makeProblem(spec, {100, 80});
  for (auto tensor : {&Problem::q, &Problem::k, &Problem::v, &Problem::beta}) {
    Problem dirty = clean;
    std::vector<float> &values = dirty.*tensor;
    int64_t row = int64_t(values.size()) / clean.tokens;
    values[poisoned * row] = std::numeric_limits<float>::quiet_NaN();
    for (const Variant &variant : kernels.variants()) {
      RunResult before = run(variant, clean), after = run(variant, dirty);
      bool chunked =
          llvm::StringRef(variant.kernel->schedules).contains("chunked");
      int64_t safe = chunked ? 64 : poisoned;
      EXPECT_TRUE(sameBits(outputsOf(clean, before, 0, safe),
                           outputsOf(clean, after, 0, safe)))
          << variant.text();
      EXPECT_TRUE(sameBits(outputsOf(clean, before, 100, 180),
                           outputsOf(clean, after, 100, 180)))
          << variant.text();
      EXPECT_TRUE(sameBits(finalStateOf(clean, before, 1),
                           finalStateOf(clean, after, 1)))
          << variant.text();
    }
  }
}
