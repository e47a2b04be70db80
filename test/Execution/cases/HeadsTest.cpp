//===- HeadsTest.cpp - Counts of heads and channels -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Runs.h"
#include "Tools.h"
#include "llvm/Support/Regex.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

TEST(Cases, Case11_OddLengthsOfSeveralSequences) {
  KernelSpec spec;
  spec.indexType = DN_TYPE_I32;
  spec.h = spec.hv = 4;
  CompiledKernels kernels(bothAlgorithms(spec));
  Problem batch = makeProblem(spec, {65, 65});
  for (const Variant &variant : kernels.variants()) {
    RunResult both = run(variant, batch);
    for (int64_t n : {0, 1}) {
      RunResult solo = run(variant, soloProblem(batch, n));
      EXPECT_TRUE(
          sameBits(outputsOf(batch, both, 65 * n, 65 * (n + 1)), solo.o))
          << variant.text() << ", sequence " << n;
      EXPECT_TRUE(sameBits(finalStateOf(batch, both, n), solo.finalState))
          << variant.text() << ", sequence " << n;
    }
  }
}

TEST(Cases, Case15_HeadMapsAreNotConfused) {
  for (dn_head_map map : {DN_HEAD_MAP_GROUPED, DN_HEAD_MAP_TILED})
    for (int64_t ratio : {1, 2, 3, 4, 8}) {
      SCOPED_TRACE(testing::Message() << "map " << map << ", ratio " << ratio);
      KernelSpec spec;
      spec.headMap = map;
      spec.h = 2;
      spec.hv = 2 * ratio;
      spec.k = 32;
      spec.v = 16;
      expectRight(CompiledKernels(bothAlgorithms(spec)),
                  makeProblem(spec, {33}));
    }
}

TEST(Cases, Case15_ValueHeadsMustBeAMultipleOfKeyHeads) {
  KernelSpec spec;
  spec.h = 2;
  spec.hv = 3;
  std::string message = compileError(spec.toMlir());
  EXPECT_NE(message.find("expected HV as a multiple of H (2), got 3"),
            std::string::npos)
      << message;
}

/// Schedules without the lengths that they are for.
static std::string withoutLengths(llvm::StringRef schedules) {
  llvm::Regex lengths(" (min|max)_tokens=[0-9]+");
  std::string text = schedules.str();
  while (lengths.match(text))
    text = lengths.sub("", text);
  return text;
}

TEST(Cases, Case16_RatioThreeTakesTheSamePathAsTwo) {
  KernelSpec two, three;
  two.name = "two";
  three.name = "three";
  two.h = three.h = 16;
  two.hv = 32;
  three.hv = 48;
  CompiledKernels kernels({two, three});
  for (const Variant &variant : kernels.variants("three"))
    for (const Variant &other : kernels.variants("two")) {
      if (other.kernel->isa != variant.kernel->isa)
        continue;
      // A chunk costs a little less where more heads share its keys.
      EXPECT_EQ(withoutLengths(variant.kernel->schedules),
                withoutLengths(other.kernel->schedules));
      EXPECT_STRNE(variant.kernel->schedules, "");
    }
  Problem problem = makeProblem(three, {66});
  ReferenceResult reference = computeReference(problem);
  for (const Variant &variant : kernels.variants("three"))
    expectReference(variant, problem, run(variant, problem), reference);
}

TEST(Cases, Case39_LargestChannelsAreRight) {
  for (auto [k, v] : {std::pair{64, 256}, {256, 64}, {256, 256}}) {
    KernelSpec spec;
    spec.k = k;
    spec.v = v;
    expectRight(CompiledKernels(bothAlgorithms(spec)), makeProblem(spec, {65}));
  }
}

TEST(Cases, Case40_AnyNumberOfHeads) {
  for (int64_t heads : {1, 2, 4, 8, 32}) {
    SCOPED_TRACE(heads);
    KernelSpec spec;
    spec.h = spec.hv = heads;
    spec.k = spec.v = 64;
    expectRight(CompiledKernels(bothAlgorithms(spec)),
                makeProblem(spec, {1024}));
  }
}

TEST(Cases, Case56_EveryValueColumnIsWritten) {
  for (int64_t columns : {16, 64, 96, 128, 256}) {
    SCOPED_TRACE(columns);
    KernelSpec spec;
    spec.v = columns;
    spec.k = 64;
    expectRight(CompiledKernels(bothAlgorithms(spec)), makeProblem(spec, {65}));
  }
}

TEST(Cases, Case60_EveryBetaMeetsItsHead) {
  // Decode: three sequences of one token each.
  KernelSpec spec;
  spec.indexType = DN_TYPE_I32;
  spec.h = 2;
  spec.hv = 4;
  Problem problem = makeProblem(spec, {1, 1, 1});
  for (size_t i = 0; i < problem.beta.size(); ++i)
    problem.beta[i] = float(i + 1) / 16;
  expectRight(CompiledKernels(everyAlgorithm(spec, /*chunk=*/16)), problem);
}
