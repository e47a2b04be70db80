//===- Open.c - Finding and initializing the driver -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "Cuda.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/// Fills in the table; what the library lacks is null, and the first of it is
/// returned.
static const char *resolve(void *library, cu_driver *out) {
  const char *lacking = NULL;
  void *symbol;
  // ISO C knows no cast from an object to a function pointer.
#define RESOLVE(name, parameters)                                              \
  symbol = dlsym(library, #name);                                              \
  memcpy((void *)&out->name, &symbol, sizeof symbol);                          \
  if (!symbol && !lacking)                                                     \
    lacking = #name;
  CU_FUNCTIONS(RESOLVE)
#undef RESOLVE
  return lacking;
}

/// Whether the library is a driver of sufficient age.
static dn_status check_driver(const cu_driver *driver, const char *lacking,
                              const char *path, dn_message message) {
  int version = CU_LEAST_VERSION;
  cu_result result = CU_SUCCESS;
  // A driver that is too old lacks functions, but its version says more.
  if (driver->cuDriverGetVersion)
    result = driver->cuDriverGetVersion(&version);
  if (result == CU_ERROR_STUB_LIBRARY)
    return dn_fail(message, DN_ERROR_DRIVER,
                   "%.160s: expected a CUDA driver, got the toolkit's stub of "
                   "one",
                   path);
  if (result == CU_SUCCESS && version < CU_LEAST_VERSION)
    return dn_fail(message, DN_ERROR_DRIVER,
                   "%.160s: expected a driver of CUDA %d.%d or later, got "
                   "%d.%d",
                   path, CU_LEAST_VERSION / 1000, CU_LEAST_VERSION % 1000 / 10,
                   version / 1000, version % 1000 / 10);
  if (lacking)
    return dn_fail(message, DN_ERROR_DRIVER,
                   "%.160s: expected a CUDA driver, got a library without %s",
                   path, lacking);
  return dn_cuda_result(driver, result, message, "cuDriverGetVersion");
}

static dn_status check_devices(const cu_driver *driver, const char *path,
                               dn_message message) {
  int count = 0;
  cu_result result = driver->cuInit(0);
  if (result != CU_SUCCESS && result != CU_ERROR_NO_DEVICE)
    return dn_cuda_result(driver, result, message, "cuInit");
  if (result == CU_SUCCESS) {
    result = driver->cuDeviceGetCount(&count);
    if (result != CU_SUCCESS)
      return dn_cuda_result(driver, result, message, "cuDeviceGetCount");
  }
  if (!count)
    return dn_fail(message, DN_ERROR_NO_DEVICE,
                   "%.160s: expected at least one GPU, got none", path);
  return DN_OK;
}

static dn_status open_driver(const char *path, dn_cuda *cuda,
                             dn_message message) {
  // Never unmapped: the driver may have started threads.
  cuda->library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!cuda->library) {
    const char *text = dlerror();
    return dn_fail(message, DN_ERROR_DRIVER, "expected a CUDA driver, got %s",
                   text ? text : "an unknown error");
  }
  const char *lacking = resolve(cuda->library, &cuda->driver);
  dn_status status = check_driver(&cuda->driver, lacking, path, message);
  if (status == DN_OK)
    status = check_devices(&cuda->driver, path, message);
  return status;
}

dn_status dn_cuda_open(const char *driver, dn_cuda **out, char *text,
                       size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  *out = NULL;
  dn_cuda *cuda = calloc(1, sizeof *cuda);
  if (!cuda || pthread_mutex_init(&cuda->lock, NULL)) {
    free(cuda);
    return dn_fail(message, DN_ERROR_MEMORY,
                   "expected memory for a driver, got none");
  }
  dn_status status =
      open_driver(driver ? driver : "libcuda.so.1", cuda, message);
  if (status != DN_OK) {
    dn_cuda_close(cuda);
    return status;
  }
  *out = cuda;
  return DN_OK;
}

void dn_cuda_close(dn_cuda *cuda) {
  if (!cuda)
    return;
  dn_cuda_unload_all(cuda);
  if (cuda->library)
    dlclose(cuda->library);
  pthread_mutex_destroy(&cuda->lock);
  free(cuda);
}
