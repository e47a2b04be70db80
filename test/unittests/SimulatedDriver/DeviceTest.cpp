//===- DeviceTest.cpp - The GPUs that a program finds ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SimulatedGpu.h"

/// Before any test has called cuInit.
static const CUresult beforeInit = [] {
  int count;
  return cuDeviceGetCount(&count);
}();

static int attribute(CUdevice_attribute which) {
  int value = -1;
  EXPECT_EQ(cuDeviceGetAttribute(&value, which, 0), CUDA_SUCCESS);
  return value;
}

TEST(Device, NeedsInit) {
  EXPECT_EQ(beforeInit, CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(cuInit(1), CUDA_ERROR_INVALID_VALUE);
  int version;
  EXPECT_EQ(cuDriverGetVersion(&version), CUDA_SUCCESS);
  EXPECT_EQ(version, 13000);
}

TEST(Device, HasTheCapabilityAskedFor) {
  dn_sim_options options = gpuOptions(90, 2);
  options.size = sizeof options;
  ASSERT_EQ(dn_sim_configure(&options), nullptr);
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  int count;
  EXPECT_EQ(cuDeviceGetCount(&count), CUDA_SUCCESS);
  EXPECT_EQ(count, 2);
  CUdevice device;
  EXPECT_EQ(cuDeviceGet(&device, 1), CUDA_SUCCESS);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(cuDeviceGet(&device, 2), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_STREQ(dn_sim_reason(), "expected a device below 2, got 2");
  EXPECT_EQ(cuDeviceGet(&device, -1), CUDA_ERROR_INVALID_DEVICE);

  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), 9);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR), 0);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 1024);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
            48 << 10);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
            227 << 10);
  int value;
  EXPECT_EQ(cuDeviceGetAttribute(&value, CUdevice_attribute(1000), 0),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_STREQ(dn_sim_reason(),
               "expected an attribute that is simulated, got 1000");
}

TEST(Device, NamesFitWhereTheyAreWritten) {
  dn_sim_options options = gpuOptions(86);
  options.size = sizeof options;
  ASSERT_EQ(dn_sim_configure(&options), nullptr);
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  char name[32] = "unchanged";
  EXPECT_EQ(cuDeviceGetName(name, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_STREQ(name, "unchanged");
  EXPECT_EQ(cuDeviceGetName(name, sizeof name, 0), CUDA_SUCCESS);
  EXPECT_STREQ(name, "simulated sm_86");
  EXPECT_EQ(cuDeviceGetName(name, 5, 0), CUDA_SUCCESS);
  EXPECT_STREQ(name, "simu");
}

TEST(Device, OptionsAreChecked) {
  dn_sim_options options = {};
  EXPECT_STREQ(dn_sim_configure(&options),
               "expected dn_sim_options of this version's size");
  options.size = sizeof options;
  options.capability = 81;
  EXPECT_STREQ(dn_sim_configure(&options),
               "expected the compute capability 80, 86, 87, 89, 90, 100, 103, "
               "120 or 121");
  options.capability = 80;
  options.devices = 9;
  EXPECT_STREQ(dn_sim_configure(&options), "expected at most 8 devices");
  options.devices = 1;
  options.without_checks = 2;
  EXPECT_STREQ(dn_sim_configure(&options),
               "expected without_checks to be 0 or 1");
}

TEST(Device, ResultsHaveNames) {
  const char *text = nullptr;
  EXPECT_EQ(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(cuGetErrorString(CUDA_SUCCESS, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "no error");
  EXPECT_EQ(cuGetErrorName(CUresult(12345), &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
}
