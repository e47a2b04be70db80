//===- OpenedGpu.cpp - A GPU for as long as the program uses it -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "OpenedGpu.h"
#include "cuda/Device.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::gpubench;

llvm::Error gpubench::errorOf(dn_status status, const char *message) {
  return status == DN_OK ? llvm::Error::success()
                         : llvm::createStringError(message);
}

llvm::Expected<std::unique_ptr<OpenedGpu>>
OpenedGpu::open(const Options &options) {
  std::unique_ptr<OpenedGpu> gpu(new OpenedGpu(options.device));
  const char *driver =
      options.driver.empty() ? nullptr : options.driver.c_str();
  char message[DN_MESSAGE_BYTES], name[DN_MESSAGE_BYTES];
  dn_status status = dn_cuda_open(driver, &gpu->cuda, message, sizeof message);
  if (status == DN_OK) {
    status = dn_device_retain(gpu->cuda, gpu->ordinal, message, sizeof message);
    gpu->isRetained = status == DN_OK;
  }
  if (status == DN_OK)
    status = dn_device_describe(gpu->cuda, name, message, sizeof message);
  if (status != DN_OK)
    return errorOf(status, message);
  gpu->description = name;
  return gpu;
}

OpenedGpu::~OpenedGpu() {
  char message[DN_MESSAGE_BYTES];
  if (isRetained)
    dn_device_release(cuda, ordinal, message, sizeof message);
  dn_cuda_close(cuda);
}
