//===- FindingsTest.cpp - What wrong kernels do to their context ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SimulatedGpu.h"

using SimulatedFindings = SimulatedGpu;

/// Every thread adds x[0] to o[0] without order.
static const char kRace[] = R"(
.visible .entry race(.param .u64 x, .param .u64 o)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd0, [x];
  ld.param.u64 %rd1, [o];
  ld.global.u32 %r0, [%rd0];
  st.global.u32 [%rd1], %r0;
  ret;
}
)";

static const char kForever[] = R"(
.visible .entry forever()
{
again:
  bra again;
}
)";

static const char kTrap[] = ".visible .entry trapped() { trap; ret; }";

TEST_F(SimulatedFindings, FailsUntilItsFindingsAreTaken) {
  CUdeviceptr o = allocate(31);
  ASSERT_TRUE(dn_sim_describe_buffer(o, "o", 1));
  CUfunction fill = load(moduleText(kFill), "fill");
  EXPECT_EQ(launch(fill, 1, 32, 0, o, 0), CUDA_SUCCESS) << "not yet known";
  EXPECT_EQ(cuStreamSynchronize(nullptr), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_STREQ(dn_sim_reason(), "an earlier launch had findings");
  EXPECT_EQ(launch(fill, 1, 1, 0, o, 0), CUDA_ERROR_ILLEGAL_ADDRESS);
  uint32_t value;
  EXPECT_EQ(cuMemcpyDtoH_v2(&value, o, 4), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUdevice device;
  EXPECT_EQ(cuCtxGetDevice(&device), CUDA_SUCCESS);

  Findings findings = takeFindings();
  ASSERT_EQ(findings.texts.size(), 1u);
  EXPECT_EQ(findings.texts[0],
            "fill: ptx:17: st.global.u32 [%rd1], %r5: out of bounds: write of "
            "4 bytes, 0 bytes after 'o' (block 0,0,0, warp 0, lane 31)");
  EXPECT_EQ(findings.incompleteLaunches, 1u);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(launch(fill, 1, 31, 0, o, 0), CUDA_SUCCESS);
  EXPECT_EQ(download(o, 31)[30], 30u);
}

TEST_F(SimulatedFindings, RacesLetTheLaunchGoOn) {
  CUdeviceptr x = upload({5}), o = allocate(1);
  CUfunction race = load(moduleText(kRace), "race");
  EXPECT_EQ(launch(race, 2, 1, 0, x, o), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
  Findings findings = takeFindings();
  ASSERT_EQ(findings.texts.size(), 1u);
  EXPECT_NE(findings.texts[0].find("data race"), std::string::npos);
  EXPECT_EQ(findings.incompleteLaunches, 0u);
  EXPECT_EQ(download(o, 1)[0], 5u) << "what was computed can be read";
}

TEST_F(SimulatedFindings, BytesAreUninitialisedUntilTheyAreWritten) {
  CUdeviceptr x = allocate(1), o = allocate(1);
  CUfunction race = load(moduleText(kRace), "race");
  auto failure = [&] {
    EXPECT_EQ(launch(race, 1, 1, 0, x, o), CUDA_SUCCESS);
    CUresult result = cuCtxSynchronize();
    for (const std::string &text : takeFindings().texts)
      EXPECT_NE(text.find("uninitialised"), std::string::npos) << text;
    return result;
  };
  EXPECT_EQ(failure(), CUDA_ERROR_LAUNCH_FAILED);
  ASSERT_EQ(cuMemsetD8_v2(x, 0, 4), CUDA_SUCCESS);
  EXPECT_EQ(failure(), CUDA_SUCCESS);
  ASSERT_TRUE(dn_sim_mark_uninitialised(x + 3, 1));
  EXPECT_EQ(failure(), CUDA_ERROR_LAUNCH_FAILED);
}

TEST_F(SimulatedFindings, InputsAreReadOnly) {
  CUdeviceptr o = allocate(1);
  ASSERT_TRUE(dn_sim_describe_buffer(o, "q", 0));
  CUfunction fill = load(moduleText(kFill), "fill");
  EXPECT_EQ(launch(fill, 1, 1, 0, o, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  Findings findings = takeFindings();
  ASSERT_EQ(findings.texts.size(), 1u);
  EXPECT_NE(findings.texts[0].find("read only: write of 4 bytes, in 'q'"),
            std::string::npos)
      << findings.texts[0];
}

TEST_F(SimulatedFindings, EveryKindHasAResult) {
  CUdeviceptr o = allocate(2);
  CUfunction fill = load(moduleText(kFill), "fill");
  EXPECT_EQ(launch(fill, 1, 1, 0, o + 2, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_MISALIGNED_ADDRESS);
  EXPECT_EQ(takeFindings().texts.size(), 1u);
  CUfunction trapped = load(moduleText(kTrap), "trapped");
  EXPECT_EQ(launch(trapped, 1, 1, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_INSTRUCTION);
  EXPECT_EQ(takeFindings().texts.size(), 1u);
}

namespace {
struct ImpatientGpu : SimulatedGpu {
  static dn_sim_options options() {
    dn_sim_options options = {};
    options.instruction_limit = 100;
    return options;
  }
  ImpatientGpu() : SimulatedGpu(options()) {}
};
struct CarelessGpu : SimulatedGpu {
  static dn_sim_options options() {
    dn_sim_options options = {};
    options.without_checks = 1;
    return options;
  }
  CarelessGpu() : SimulatedGpu(options()) {}
};
} // namespace

TEST_F(ImpatientGpu, EndlessLoopsEnd) {
  CUfunction forever = load(moduleText(kForever), "forever");
  EXPECT_EQ(launch(forever, 1, 1, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_TIMEOUT);
  EXPECT_EQ(takeFindings().incompleteLaunches, 1u);
}

TEST_F(CarelessGpu, RacesAreNotLookedFor) {
  CUdeviceptr x = allocate(1), o = allocate(1);
  CUfunction race = load(moduleText(kRace), "race");
  EXPECT_EQ(launch(race, 2, 32, 0, x, o), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
}
