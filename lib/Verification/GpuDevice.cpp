//===- GpuDevice.cpp - A GPU, real or simulated, and its memory -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "GpuDevice.h"
#include "cuda/Device.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

llvm::Expected<std::unique_ptr<GpuDevice>>
GpuDevice::open(const DeviceChoice &choice) {
  std::unique_ptr<GpuDevice> device(new GpuDevice(choice));
  const char *library = choice.driver.empty() ? nullptr : choice.driver.c_str();
  if (choice.isSimulated) {
    llvm::Expected<Simulator> simulator = Simulator::load();
    if (!simulator)
      return simulator.takeError();
    if (llvm::Error error = simulator->configure(choice.capability, /*seed=*/0))
      return std::move(error);
    // What an earlier device was counted for is not this one's.
    simulator->takeReport();
    device->simulated = std::move(*simulator);
    library = Simulator::kLibrary;
  }
  char message[DN_MESSAGE_BYTES];
  dn_status status =
      dn_cuda_open(library, &device->cuda, message, sizeof message);
  if (status == DN_OK) {
    status =
        dn_device_retain(device->cuda, choice.ordinal, message, sizeof message);
    device->isRetained = status == DN_OK;
  }
  char name[DN_MESSAGE_BYTES];
  if (status == DN_OK)
    status = dn_device_describe(device->cuda, name, message, sizeof message);
  if (status != DN_OK)
    return device->fail(status, message);
  device->description = name;
  return device;
}

GpuDevice::~GpuDevice() {
  char message[DN_MESSAGE_BYTES];
  if (isRetained)
    dn_device_release(cuda, choice.ordinal, message, sizeof message);
  dn_cuda_close(cuda);
}

llvm::Error GpuDevice::fail(dn_status status, const char *message) const {
  std::string text = std::string("GPU: ") + message;
  if (simulated && status == DN_ERROR_DRIVER_CALL &&
      !llvm::StringRef(text).contains(simulated->reason()))
    text += ": " + simulated->reason();
  return llvm::createStringError(text);
}

llvm::Error GpuDevice::check(dn_status status, const char *message) const {
  return status == DN_OK ? llvm::Error::success() : fail(status, message);
}

llvm::Expected<char *> GpuDevice::allocate(uint64_t bytes) const {
  char message[DN_MESSAGE_BYTES];
  void *memory;
  dn_status status =
      dn_device_allocate(cuda, bytes, &memory, message, sizeof message);
  if (status != DN_OK)
    return fail(status, message);
  return static_cast<char *>(memory);
}

void GpuDevice::release(char *memory) const {
  char message[DN_MESSAGE_BYTES];
  dn_device_free(cuda, memory, message, sizeof message);
}

llvm::Error GpuDevice::write(char *to, const char *from, uint64_t bytes) const {
  char message[DN_MESSAGE_BYTES];
  return check(dn_device_write(cuda, to, from, bytes, message, sizeof message),
               message);
}

llvm::Error GpuDevice::read(char *to, const char *from, uint64_t bytes) const {
  char message[DN_MESSAGE_BYTES];
  return check(dn_device_read(cuda, to, from, bytes, message, sizeof message),
               message);
}

llvm::Error GpuDevice::synchronize() const {
  char message[DN_MESSAGE_BYTES];
  return check(dn_device_synchronize(cuda, nullptr, message, sizeof message),
               message);
}
