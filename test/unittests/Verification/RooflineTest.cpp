//===- RooflineTest.cpp - The least time of calls and stages --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/Roofline.h"
#include "deltanet/Verification/StageEstimate.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

namespace {
constexpr uint64_t kWorkspace = 1000;

uint64_t workspaceBytes(const dn_args *args) {
  return kWorkspace * uint64_t(args->tokens);
}
int64_t countItems(const dn_args *args, uint32_t stage) {
  return args->sequences * (stage + 1);
}

/// H = 2, HV = 4, K = 16, V = 32, bf16, gated, with states and cu_seqlens.
RunnerTraits makeTraits(llvm::StringRef schedules) {
  RunnerTraits traits;
  traits.name = "gdn";
  traits.facts.ioType = DN_TYPE_BF16;
  traits.facts.h = 2;
  traits.facts.hv = 4;
  traits.facts.k = 16;
  traits.facts.v = 32;
  traits.takesState = traits.givesState = true;
  traits.indexType = DN_TYPE_I32;
  traits.schedules = llvm::cantFail(parseSchedules(schedules));
  return traits;
}

dn_kernel makeKernel(uint32_t stages) {
  dn_kernel kernel = {};
  kernel.stages = stages;
  kernel.workspace_bytes = workspaceBytes;
  kernel.items = countItems;
  return kernel;
}

// Of 10 tokens: q and k, v and o, beta and g.
constexpr double kKeyBytes = 10 * 2 * 2 * 16 * 2;
constexpr double kValueBytes = 10 * 2 * 4 * 32 * 2;
constexpr double kGateBytes = 10 * 2 * 4 * 4;
constexpr double kStateBytes = 2 * 4 * 16 * 32 * 4; // one in and out
} // namespace

TEST(Roofline, KnowsGpusByNameAndByDevice) {
  GpuPeaks h200 = llvm::cantFail(findGpu("h200"));
  EXPECT_EQ(h200.bytesPerSecond, 4.8e12);
  EXPECT_EQ(h200.capability, 90u);
  EXPECT_STREQ(gpuOfDevice("NVIDIA H200 (9.0)")->name, "h200");
  EXPECT_FALSE(gpuOfDevice("simulated sm_90 (9.0)"));
  auto unknown = findGpu("h20");
  EXPECT_EQ(llvm::toString(unknown.takeError()),
            "expected one of a100, h100, h200, b200, l40s, rtx4090, rtx5090, "
            "got 'h20'");
}

TEST(Roofline, TakesTheLongestOfThree) {
  GpuPeaks gpu{"test", "", 80, 1e9, 100e9, 10e9};
  Roofline memory = rooflineOf(gpu, {2e9, 19e9, 100e9});
  EXPECT_EQ(memory.seconds, 2);
  EXPECT_EQ(memory.bound, Bound::Memory);
  Roofline vector = rooflineOf(gpu, {2e9, 30e9, 100e9});
  EXPECT_EQ(vector.seconds, 3);
  EXPECT_EQ(vector.bound, Bound::Vector);
  Roofline tf32 = rooflineOf(gpu, {2e9, 30e9, 100e9, 200e9});
  EXPECT_EQ(tf32.seconds, 5);
  EXPECT_EQ(tf32.bound, Bound::Tensor);
  Roofline tensor = rooflineOf(gpu, {2e9, 30e9, 400e9});
  EXPECT_EQ(tensor.seconds, 4);
  EXPECT_EQ(tensor.bound, Bound::Tensor);
}

TEST(Roofline, ACallReadsAndWritesItsTensorsOnce) {
  RunnerTraits traits = makeTraits("recurrent tokens=1");
  Work work = workOfCall(traits, 10, 3);
  EXPECT_EQ(work.bytes,
            kKeyBytes + kValueBytes + kGateBytes + 3 * kStateBytes + 4 * 4);
  EXPECT_EQ(work.vectorFlops, 10 * 4 * 7 * 16 * 32);
  EXPECT_EQ(work.tensorFlops, 0);
  traits.facts.rule = DN_RULE_DELTA;
  traits.takesState = false;
  traits.indexType = DN_TYPE_NONE;
  Work less = workOfCall(traits, 10, 1);
  EXPECT_EQ(less.bytes,
            kKeyBytes + kValueBytes + kGateBytes / 2 + kStateBytes / 2);
  EXPECT_EQ(less.vectorFlops, 10 * 4 * 6 * 16 * 32);
}

TEST(StageEstimate, SequencesGoToTheScheduleThatServesThem) {
  RunnerTraits traits =
      makeTraits("recurrent max_tokens=1\n"
                 "chunked-matrix min_tokens=2 chunk=64 staging=two_stage");
  auto stages =
      llvm::cantFail(estimateStages(makeKernel(3), traits, {1, 10, 1}));
  ASSERT_EQ(stages.size(), 3u);
  EXPECT_EQ(stages[0].phases, "recurrent");
  EXPECT_EQ(stages[0].work.vectorFlops, 2 * 4 * 7 * 16 * 32);
  EXPECT_EQ(stages[0].work.bytes, workOfCall(traits, 2, 2).bytes);
  EXPECT_EQ(stages[0].items, 3);

  EXPECT_EQ(stages[1].phases, "chunks");
  // The workspace is that of the whole call.
  EXPECT_EQ(stages[1].work.bytes, kKeyBytes + kGateBytes + 12 * kWorkspace);
  EXPECT_EQ(stages[1].work.tensorFlops, 10 * 4 * (2 * 64 * 16 / 2));
  EXPECT_EQ(stages[1].work.vectorFlops, 10 * 4 * (64 * 64 / 3.0));
  EXPECT_EQ(stages[1].items, 6);

  EXPECT_EQ(stages[2].phases, "scan");
  EXPECT_EQ(stages[2].work.bytes,
            kValueBytes + kStateBytes + 2 * 4 + 12 * kWorkspace);
  EXPECT_EQ(stages[2].work.tensorFlops, 10 * 4 * (6 * 16 * 32));
  // T enters as two numbers.
  EXPECT_EQ(stages[2].work.tf32Flops, 10 * 4 * (3 * 64 * 32));
  EXPECT_EQ(stages[2].work.vectorFlops, 0);
}

TEST(StageEstimate, ProductsOfF32TakeThreeOnTensorCores) {
  RunnerTraits traits = makeTraits("chunked-matrix chunk=32 staging=two_stage");
  traits.facts.ioType = DN_TYPE_F32;
  auto stages = llvm::cantFail(estimateStages(makeKernel(2), traits, {10}));
  ASSERT_EQ(stages.size(), 2u);
  EXPECT_EQ(stages[0].work.tensorFlops, 10 * 4 * 3 * (2 * 32 * 16 / 2));
  EXPECT_EQ(stages[1].work.tensorFlops, 10 * 4 * 3 * (6 * 16 * 32));
  EXPECT_EQ(stages[1].work.tf32Flops, 10 * 4 * 3 * (2 * 32 * 32));
}

TEST(StageEstimate, OnePassOfChunksIsOneStage) {
  RunnerTraits traits = makeTraits("chunked chunk=32 staging=one_pass");
  auto stages = llvm::cantFail(estimateStages(makeKernel(1), traits, {10}));
  ASSERT_EQ(stages.size(), 1u);
  EXPECT_EQ(stages[0].work.bytes, workOfCall(traits, 10, 1).bytes);
  EXPECT_EQ(stages[0].work.tensorFlops, 0);
  EXPECT_DOUBLE_EQ(stages[0].work.vectorFlops,
                   10 * 4 *
                       (32 * 16 + 32 * 32 / 3.0 + 6 * 16 * 32 + 2 * 32 * 32));
}

TEST(StageEstimate, RefusesWhatSchedulesDoNotTell) {
  auto error = [](uint32_t stages, llvm::StringRef schedules) {
    auto made = estimateStages(makeKernel(stages), makeTraits(schedules), {10});
    return made ? "" : llvm::toString(made.takeError());
  };
  EXPECT_EQ(error(2, "recurrent tokens=1"),
            "kernel 'gdn': expected the 1 stages of its schedules, got 2");
  EXPECT_EQ(error(1, "chunked chunk=x"),
            "kernel 'gdn': expected a chunk of at least 1 in the schedule, got "
            "'chunked chunk=x'");
  EXPECT_EQ(error(1, "recurrent max_tokens=4"),
            "kernel 'gdn': expected a schedule that serves 10 tokens, got "
            "none");
}
