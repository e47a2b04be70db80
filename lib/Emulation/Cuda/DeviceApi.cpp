//===- DeviceApi.cpp - cuInit and cuDevice*, simulated --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Capability.h"
#include "Driver.h"
#include "DriverApi.h"
#include <cstring>

using namespace mlir::deltanet;
using namespace mlir::deltanet::cuda;

/// CUDA 13.0.
static constexpr int kDriverVersion = 13000;

static CUresult failForNull() {
  return fail(CUDA_ERROR_INVALID_VALUE,
              "expected a place for the result, got null");
}

/// Runs `call(driver)` if there is such a device.
template <typename Call>
static CUresult onDevice(const void *result, CUdevice device, Call call) {
  return inDriver([&](Driver &driver) {
    if (!result)
      return failForNull();
    if (!driver.isDevice(device))
      return fail(CUDA_ERROR_INVALID_DEVICE,
                  "expected a device below " +
                      llvm::Twine(driver.options().devices) + ", got " +
                      llvm::Twine(device));
    return call(driver);
  });
}

CUresult cuDriverGetVersion(int *version) {
  if (!version)
    return failForNull();
  *version = kDriverVersion;
  return CUDA_SUCCESS;
}

CUresult cuInit(unsigned flags) {
  if (flags)
    return fail(CUDA_ERROR_INVALID_VALUE,
                "expected no flags, got " + llvm::Twine(flags));
  Driver &driver = Driver::get();
  std::lock_guard<std::mutex> lock(driver.mutex);
  driver.isInitialised = true;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  return inDriver([&](Driver &driver) {
    if (!count)
      return failForNull();
    *count = int(driver.options().devices);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  return onDevice(device, ordinal, [&](Driver &) {
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device) {
  return onDevice(name, device, [&](Driver &driver) {
    if (bytes <= 0)
      return fail(CUDA_ERROR_INVALID_VALUE, "expected room for a name, got " +
                                                llvm::Twine(bytes) + " bytes");
    std::string text = driver.deviceName().substr(0, bytes - 1);
    std::memcpy(name, text.c_str(), text.size() + 1);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                              CUdevice device) {
  return onDevice(value, device, [&](Driver &driver) {
    std::optional<int> known =
        attributeOf(driver.options().capability, attribute);
    if (!known)
      return fail(CUDA_ERROR_INVALID_VALUE,
                  "expected an attribute that is simulated, got " +
                      llvm::Twine(int(attribute)));
    *value = *known;
    return CUDA_SUCCESS;
  });
}
