//===- LoadTest.cpp - Loading variants for contexts of a fake driver ------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeGpuKernel.h"
#include "FakeKernel.h"

namespace {

class LoadTest : public CudaTest {
protected:
  void expectFailure(dn_status status, const std::string &text) {
    EXPECT_EQ(load(gdn.kernel, &handle), status);
    EXPECT_EQ(message, text);
    EXPECT_EQ(handle, nullptr);
    EXPECT_EQ(FakeDriver::liveModules(), 0);
  }

  FakeGpuKernel gdn{90};
  dn_cuda_kernel *handle = nullptr;
};

TEST_F(LoadTest, OnceForEachContext) {
  ASSERT_EQ(load(gdn.kernel, &handle), DN_OK) << message;
  EXPECT_STREQ(message, "");
  EXPECT_EQ(driver->count("cuModuleLoadDataEx"), 1);
  EXPECT_EQ(driver->count("cuModuleGetFunction"), 2);
  driver->log.clear();
  dn_cuda_kernel *again;
  ASSERT_EQ(load(gdn.kernel, &again), DN_OK);
  EXPECT_EQ(again, handle);
  EXPECT_EQ(driver->log,
            (std::vector<std::string>{"cuCtxGetCurrent", "cuCtxGetId"}));

  FakeDriver::setCurrent(FakeDriver::makeContext());
  dn_cuda_kernel *other;
  ASSERT_EQ(load(gdn.kernel, &other), DN_OK);
  EXPECT_NE(other, handle);
  FakeGpuKernel another(80);
  dn_cuda_kernel *different;
  ASSERT_EQ(load(another.kernel, &different), DN_OK);
  EXPECT_NE(different, other);
  EXPECT_EQ(FakeDriver::liveModules(), 3);
}

TEST_F(LoadTest, LastUnloadFrees) {
  dn_cuda_kernel *again, *other;
  FakeGpuKernel another(80);
  ASSERT_EQ(load(gdn.kernel, &handle), DN_OK);
  ASSERT_EQ(load(another.kernel, &other), DN_OK);
  ASSERT_EQ(load(gdn.kernel, &again), DN_OK);
  dn_cuda_unload(handle);
  EXPECT_EQ(FakeDriver::liveModules(), 2);
  dn_cuda_unload(again);
  EXPECT_EQ(FakeDriver::liveModules(), 1);
  dn_cuda_unload(nullptr);
  ASSERT_EQ(load(gdn.kernel, &handle), DN_OK);
  EXPECT_EQ(FakeDriver::liveModules(), 2);
}

TEST_F(LoadTest, UnloadsInTheKernelsContext) {
  for (cu_context other : {FakeDriver::makeContext(), cu_context()}) {
    FakeDriver::setCurrent(context);
    ASSERT_EQ(load(gdn.kernel, &handle), DN_OK);
    FakeDriver::setCurrent(other);
    // The fake driver refuses to unload a module of another context.
    dn_cuda_unload(handle);
    EXPECT_EQ(FakeDriver::liveModules(), 0);
    EXPECT_EQ(FakeDriver::getCurrent(), other);
  }
}

TEST_F(LoadTest, ContextsThatHaveGone) {
  ASSERT_EQ(load(gdn.kernel, &handle), DN_OK);
  FakeDriver::destroyContext(context);
  driver->log.clear();
  dn_cuda_unload(handle);
  EXPECT_EQ(driver->count("cuModuleUnload"), 0);

  FakeDriver::makeContextAt(context);
  ASSERT_EQ(load(gdn.kernel, &handle), DN_OK);
  FakeDriver::destroyContext(context);
  // Its successor at the same address is not taken for it.
  FakeDriver::makeContextAt(context);
  dn_cuda_kernel *successor;
  ASSERT_EQ(load(gdn.kernel, &successor), DN_OK);
  EXPECT_NE(successor, handle);
  driver->log.clear();
  dn_cuda_unload(handle);
  EXPECT_EQ(driver->count("cuModuleUnload"), 0);
  EXPECT_EQ(FakeDriver::liveModules(), 1);
}

TEST_F(LoadTest, SharedMemoryIsAskedForWhereNeeded) {
  ASSERT_EQ(load(gdn.kernel, &handle), DN_OK);
  EXPECT_EQ(driver->count("cuFuncSetAttribute"), 1);
  EXPECT_EQ(driver->count("cuFuncSetAttribute intra 8 65536"), 1);

  // 48 KB need no word, but a function's own 1 KB count.
  FakeGpuKernel other(80);
  other.stages[0].shared_bytes = 48 * 1024;
  other.stages[1].shared_bytes = 47 * 1024 + 1;
  driver->log.clear();
  ASSERT_EQ(load(other.kernel, &handle), DN_OK);
  EXPECT_EQ(driver->count("cuFuncSetAttribute"), 1);
  EXPECT_EQ(driver->count("cuFuncSetAttribute scan 8 48129"), 1);
}

TEST_F(LoadTest, BlocksMustFit) {
  gdn.stages[1].shared_bytes = 232448;
  expectFailure(DN_ERROR_DEVICE,
                "scan: expected at most 232448 bytes of shared memory a block, "
                "got 232448 and 1024 of its own");
  gdn.stages[1] = {"scan", 513, 0, nullptr};
  expectFailure(DN_ERROR_DEVICE,
                "scan: expected at most 512 threads a block, for which this "
                "device has registers, got 513");
  gdn.stages[0].shared_bytes = 232449;
  expectFailure(DN_ERROR_DEVICE,
                "fake: expected a variant that runs on Fake H200 (9.0), got "
                "sm_90: needs 232449 bytes of shared memory, has 232448");
  EXPECT_EQ(driver->count("cuModuleLoadDataEx"), 2);
}

TEST_F(LoadTest, OtherDevices) {
  driver->devices[0].capability = 89;
  expectFailure(DN_ERROR_DEVICE,
                "fake: expected a variant that runs on Fake H200 (8.9), got "
                "sm_90: for 9.0 and later");
  FakeDriver::setCurrent(nullptr);
  expectFailure(DN_ERROR_CONTEXT, "expected a current CUDA context, got none");
}

TEST_F(LoadTest, NotForGpus) {
  dn_kernel avx2 = makeFakeKernel(DN_ISA_AVX2);
  EXPECT_EQ(load(avx2, &handle), DN_ERROR_ISA);
  EXPECT_STREQ(message,
               "kernel: expected a variant for GPUs, got level 1 of CPUs");
}

TEST_F(LoadTest, CallsThatFail) {
  const std::pair<std::string, std::string> calls[] = {
      {"cuCtxGetCurrent", "cuCtxGetCurrent"},
      {"cuCtxGetId", "cuCtxGetId"},
      {"cuCtxGetDevice", "cuCtxGetDevice"},
      {"cuDeviceGetName", "cuDeviceGetName"},
      {"cuDeviceGetAttribute", "cuDeviceGetAttribute of 75"},
      {"cuModuleLoadDataEx", "fake: cuModuleLoadDataEx of the cubin of sm_90"},
      {"cuModuleGetFunction", "cuModuleGetFunction of intra"},
      {"cuFuncGetAttribute", "cuFuncGetAttribute of intra"},
      {"cuFuncSetAttribute",
       "cuFuncSetAttribute of intra to 65536 bytes of shared memory"},
  };
  std::string got =
      ": expected CUDA_SUCCESS, got CUDA_ERROR_UNKNOWN (999), unknown error";
  for (const auto &[function, what] : calls) {
    driver->failures = {{function, FakeFailure()}};
    expectFailure(DN_ERROR_DRIVER_CALL, what + got);
  }
  driver->failures = {{"cuFuncGetAttribute", {999, 3}}};
  expectFailure(DN_ERROR_DRIVER_CALL, "cuFuncGetAttribute of scan" + got);
  driver->failures.clear();
  EXPECT_EQ(load(gdn.kernel, &handle), DN_OK) << message;
}

TEST_F(LoadTest, FunctionsThatTheImageLacks) {
  gdn.stages[1].entry = "scam";
  expectFailure(DN_ERROR_DRIVER_CALL,
                "cuModuleGetFunction of scam: expected CUDA_SUCCESS, got "
                "CUDA_ERROR_NOT_FOUND (500)");
}

} // namespace
