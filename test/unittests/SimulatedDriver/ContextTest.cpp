//===- ContextTest.cpp - Contexts of one and of several devices -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SimulatedGpu.h"
#include <thread>

using SimulatedContext = SimulatedGpu;

namespace {
struct TwoDevices : SimulatedGpu {
  TwoDevices() : SimulatedGpu(gpuOptions(80, 2)) {
    EXPECT_EQ(cuDevicePrimaryCtxRetain(&other, 1), CUDA_SUCCESS);
  }
  ~TwoDevices() override {
    EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(1), CUDA_SUCCESS);
  }
  CUcontext other = nullptr;
};
} // namespace

TEST_F(TwoDevices, CurrentOnesBelongToThreads) {
  EXPECT_NE(context, other);
  std::thread([&] {
    CUcontext current = context;
    EXPECT_EQ(cuCtxGetCurrent(&current), CUDA_SUCCESS);
    EXPECT_EQ(current, nullptr);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuCtxSetCurrent(other), CUDA_SUCCESS);
    CUdevice device;
    EXPECT_EQ(cuCtxGetDevice(&device), CUDA_SUCCESS);
    EXPECT_EQ(device, 1);
  }).join();
  CUcontext current = nullptr;
  EXPECT_EQ(cuCtxGetCurrent(&current), CUDA_SUCCESS);
  EXPECT_EQ(current, context);
  CUdevice device;
  EXPECT_EQ(cuCtxGetDevice(&device), CUDA_SUCCESS);
  EXPECT_EQ(device, 0);
}

TEST_F(TwoDevices, ThingsOfOneAreUnknownToTheOther) {
  CUdeviceptr buffer = upload({1, 2});
  CUfunction fill = load(moduleText(kFill), "fill");
  CUmodule module;
  ASSERT_EQ(cuModuleLoadData(&module, moduleText(kFill).c_str()), CUDA_SUCCESS);
  CUstream stream;
  ASSERT_EQ(cuStreamCreate(&stream, 1), CUDA_SUCCESS);

  ASSERT_EQ(cuCtxSetCurrent(other), CUDA_SUCCESS);
  uint32_t value;
  EXPECT_EQ(cuMemcpyDtoH_v2(&value, buffer, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree_v2(buffer), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(fill, 1, 1, 0, buffer, 0), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);

  // Nor do kernels of one reach the memory of the other.
  CUfunction own = load(moduleText(kFill), "fill");
  EXPECT_EQ(launch(own, 1, 1, 0, buffer, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  ASSERT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS) << "of another context";
  EXPECT_EQ(takeFindings().texts.size(), 1u);
}

TEST_F(SimulatedContext, LivesAsLongAsItsUsers) {
  unsigned long long before, after;
  ASSERT_EQ(cuCtxGetId(nullptr, &before), CUDA_SUCCESS);
  CUcontext again;
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&again, 0), CUDA_SUCCESS);
  EXPECT_EQ(again, context);
  CUdeviceptr buffer = upload({7});
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_EQ(download(buffer, 1)[0], 7u);

  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuCtxGetId(context, &after), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxSetCurrent(context), CUDA_ERROR_INVALID_CONTEXT);

  // A new one is another one: nothing of the old one is left.
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxGetId(context, &after), CUDA_SUCCESS);
  EXPECT_NE(before, after);
  uint32_t value;
  EXPECT_EQ(cuMemcpyDtoH_v2(&value, buffer, 4), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimulatedContext, DevicesStayWhileTheyAreInUse) {
  dn_sim_options options = gpuOptions(90);
  options.size = sizeof options;
  EXPECT_STREQ(dn_sim_configure(&options),
               "expected no context in use while devices change");
  options.capability = 80;
  options.seed = 3;
  EXPECT_EQ(dn_sim_configure(&options), nullptr) << "the same devices";
}

TEST_F(SimulatedContext, StreamsAreKnown) {
  CUstream stream = nullptr;
  EXPECT_EQ(cuStreamCreate(&stream, 2), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  for (uintptr_t standing : {0, 1, 2})
    EXPECT_EQ(cuStreamSynchronize(reinterpret_cast<CUstream>(standing)),
              CUDA_SUCCESS);
  EXPECT_EQ(cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamDestroy_v2(stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
}
