//===- DeviceSelectTest.cpp - Choice of a variant on fake GPUs ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeGpuKernel.h"
#include "FakeKernel.h"

namespace {

class DeviceSelectTest : public CudaTest {
protected:
  void expect(dn_status status, const dn_kernel *kernel, const char *reason) {
    dn_kernel_set set = {sizeof(dn_kernel_set), uint32_t(variants.size()),
                         "fake", variants.data()};
    dn_selection chosen;
    EXPECT_EQ(dn_cuda_select(cuda, &set, &chosen), status);
    EXPECT_EQ(chosen.kernel, kernel);
    EXPECT_STREQ(chosen.reason, reason);
  }

  void setCapability(int capability) {
    driver->devices[0].capability = capability;
  }

  FakeGpuKernel sm100a{100, true}, sm90a{90, true}, sm90{90}, sm80{80};
  dn_kernel avx2 = makeFakeKernel(DN_ISA_AVX2);
  std::vector<const dn_kernel *> variants = {&sm100a.kernel, &sm90a.kernel,
                                             &sm80.kernel, &avx2};
};

TEST_F(DeviceSelectTest, TheHighestThatRuns) {
  expect(DN_OK, &sm90a.kernel,
         "sm_90a chosen; sm_100a skipped: for 10.0 "
         "alone");
  setCapability(100);
  expect(DN_OK, &sm100a.kernel,
         "sm_100a chosen; sm_90a skipped: for 9.0 alone");
  for (int capability : {80, 86, 89, 103, 121}) {
    setCapability(capability);
    expect(DN_OK, &sm80.kernel,
           "sm_80 chosen; sm_100a skipped: for 10.0 alone; sm_90a skipped: for "
           "9.0 alone");
  }
}

TEST_F(DeviceSelectTest, NoneRuns) {
  driver->devices[0] = {"Fake T4", 75};
  expect(DN_ERROR_DEVICE, nullptr,
         "no variant runs on Fake T4 (7.5); sm_100a skipped: for 10.0 alone; "
         "sm_90a skipped: for 9.0 alone; sm_80 skipped: for 8.0 and later");
}

TEST_F(DeviceSelectTest, OfOneCapabilityTheSpecialVariant) {
  variants = {&sm90.kernel, &sm90a.kernel};
  expect(DN_OK, &sm90a.kernel, "sm_90a chosen");
  variants = {&sm90a.kernel, &sm90.kernel};
  expect(DN_OK, &sm90a.kernel, "sm_90a chosen");
  setCapability(100);
  expect(DN_OK, &sm90.kernel, "sm_90 chosen; sm_90a skipped: for 9.0 alone");
}

TEST_F(DeviceSelectTest, OrderOfTheSetDoesNotMatter) {
  variants = {&sm80.kernel, &sm90.kernel};
  expect(DN_OK, &sm90.kernel, "sm_90 chosen");
}

TEST_F(DeviceSelectTest, BlocksMustFit) {
  sm90a.stages[1].shared_bytes = 232449;
  sm80.stages[0].threads = 1024;
  expect(DN_OK, &sm80.kernel,
         "sm_80 chosen; sm_100a skipped: for 10.0 alone; sm_90a skipped: needs "
         "232449 bytes of shared memory, has 232448");
  driver->devices[0].threads = 512;
  variants = {&sm80.kernel};
  expect(DN_ERROR_DEVICE, nullptr,
         "no variant runs on Fake H200 (9.0); sm_80 skipped: needs 1024 "
         "threads a block, has 512");
}

TEST_F(DeviceSelectTest, TheDeviceIsThatOfTheContext) {
  driver->devices.push_back({"Fake A100", 80});
  FakeDriver::setCurrent(FakeDriver::makeContext(1));
  variants = {&sm90a.kernel, &sm80.kernel};
  expect(DN_OK, &sm80.kernel, "sm_80 chosen; sm_90a skipped: for 9.0 alone");
  FakeDriver::setCurrent(nullptr);
  expect(DN_ERROR_CONTEXT, nullptr,
         "expected a current CUDA context, got none");
}

TEST_F(DeviceSelectTest, OnlyForCpus) {
  variants = {&avx2};
  expect(DN_ERROR_ISA, nullptr,
         "expected a variant for GPUs, got variants for CPUs alone");
}

TEST_F(DeviceSelectTest, BrokenSets) {
  dn_selection chosen;
  EXPECT_EQ(dn_cuda_select(cuda, nullptr, &chosen), DN_ERROR_ABI);
  sm80.kernel.cuda = nullptr;
  expect(DN_ERROR_ABI, nullptr, "kernel: expected code for GPUs, got none");
}

TEST_F(DeviceSelectTest, TheLongestReasonIsWhole) {
  driver->devices[0] = {std::string(80, 'x'), 75};
  FakeGpuKernel special(121, true);
  variants.assign(6, &special.kernel);
  std::string reason = "no variant runs on " + std::string(24, 'x') + " (7.5)";
  for (int i = 0; i < 6; ++i)
    reason += "; sm_121a skipped: for 12.1 alone";
  expect(DN_ERROR_DEVICE, nullptr, reason.c_str());
}

TEST_F(DeviceSelectTest, CallsThatFail) {
  for (std::string function :
       {"cuCtxGetCurrent", "cuCtxGetId", "cuCtxGetDevice", "cuDeviceGetName",
        "cuDeviceGetAttribute"}) {
    driver->failures = {{function, FakeFailure()}};
    std::string reason =
        function + (function == "cuDeviceGetAttribute" ? " of 75" : "") +
        ": expected CUDA_SUCCESS, got CUDA_ERROR_UNKNOWN (999), unknown error";
    expect(DN_ERROR_DRIVER_CALL, nullptr, reason.c_str());
  }
}

} // namespace
