//===- Driver.h - The functions of the CUDA driver that are used ----------===//
//
// Part of the Delta-Net project.
//
// Declared here, as the driver is found when a program runs and its headers
// may be missing where that program is built. Names and numbers are those of
// the driver API (CUDA 12.0), which keeps them for good; where a function has
// several versions, the name says which.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_CUDA_DRIVER_H
#define DELTANET_RUNTIME_CUDA_DRIVER_H

#include <stddef.h>

/// The oldest driver: cuCtxGetId came with CUDA 12.0.
#define CU_LEAST_VERSION 12000

typedef int cu_result;
typedef int cu_device;
typedef unsigned long long cu_pointer; ///< an address of device memory
typedef struct cu_context_object *cu_context;
typedef struct cu_module_object *cu_module;
typedef struct cu_function_object *cu_function;
typedef struct cu_stream_object *cu_stream;

/// Results that the runtime tells apart.
enum {
  CU_SUCCESS = 0,
  CU_ERROR_OUT_OF_MEMORY = 2,
  CU_ERROR_STUB_LIBRARY = 34,
  CU_ERROR_NO_DEVICE = 100,
  CU_ERROR_INVALID_IMAGE = 200,
  CU_ERROR_NO_BINARY_FOR_GPU = 209
};

/// Attributes of a device.
enum {
  CU_DEVICE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_CAPABILITY_MINOR = 76,
  CU_DEVICE_MAX_SHARED_BYTES_PER_BLOCK_OPTIN = 97
};

/// Attributes of a function.
enum {
  CU_FUNCTION_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNCTION_STATIC_SHARED_BYTES = 1,
  CU_FUNCTION_MAX_DYNAMIC_SHARED_BYTES = 8
};

/// Options of cuModuleLoadDataEx. Values are passed in the place of pointers.
enum { CU_JIT_ERROR_LOG_BUFFER = 5, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6 };

/// Every function: FUNCTION(name, parameters). All of them return cu_result.
#define CU_FUNCTIONS(FUNCTION)                                                 \
  FUNCTION(cuDriverGetVersion, (int *version))                                 \
  FUNCTION(cuInit, (unsigned flags))                                           \
  FUNCTION(cuGetErrorName, (cu_result result, const char **name))              \
  FUNCTION(cuGetErrorString, (cu_result result, const char **text))            \
  FUNCTION(cuDeviceGetCount, (int *count))                                     \
  FUNCTION(cuDeviceGet, (cu_device * device, int ordinal))                     \
  FUNCTION(cuDeviceGetName, (char *name, int bytes, cu_device device))         \
  FUNCTION(cuDeviceGetAttribute,                                               \
           (int *value, int attribute, cu_device device))                      \
  FUNCTION(cuDevicePrimaryCtxRetain, (cu_context * context, cu_device device)) \
  FUNCTION(cuDevicePrimaryCtxRelease_v2, (cu_device device))                   \
  FUNCTION(cuCtxGetCurrent, (cu_context * context))                            \
  FUNCTION(cuCtxSetCurrent, (cu_context context))                              \
  FUNCTION(cuCtxGetDevice, (cu_device * device))                               \
  FUNCTION(cuCtxGetId, (cu_context context, unsigned long long *id))           \
  FUNCTION(cuCtxSynchronize, (void))                                           \
  FUNCTION(cuModuleLoadDataEx,                                                 \
           (cu_module * module, const void *image, unsigned option_count,      \
            int *options, void **values))                                      \
  FUNCTION(cuModuleUnload, (cu_module module))                                 \
  FUNCTION(cuModuleGetFunction,                                                \
           (cu_function * function, cu_module module, const char *name))       \
  FUNCTION(cuFuncGetAttribute,                                                 \
           (int *value, int attribute, cu_function function))                  \
  FUNCTION(cuFuncSetAttribute,                                                 \
           (cu_function function, int attribute, int value))                   \
  FUNCTION(cuLaunchKernel,                                                     \
           (cu_function function, unsigned grid_x, unsigned grid_y,            \
            unsigned grid_z, unsigned block_x, unsigned block_y,               \
            unsigned block_z, unsigned shared_bytes, cu_stream stream,         \
            void **parameters, void **extra))                                  \
  FUNCTION(cuMemAlloc_v2, (cu_pointer * pointer, size_t bytes))                \
  FUNCTION(cuMemFree_v2, (cu_pointer pointer))                                 \
  FUNCTION(cuMemcpyHtoD_v2, (cu_pointer to, const void *from, size_t bytes))   \
  FUNCTION(cuMemcpyDtoH_v2, (void *to, cu_pointer from, size_t bytes))         \
  FUNCTION(cuMemsetD8_v2, (cu_pointer to, unsigned char value, size_t bytes))  \
  FUNCTION(cuStreamCreate, (cu_stream * stream, unsigned flags))               \
  FUNCTION(cuStreamDestroy_v2, (cu_stream stream))                             \
  FUNCTION(cuStreamSynchronize, (cu_stream stream))

/// The functions of an opened driver.
typedef struct cu_driver {
#define CU_MEMBER(name, parameters) cu_result(*name) parameters;
  CU_FUNCTIONS(CU_MEMBER)
#undef CU_MEMBER
} cu_driver;

#endif // DELTANET_RUNTIME_CUDA_DRIVER_H
