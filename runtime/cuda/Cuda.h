//===- Cuda.h - An opened driver and what was loaded with it --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_CUDA_CUDA_H
#define DELTANET_RUNTIME_CUDA_CUDA_H

#include "Driver.h"
#include "abi/Message.h"
#include "deltanet-c/cuda.h"

#include <pthread.h>

struct dn_cuda {
  cu_driver driver;
  void *library;          ///< of dlopen
  pthread_mutex_t lock;   ///< of the list and what it counts
  dn_cuda_kernel *loaded; ///< a list
};

/// DN_OK for CU_SUCCESS, else DN_ERROR_DRIVER_CALL and a text with the result's
/// name and number. `call` is the function, and what it was for if that helps.
dn_status dn_cuda_result(const cu_driver *driver, cu_result result,
                         dn_message message, const char *call, ...)
    __attribute__((format(printf, 4, 5)));

/// Unloads all that is left in the list.
void dn_cuda_unload_all(dn_cuda *cuda);

#endif // DELTANET_RUNTIME_CUDA_CUDA_H
