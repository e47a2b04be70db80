//===- Load.c - Loading variants once for each context --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "LoadedKernel.h"
#include "abi/GpuVariant.h"

#include <stdlib.h>

/// Shared memory that a block may have without asking for more.
#define UNASKED_SHARED_BYTES (48 * 1024)

/// Checks what only the function itself tells, and asks for what the launch
/// will need.
static dn_status prepare_function(const cu_driver *driver,
                                  const dn_cuda_device *device,
                                  const dn_cuda_stage *stage, const char *entry,
                                  cu_function function, dn_message message) {
  int threads = 0, fixed_bytes = 0;
  dn_status status =
      dn_cuda_result(driver,
                     driver->cuFuncGetAttribute(
                         &threads, CU_FUNCTION_MAX_THREADS_PER_BLOCK, function),
                     message, "cuFuncGetAttribute of %.64s", entry);
  if (status == DN_OK)
    status = dn_cuda_result(
        driver,
        driver->cuFuncGetAttribute(&fixed_bytes,
                                   CU_FUNCTION_STATIC_SHARED_BYTES, function),
        message, "cuFuncGetAttribute of %.64s", entry);
  if (status != DN_OK)
    return status;
  if (stage->threads > (uint32_t)threads)
    return dn_fail(message, DN_ERROR_DEVICE,
                   "%.64s: expected at most %d threads a block, for which this "
                   "device has registers, got %u",
                   entry, threads, stage->threads);
  int64_t shared_bytes = (int64_t)stage->shared_bytes + fixed_bytes;
  if (shared_bytes > device->shared_bytes)
    return dn_fail(message, DN_ERROR_DEVICE,
                   "%.64s: expected at most %d bytes of shared memory a block, "
                   "got %u and %d of its own",
                   entry, device->shared_bytes, stage->shared_bytes,
                   fixed_bytes);
  if (shared_bytes <= UNASKED_SHARED_BYTES)
    return DN_OK;
  return dn_cuda_result(
      driver,
      driver->cuFuncSetAttribute(function, CU_FUNCTION_MAX_DYNAMIC_SHARED_BYTES,
                                 (int)stage->shared_bytes),
      message, "cuFuncSetAttribute of %.64s to %u bytes of shared memory",
      entry, stage->shared_bytes);
}

static dn_status load_function(const cu_driver *driver,
                               const dn_cuda_device *device,
                               const dn_cuda_stage *stage, const char *entry,
                               cu_module module, cu_function *out,
                               dn_message message) {
  dn_status status =
      dn_cuda_result(driver, driver->cuModuleGetFunction(out, module, entry),
                     message, "cuModuleGetFunction of %.64s", entry);
  if (status != DN_OK)
    return status;
  return prepare_function(driver, device, stage, entry, *out, message);
}

/// Fills in a handle whose context is the current one.
static dn_status load_code(const cu_driver *driver, dn_cuda_kernel *handle,
                           dn_message message) {
  const dn_kernel *kernel = handle->kernel;
  dn_cuda_device device;
  dn_status status = dn_cuda_current_device(driver, &device, message);
  if (status != DN_OK)
    return status;
  char why[64];
  if (dn_cuda_device_runs(&device, kernel, dn_message_begin(why, sizeof why)) !=
      DN_OK)
    return dn_fail(message, DN_ERROR_DEVICE,
                   "%.64s: expected a variant that runs on %s (%d.%d), got "
                   "%s: %s",
                   kernel->name, device.name, device.capability / 10,
                   device.capability % 10, dn_gpu_name_of(kernel).text, why);
  status =
      dn_cuda_load_module(driver, &device, kernel, &handle->module, message);
  if (status != DN_OK)
    return status;
  cu_function *next = handle->functions;
  for (uint32_t i = 0; i < kernel->stages && status == DN_OK; ++i, next += 2) {
    const dn_cuda_stage *stage = &kernel->cuda->stages[i];
    status = load_function(driver, &device, stage, stage->entry,
                           handle->module.handle, &next[0], message);
    next[1] = next[0];
    if (status == DN_OK && stage->unaligned_entry)
      status = load_function(driver, &device, stage, stage->unaligned_entry,
                             handle->module.handle, &next[1], message);
  }
  if (status != DN_OK)
    driver->cuModuleUnload(handle->module.handle);
  return status;
}

static dn_cuda_kernel *find(const dn_cuda *cuda, const dn_kernel *kernel,
                            unsigned long long context) {
  dn_cuda_kernel *handle = cuda->loaded;
  while (handle && (handle->kernel != kernel || handle->context.id != context))
    handle = handle->next;
  return handle;
}

/// The lock is held.
static dn_status find_or_load(dn_cuda *cuda, const dn_kernel *kernel,
                              dn_cuda_kernel **out, dn_message message) {
  dn_cuda_context context;
  dn_status status = dn_cuda_current_context(&cuda->driver, &context, message);
  if (status != DN_OK)
    return status;
  dn_cuda_kernel *handle = find(cuda, kernel, context.id);
  if (!handle) {
    handle =
        calloc(1, sizeof *handle + 2 * kernel->stages * sizeof(cu_function));
    if (!handle)
      return dn_fail(message, DN_ERROR_MEMORY,
                     "%.64s: expected memory for a handle, got none",
                     kernel->name);
    handle->cuda = cuda;
    handle->kernel = kernel;
    handle->context = context;
    status = load_code(&cuda->driver, handle, message);
    if (status != DN_OK) {
      free(handle);
      return status;
    }
    handle->next = cuda->loaded;
    cuda->loaded = handle;
  }
  ++handle->loads;
  *out = handle;
  return DN_OK;
}

dn_status dn_cuda_load(dn_cuda *cuda, const dn_kernel *kernel,
                       dn_cuda_kernel **out, char *text, size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  *out = NULL;
  dn_status status = dn_gpu_check(kernel, message);
  if (status != DN_OK)
    return status;
  // Held while the driver compiles: threads that wait want the same kernel, or
  // the same driver.
  pthread_mutex_lock(&cuda->lock);
  status = find_or_load(cuda, kernel, out, message);
  pthread_mutex_unlock(&cuda->lock);
  return status;
}

const char *dn_cuda_image(const dn_cuda_kernel *kernel) {
  return kernel->module.origin;
}

/// Frees a handle that is in no list. Failures have nobody to tell, and leave
/// nothing to do.
static void destroy(const cu_driver *driver, dn_cuda_kernel *handle) {
  unsigned long long id = 0;
  cu_context own = handle->context.address, before = NULL;
  // A context that has gone took its modules with it.
  if (driver->cuCtxGetId(own, &id) == CU_SUCCESS && id == handle->context.id &&
      driver->cuCtxGetCurrent(&before) == CU_SUCCESS) {
    if (before != own)
      driver->cuCtxSetCurrent(own);
    driver->cuModuleUnload(handle->module.handle);
    if (before != own)
      driver->cuCtxSetCurrent(before);
  }
  free(handle);
}

void dn_cuda_unload(dn_cuda_kernel *kernel) {
  if (!kernel)
    return;
  dn_cuda *cuda = kernel->cuda;
  pthread_mutex_lock(&cuda->lock);
  if (--kernel->loads == 0) {
    dn_cuda_kernel **link = &cuda->loaded;
    while (*link != kernel)
      link = &(*link)->next;
    *link = kernel->next;
    destroy(&cuda->driver, kernel);
  }
  pthread_mutex_unlock(&cuda->lock);
}

void dn_cuda_unload_all(dn_cuda *cuda) {
  while (cuda->loaded) {
    dn_cuda_kernel *handle = cuda->loaded;
    cuda->loaded = handle->next;
    destroy(&cuda->driver, handle);
  }
}
