//===- Context.c - The current context and its device ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "Context.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

dn_status dn_cuda_current_context(const cu_driver *driver, dn_cuda_context *out,
                                  dn_message message) {
  dn_status status =
      dn_cuda_result(driver, driver->cuCtxGetCurrent(&out->address), message,
                     "cuCtxGetCurrent");
  if (status != DN_OK)
    return status;
  if (!out->address)
    return dn_fail(message, DN_ERROR_CONTEXT,
                   "expected a current CUDA context, got none");
  return dn_cuda_result(driver, driver->cuCtxGetId(out->address, &out->id),
                        message, "cuCtxGetId");
}

dn_status dn_cuda_current_device(const cu_driver *driver, dn_cuda_device *out,
                                 dn_message message) {
  cu_device device;
  dn_status status = dn_cuda_result(driver, driver->cuCtxGetDevice(&device),
                                    message, "cuCtxGetDevice");
  if (status == DN_OK)
    status = dn_cuda_result(
        driver, driver->cuDeviceGetName(out->name, sizeof out->name, device),
        message, "cuDeviceGetName");
  int major = 0, minor = 0;
  const struct {
    int attribute, *value;
  } attributes[] = {
      {CU_DEVICE_CAPABILITY_MAJOR, &major},
      {CU_DEVICE_CAPABILITY_MINOR, &minor},
      {CU_DEVICE_MAX_THREADS_PER_BLOCK, &out->threads},
      {CU_DEVICE_MAX_SHARED_BYTES_PER_BLOCK_OPTIN, &out->shared_bytes},
  };
  for (size_t i = 0; i < LENGTH(attributes) && status == DN_OK; ++i)
    status = dn_cuda_result(
        driver,
        driver->cuDeviceGetAttribute(attributes[i].value,
                                     attributes[i].attribute, device),
        message, "cuDeviceGetAttribute of %d", attributes[i].attribute);
  out->name[sizeof out->name - 1] = '\0';
  out->capability = 10 * major + minor;
  return status;
}

dn_status dn_cuda_device_runs(const dn_cuda_device *device,
                              const dn_kernel *kernel, dn_message message) {
  const dn_cuda_code *code = kernel->cuda;
  int chip = (int)code->chip;
  if (code->only ? device->capability != chip : device->capability < chip)
    return dn_fail(message, DN_ERROR_DEVICE, "for %d.%d %s", chip / 10,
                   chip % 10, code->only ? "alone" : "and later");
  for (uint32_t i = 0; i < kernel->stages; ++i) {
    const dn_cuda_stage *stage = &code->stages[i];
    if (stage->threads > (uint32_t)device->threads)
      return dn_fail(message, DN_ERROR_DEVICE,
                     "needs %u threads a block, has %d", stage->threads,
                     device->threads);
    if (stage->shared_bytes > (uint32_t)device->shared_bytes)
      return dn_fail(message, DN_ERROR_DEVICE,
                     "needs %u bytes of shared memory, has %d",
                     stage->shared_bytes, device->shared_bytes);
  }
  return DN_OK;
}
