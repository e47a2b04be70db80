//===- Context.h - The current context and its device ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_CUDA_CONTEXT_H
#define DELTANET_RUNTIME_CUDA_CONTEXT_H

#include "Cuda.h"

/// A context. Its address may be that of another one after it has been
/// destroyed; its id never is.
typedef struct dn_cuda_context {
  cu_context address;
  unsigned long long id;
} dn_cuda_context;

/// What a device says of itself.
typedef struct dn_cuda_device {
  char name[64];
  int capability;   ///< 10 * major + minor
  int threads;      ///< of a block, at most
  int shared_bytes; ///< of a block, at most, for functions that ask for it
} dn_cuda_device;

/// Errors: DN_ERROR_CONTEXT if none is current, DN_ERROR_DRIVER_CALL.
dn_status dn_cuda_current_context(const cu_driver *driver, dn_cuda_context *out,
                                  dn_message message);

/// The device of the current context.
dn_status dn_cuda_current_device(const cu_driver *driver, dn_cuda_device *out,
                                 dn_message message);

/// Whether the device can run a variant that dn_gpu_check has passed; the text
/// is short, for reasons: "for 9.0 alone".
dn_status dn_cuda_device_runs(const dn_cuda_device *device,
                              const dn_kernel *kernel, dn_message message);

#endif // DELTANET_RUNTIME_CUDA_CONTEXT_H
