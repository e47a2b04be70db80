//===- DeviceTest.cpp - Device memory and streams of a fake driver --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "cuda/Device.h"
#include "FakeGpuKernel.h"

namespace {

class DeviceTest : public CudaTest {
protected:
  void TearDown() override {
    EXPECT_EQ(FakeDriver::liveAllocations(), 0);
    EXPECT_EQ(FakeDriver::liveStreams(), 0);
    CudaTest::TearDown();
  }

  void expect(dn_status status) { EXPECT_EQ(status, DN_OK) << message; }
};

TEST_F(DeviceTest, MemoryComesAndGoes) {
  const char text[] = "state of a head";
  char back[sizeof text] = "";
  void *memory;
  expect(
      dn_device_allocate(cuda, sizeof text, &memory, message, sizeof message));
  expect(dn_device_write(cuda, memory, text, sizeof text, message,
                         sizeof message));
  expect(dn_device_fill(cuda, memory, 'S', 1, message, sizeof message));
  expect(
      dn_device_read(cuda, back, memory, sizeof text, message, sizeof message));
  EXPECT_STREQ(back, "State of a head");
  expect(dn_device_free(cuda, memory, message, sizeof message));
}

TEST_F(DeviceTest, NothingIsNothing) {
  void *memory = this;
  expect(dn_device_allocate(cuda, 0, &memory, message, sizeof message));
  EXPECT_EQ(memory, nullptr);
  expect(dn_device_write(cuda, memory, nullptr, 0, message, sizeof message));
  expect(dn_device_read(cuda, nullptr, memory, 0, message, sizeof message));
  expect(dn_device_fill(cuda, memory, 1, 0, message, sizeof message));
  expect(dn_device_free(cuda, memory, message, sizeof message));
  EXPECT_TRUE(driver->log.empty());
}

TEST_F(DeviceTest, PrimaryContexts) {
  driver->devices.push_back({"Fake A100", 80});
  FakeDriver::setCurrent(nullptr);
  int count = 0;
  expect(dn_device_count(cuda, &count, message, sizeof message));
  EXPECT_EQ(count, 2);
  char description[DN_MESSAGE_BYTES];
  EXPECT_EQ(dn_device_describe(cuda, description, message, sizeof message),
            DN_ERROR_DRIVER_CALL);
  EXPECT_STREQ(description, "");
  expect(dn_device_retain(cuda, 1, message, sizeof message));
  expect(dn_device_describe(cuda, description, message, sizeof message));
  EXPECT_STREQ(description, "Fake A100 (8.0)");
  FakeGpuKernel kernel(80);
  dn_cuda_kernel *handle;
  EXPECT_EQ(load(kernel.kernel, &handle), DN_OK) << message;
  dn_cuda_unload(handle);
  expect(dn_device_release(cuda, 1, message, sizeof message));
  EXPECT_EQ(load(kernel.kernel, &handle), DN_ERROR_DRIVER_CALL);

  EXPECT_EQ(dn_device_retain(cuda, 2, message, sizeof message),
            DN_ERROR_DRIVER_CALL);
  EXPECT_STREQ(message, "cuDeviceGet: expected CUDA_SUCCESS, got a result "
                        "without a name (101)");
  EXPECT_EQ(dn_device_release(cuda, 2, message, sizeof message),
            DN_ERROR_DRIVER_CALL);
}

TEST_F(DeviceTest, LongNames) {
  driver->devices[0] = {std::string(80, 'x'), 120};
  char description[DN_MESSAGE_BYTES];
  expect(dn_device_describe(cuda, description, message, sizeof message));
  EXPECT_EQ(description, std::string(63, 'x') + " (12.0)");
}

TEST_F(DeviceTest, AContextThatCannotBeCurrentIsNotKept) {
  driver->failures["cuCtxSetCurrent"] = FakeFailure();
  EXPECT_EQ(dn_device_retain(cuda, 0, message, sizeof message),
            DN_ERROR_DRIVER_CALL);
  EXPECT_EQ(driver->count("cuDevicePrimaryCtxRelease_v2"), 1);
}

TEST_F(DeviceTest, Streams) {
  void *stream = nullptr;
  expect(dn_device_create_stream(cuda, &stream, message, sizeof message));
  EXPECT_NE(stream, nullptr);
  driver->log.clear();
  expect(dn_device_synchronize(cuda, stream, message, sizeof message));
  expect(dn_device_synchronize(cuda, nullptr, message, sizeof message));
  EXPECT_EQ(driver->log, (std::vector<std::string>{"cuStreamSynchronize",
                                                   "cuCtxSynchronize"}));
  expect(dn_device_destroy_stream(cuda, stream, message, sizeof message));
}

TEST_F(DeviceTest, CallsThatFail) {
  char byte = 0;
  void *memory = &byte, *out;
  auto fails = [&](const std::string &function, auto &&call) {
    driver->failures = {{function, FakeFailure()}};
    EXPECT_EQ(call(), DN_ERROR_DRIVER_CALL) << function;
    EXPECT_EQ(message, function + ": expected CUDA_SUCCESS, got "
                                  "CUDA_ERROR_UNKNOWN (999), unknown error");
  };
  auto size = sizeof message;
  int count;
  fails("cuDeviceGetCount",
        [&] { return dn_device_count(cuda, &count, message, size); });
  fails("cuDevicePrimaryCtxRetain",
        [&] { return dn_device_retain(cuda, 0, message, size); });
  fails("cuMemAlloc_v2",
        [&] { return dn_device_allocate(cuda, 1, &out, message, size); });
  EXPECT_EQ(out, nullptr);
  fails("cuMemcpyHtoD_v2",
        [&] { return dn_device_write(cuda, memory, &byte, 1, message, size); });
  fails("cuMemcpyDtoH_v2",
        [&] { return dn_device_read(cuda, &byte, memory, 1, message, size); });
  fails("cuMemsetD8_v2",
        [&] { return dn_device_fill(cuda, memory, 0, 1, message, size); });
  fails("cuStreamCreate",
        [&] { return dn_device_create_stream(cuda, &out, message, size); });
  EXPECT_EQ(out, nullptr);
  fails("cuCtxSynchronize",
        [&] { return dn_device_synchronize(cuda, nullptr, message, size); });
}

} // namespace
