//===- LoadThreadsTest.cpp - Threads that race for one kernel -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeGpuKernel.h"
#include "FakeKernel.h"

#include <thread>

namespace {

class LoadThreadsTest : public CudaTest {
protected:
  static constexpr int count = 8;

  template <typename Body> static void onThreads(const Body &body) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i)
      threads.emplace_back(body, i);
    for (std::thread &thread : threads)
      thread.join();
  }

  FakeGpuKernel gdn;
  FakeCall call;
};

TEST_F(LoadThreadsTest, OneLoadsForAll) {
  dn_cuda_kernel *handles[count];
  onThreads([&](int i) {
    char text[DN_MESSAGE_BYTES];
    FakeDriver::setCurrent(context);
    EXPECT_EQ(dn_cuda_load(cuda, &gdn.kernel, &handles[i], text, sizeof text),
              DN_OK)
        << text;
    EXPECT_EQ(
        dn_cuda_launch(handles[i], &call.args, nullptr, text, sizeof text),
        DN_OK)
        << text;
  });
  EXPECT_EQ(driver->count("cuModuleLoadDataEx"), 1);
  EXPECT_EQ(driver->launches.size(), 2u * count);
  for (dn_cuda_kernel *handle : handles)
    EXPECT_EQ(handle, handles[0]);
  EXPECT_EQ(FakeDriver::liveModules(), 1);
  onThreads([&](int i) { dn_cuda_unload(handles[i]); });
  EXPECT_EQ(FakeDriver::liveModules(), 0);
}

TEST_F(LoadThreadsTest, EachInItsContext) {
  cu_context contexts[count];
  for (cu_context &each : contexts)
    each = FakeDriver::makeContext();
  onThreads([&](int i) {
    char text[DN_MESSAGE_BYTES];
    FakeDriver::setCurrent(contexts[i]);
    for (int round = 0; round < 20; ++round) {
      dn_cuda_kernel *handle;
      ASSERT_EQ(dn_cuda_load(cuda, &gdn.kernel, &handle, text, sizeof text),
                DN_OK)
          << text;
      EXPECT_EQ(dn_cuda_launch(handle, &call.args, nullptr, text, sizeof text),
                DN_OK)
          << text;
      dn_cuda_unload(handle);
    }
  });
  EXPECT_EQ(driver->count("cuModuleLoadDataEx"), 20 * count);
  EXPECT_EQ(FakeDriver::liveModules(), 0);
  for (const FakeLaunch &launch : driver->launches)
    EXPECT_NE(launch.context, FakeDriver::idOf(context));
}

} // namespace
