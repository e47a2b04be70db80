//===- Device.h - A device's memory and streams, for tools ----------------===//
//
// Part of the Delta-Net project.
//
// What programs without code of their own for CUDA need to run a kernel. Not
// part of the runtime: hosts have all of it, and better.
//
// Messages are as in runtime.h; errors are DN_ERROR_DRIVER_CALL.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_CUDA_DEVICE_H
#define DELTANET_RUNTIME_CUDA_DEVICE_H

#include "deltanet-c/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

dn_status dn_device_count(dn_cuda *cuda, int *out, char *message, size_t bytes);

/// Makes the primary context of a device the current one of this thread, and
/// keeps it until dn_device_release.
dn_status dn_device_retain(dn_cuda *cuda, int ordinal, char *message,
                           size_t bytes);
dn_status dn_device_release(dn_cuda *cuda, int ordinal, char *message,
                            size_t bytes);

/// The device of the current context, such as "NVIDIA H200 (9.0)".
dn_status dn_device_describe(dn_cuda *cuda, char out[DN_MESSAGE_BYTES],
                             char *message, size_t bytes);

/// Memory of the current context; null if `size` is 0.
dn_status dn_device_allocate(dn_cuda *cuda, uint64_t size, void **out,
                             char *message, size_t bytes);
/// Null is allowed.
dn_status dn_device_free(dn_cuda *cuda, void *memory, char *message,
                         size_t bytes);

/// Copies and fills; they have ended when the call returns, but for a fill that
/// later work on the legacy default stream sees. Sizes of 0 do nothing.
dn_status dn_device_write(dn_cuda *cuda, void *to, const void *from,
                          uint64_t size, char *message, size_t bytes);
dn_status dn_device_read(dn_cuda *cuda, void *to, const void *from,
                         uint64_t size, char *message, size_t bytes);
dn_status dn_device_fill(dn_cuda *cuda, void *to, unsigned char value,
                         uint64_t size, char *message, size_t bytes);

/// A stream that waits for the legacy default stream, and it for this one.
dn_status dn_device_create_stream(dn_cuda *cuda, void **out, char *message,
                                  size_t bytes);
dn_status dn_device_destroy_stream(dn_cuda *cuda, void *stream, char *message,
                                   size_t bytes);

/// Waits for a stream; null waits for all of the context.
dn_status dn_device_synchronize(dn_cuda *cuda, void *stream, char *message,
                                size_t bytes);

#ifdef __cplusplus
}
#endif

#endif // DELTANET_RUNTIME_CUDA_DEVICE_H
