//===- ImageTest.cpp - Which image of a variant is loaded -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeGpuKernel.h"

namespace {

class ImageTest : public CudaTest {
protected:
  /// What is loaded on a device, and the driver's log of it.
  void expect(FakeGpuKernel &kernel, int capability, const char *origin,
              const std::vector<std::string> &images) {
    driver->devices[0].capability = capability;
    driver->log.clear();
    dn_cuda_kernel *handle;
    ASSERT_EQ(load(kernel.kernel, &handle), DN_OK) << message;
    EXPECT_STREQ(dn_cuda_image(handle), origin);
    std::vector<std::string> loaded;
    for (const std::string &line : driver->log)
      if (line.rfind("cuModuleLoadDataEx ", 0) == 0)
        loaded.push_back(line.substr(19));
    EXPECT_EQ(loaded, images);
    dn_cuda_unload(handle);
  }
};

TEST_F(ImageTest, CubinsForTheirDevices) {
  FakeGpuKernel sm80(80), sm90a(90, true), sm89(89);
  expect(sm80, 80, "cubin of sm_80", {"cubin 80"});
  expect(sm80, 86, "cubin of sm_80", {"cubin 80"});
  expect(sm89, 89, "cubin of sm_89", {"cubin 89"});
  expect(sm90a, 90, "cubin of sm_90a", {"cubin 90"});
  expect(sm80, 90,
         "PTX of sm_80, compiled by the driver: the cubin is for another GPU",
         {"ptx 80"});
  expect(sm89, 120,
         "PTX of sm_89, compiled by the driver: the cubin is for another GPU",
         {"ptx 89"});
}

TEST_F(ImageTest, NoCubin) {
  FakeGpuKernel kernel(80);
  kernel.setCubin("");
  expect(kernel, 80, "PTX of sm_80, compiled by the driver: no cubin",
         {"ptx 80"});
}

TEST_F(ImageTest, CubinsThatTheDriverRefuses) {
  FakeGpuKernel kernel(90, true);
  for (const char *text : {"none", "cubin 100"}) {
    kernel.setCubin(text);
    expect(kernel, 90,
           "PTX of sm_90a, compiled by the driver: the driver refused the "
           "cubin",
           {kernel.cubin == "none" ? "none -1" : "cubin 100", "ptx 90"});
  }
}

TEST_F(ImageTest, OtherFailuresAreNoReasonForPtx) {
  FakeGpuKernel kernel;
  driver->failures["cuModuleLoadDataEx"].result = 2;
  dn_cuda_kernel *handle;
  EXPECT_EQ(load(kernel.kernel, &handle), DN_ERROR_DRIVER_CALL);
  EXPECT_EQ(driver->count("cuModuleLoadDataEx"), 1);
}

TEST_F(ImageTest, TheCompilersWords) {
  FakeGpuKernel kernel;
  kernel.setCubin("");
  kernel.setPtx("ptx 0");
  dn_cuda_kernel *handle;
  EXPECT_EQ(load(kernel.kernel, &handle), DN_ERROR_DRIVER_CALL);
  EXPECT_STREQ(message,
               "fake: cuModuleLoadDataEx of the PTX of sm_90: expected "
               "CUDA_SUCCESS, got CUDA_ERROR_INVALID_PTX (218): ptx input, "
               "line 3; error: no such instruction");
}

} // namespace
