//===- LaunchTest.cpp - Launches as a fake driver gets them ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeGpuKernel.h"
#include "FakeKernel.h"

#include <cstring>

namespace {

class LaunchTest : public CudaTest {
protected:
  void SetUp() override {
    CudaTest::SetUp();
    ASSERT_EQ(load(gdn.kernel, &handle), DN_OK) << message;
    driver->log.clear();
  }

  FakeGpuKernel gdn;
  dn_cuda_kernel *handle = nullptr;
  FakeCall call;
};

TEST_F(LaunchTest, StagesInOrder) {
  int stream;
  ASSERT_EQ(launch(handle, call.args, &stream), DN_OK) << message;
  EXPECT_STREQ(message, "");
  // Nothing else: no memory, no waiting, nothing to load.
  EXPECT_EQ(driver->log, (std::vector<std::string>{
                             "cuCtxGetCurrent", "cuCtxGetId",
                             "cuLaunchKernel intra", "cuLaunchKernel scan"}));
  ASSERT_EQ(driver->launches.size(), 2u);
  const FakeLaunch &intra = driver->launches[0], &scan = driver->launches[1];
  EXPECT_EQ(intra.function, "intra");
  EXPECT_EQ(intra.blocks, 8u);
  EXPECT_EQ(intra.threads, 128u);
  EXPECT_EQ(intra.sharedBytes, 65536u);
  EXPECT_EQ(scan.function, "scan");
  EXPECT_EQ(scan.blocks, 2u);
  EXPECT_EQ(scan.threads, 256u);
  EXPECT_EQ(scan.sharedBytes, 0u);
  for (const FakeLaunch &launch : driver->launches) {
    EXPECT_EQ(launch.context, FakeDriver::idOf(context));
    EXPECT_EQ(launch.stream, &stream);
    EXPECT_EQ(launch.first, 0);
    ASSERT_EQ(launch.args.size(), sizeof(dn_args));
    EXPECT_EQ(memcmp(launch.args.data(), &call.args, sizeof(dn_args)), 0);
  }
}

TEST_F(LaunchTest, StagesWithoutItems) {
  call.args.tokens = 0;
  ASSERT_EQ(launch(handle, call.args), DN_OK);
  ASSERT_EQ(driver->launches.size(), 1u);
  EXPECT_EQ(driver->launches[0].function, "scan");
  EXPECT_EQ(driver->launches[0].stream, nullptr);
}

TEST_F(LaunchTest, TensorsThatAreNotAligned) {
  FakeGpuKernel both;
  both.stages[0].unaligned_entry = "any";
  both.stages[0].shared_bytes = 0;
  dn_cuda_kernel *loaded;
  ASSERT_EQ(load(both.kernel, &loaded), DN_OK) << message;
  dn_args args = call.args;
  auto at = [](uintptr_t address) {
    return reinterpret_cast<float *>(address);
  };
  args.q = args.k = args.v = args.state_in = at(4096);
  args.o = args.state_out = at(8192);
  args.g = args.beta = at(4100); // read one by one
  auto launched = [&](const dn_args &args) {
    driver->launches.clear();
    EXPECT_EQ(launch(loaded, args), DN_OK) << message;
    EXPECT_EQ(driver->launches[1].function, "scan");
    return driver->launches[0].function;
  };
  EXPECT_EQ(launched(args), "intra");
  for (auto field : {&dn_args::q, &dn_args::k, &dn_args::v}) {
    dn_args moved = args;
    moved.*field = at(4096 + 8);
    EXPECT_EQ(launched(moved), "any");
  }
  dn_args moved = args;
  moved.state_out = at(8192 + 4);
  EXPECT_EQ(launched(moved), "any");
  for (auto stride :
       {&dn_args::q_token_stride, &dn_args::k_head_stride,
        &dn_args::v_token_stride, &dn_args::o_head_stride,
        &dn_args::state_in_head_stride, &dn_args::state_out_sequence_stride}) {
    moved = args;
    moved.*stride += 1;
    EXPECT_EQ(launched(moved), "any");
  }
  // No second token, no stride.
  moved = args;
  moved.tokens = 1;
  moved.q_token_stride += 1;
  EXPECT_EQ(launched(moved), "intra");
}

TEST_F(LaunchTest, GridsAreCut) {
  const int64_t most = INT32_MAX;
  for (int64_t items : {most, most + 1, 3 * most, int64_t(1) << 34}) {
    driver->launches.clear();
    call.args.tokens = items;
    call.args.sequences = 0;
    ASSERT_EQ(launch(handle, call.args), DN_OK);
    int64_t next = 0;
    for (const FakeLaunch &launch : driver->launches) {
      EXPECT_EQ(launch.first, next);
      EXPECT_EQ(int64_t(launch.blocks), std::min(items - next, most));
      next += launch.blocks;
    }
    EXPECT_EQ(next, items);
    EXPECT_EQ(int64_t(driver->launches.size()), (items + most - 1) / most);
  }
}

TEST_F(LaunchTest, ArgumentsOfOtherSizes) {
  // The kernel was made with a later header: the rest is zero.
  FakeGpuKernel later;
  later.code.args_size = sizeof(dn_args) + 24;
  later.setCubin("cubin 90\n" + FakeGpuKernel::functions(sizeof(dn_args) + 24));
  dn_cuda_kernel *laterHandle;
  ASSERT_EQ(load(later.kernel, &laterHandle), DN_OK);
  ASSERT_EQ(launch(laterHandle, call.args), DN_OK);
  const auto &longer = driver->launches.back().args;
  EXPECT_EQ(memcmp(longer.data(), &call.args, sizeof(dn_args)), 0);
  EXPECT_EQ(std::vector<unsigned char>(longer.begin() + sizeof(dn_args),
                                       longer.end()),
            std::vector<unsigned char>(24));

  // The caller was: its end stays behind.
  struct {
    dn_args args;
    uint64_t appended;
  } larger = {call.args, 0};
  larger.args.size = sizeof larger;
  ASSERT_EQ(launch(handle, larger.args), DN_OK);
  EXPECT_EQ(
      memcmp(driver->launches.back().args.data(), &larger, sizeof(dn_args)), 0);
}

TEST_F(LaunchTest, OtherContexts) {
  cu_context other = FakeDriver::makeContext();
  FakeDriver::setCurrent(other);
  EXPECT_EQ(launch(handle, call.args), DN_ERROR_CONTEXT);
  EXPECT_EQ(message, "fake: expected the context that it was loaded for (id " +
                         std::to_string(FakeDriver::idOf(context)) +
                         "), got one with id " +
                         std::to_string(FakeDriver::idOf(other)));
  FakeDriver::setCurrent(nullptr);
  EXPECT_EQ(launch(handle, call.args), DN_ERROR_CONTEXT);
  EXPECT_STREQ(message, "expected a current CUDA context, got none");

  // Not even at the same address.
  FakeDriver::destroyContext(context);
  FakeDriver::makeContextAt(context);
  FakeDriver::setCurrent(context);
  EXPECT_EQ(launch(handle, call.args), DN_ERROR_CONTEXT);
  EXPECT_TRUE(driver->launches.empty());
}

TEST_F(LaunchTest, CallsThatFail) {
  std::string got =
      ": expected CUDA_SUCCESS, got CUDA_ERROR_UNKNOWN (999), unknown error";
  for (std::string function : {"cuCtxGetCurrent", "cuCtxGetId"}) {
    driver->failures = {{function, FakeFailure()}};
    EXPECT_EQ(launch(handle, call.args), DN_ERROR_DRIVER_CALL);
    EXPECT_EQ(message, function + got);
  }
  EXPECT_TRUE(driver->launches.empty());
  driver->failures = {{"cuLaunchKernel", {999, 1}}};
  EXPECT_EQ(launch(handle, call.args), DN_ERROR_DRIVER_CALL);
  EXPECT_EQ(message, "cuLaunchKernel of scan, items from 0" + got);
  EXPECT_EQ(driver->launches.size(), 1u);

  // What follows a failure is not launched.
  driver->failures = {{"cuLaunchKernel", {999, 1}}};
  driver->launches.clear();
  driver->log.clear();
  call.args.tokens = int64_t(3) << 31;
  EXPECT_EQ(launch(handle, call.args), DN_ERROR_DRIVER_CALL);
  EXPECT_EQ(message, "cuLaunchKernel of intra, items from 2147483647" + got);
  EXPECT_EQ(driver->count("cuLaunchKernel"), 2);
  EXPECT_EQ(dn_cuda_launch(handle, &call.args, nullptr, nullptr, 0),
            DN_ERROR_DRIVER_CALL);
}

} // namespace
