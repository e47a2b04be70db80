//===- Image.c - A variant's code as a module of a context ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "Image.h"
#include "abi/GpuVariant.h"

#include <string.h>

/// What the driver says of an image that it cannot load; more than fits into a
/// message.
typedef struct error_log {
  char text[512];
} error_log;

static cu_result load_image(const cu_driver *driver, const void *image,
                            cu_module *out, error_log *log) {
  log->text[0] = '\0';
  int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log->text, (void *)(uintptr_t)sizeof log->text};
  cu_result result = driver->cuModuleLoadDataEx(out, image, 2, options, values);
  log->text[sizeof log->text - 1] = '\0';
  return result;
}

static dn_status fail_with_log(const cu_driver *driver, cu_result result,
                               const dn_kernel *kernel, const char *image,
                               const error_log *log, dn_message message) {
  dn_status status = dn_cuda_result(
      driver, result, message, "%.48s: cuModuleLoadDataEx of the %s of %s",
      kernel->name, image, dn_gpu_name_of(kernel).text);
  int line = (int)strcspn(log->text, "\n");
  if (line)
    dn_message_append(message, ": %.*s", line, log->text);
  return status;
}

/// Code runs on later minor versions of its major; the device has been found to
/// be no earlier one.
static bool has_cubin_for(const dn_cuda_code *code,
                          const dn_cuda_device *device) {
  return code->cubin && device->capability / 10 == (int)code->chip / 10;
}

dn_status dn_cuda_load_module(const cu_driver *driver,
                              const dn_cuda_device *device,
                              const dn_kernel *kernel, dn_cuda_module *out,
                              dn_message message) {
  const dn_cuda_code *code = kernel->cuda;
  dn_message origin = dn_message_begin(out->origin, sizeof out->origin);
  dn_gpu_name chip = dn_gpu_name_of(kernel);
  error_log log;
  const char *why = code->cubin ? "the cubin is for another GPU" : "no cubin";
  if (has_cubin_for(code, device)) {
    cu_result result = load_image(driver, code->cubin, &out->handle, &log);
    if (result == CU_SUCCESS) {
      dn_message_append(origin, "cubin of %s", chip.text);
      return DN_OK;
    }
    // Of a later toolkit than the driver, or of a machine apart within its
    // major version; everything else would hit the PTX, too.
    if (result != CU_ERROR_INVALID_IMAGE &&
        result != CU_ERROR_NO_BINARY_FOR_GPU)
      return fail_with_log(driver, result, kernel, "cubin", &log, message);
    why = "the driver refused the cubin";
  }
  cu_result result = load_image(driver, code->ptx, &out->handle, &log);
  if (result != CU_SUCCESS)
    return fail_with_log(driver, result, kernel, "PTX", &log, message);
  dn_message_append(origin, "PTX of %s, compiled by the driver: %s", chip.text,
                    why);
  return DN_OK;
}
