//===- Device.c - A device's memory and streams, for tools ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "Device.h"
#include "Context.h"

/// A call of the driver, with its name for the message.
#define CALL(function, arguments)                                              \
  dn_cuda_result(&cuda->driver, cuda->driver.function arguments, message,      \
                 #function)

static cu_pointer address(const void *pointer) {
  return (cu_pointer)(uintptr_t)pointer;
}

dn_status dn_device_count(dn_cuda *cuda, int *out, char *text, size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  return CALL(cuDeviceGetCount, (out));
}

dn_status dn_device_retain(dn_cuda *cuda, int ordinal, char *text,
                           size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  cu_device device;
  cu_context context;
  dn_status status = CALL(cuDeviceGet, (&device, ordinal));
  if (status == DN_OK)
    status = CALL(cuDevicePrimaryCtxRetain, (&context, device));
  if (status != DN_OK)
    return status;
  status = CALL(cuCtxSetCurrent, (context));
  if (status != DN_OK)
    cuda->driver.cuDevicePrimaryCtxRelease_v2(device);
  return status;
}

dn_status dn_device_release(dn_cuda *cuda, int ordinal, char *text,
                            size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  cu_device device;
  dn_status status = CALL(cuDeviceGet, (&device, ordinal));
  if (status == DN_OK)
    status = CALL(cuDevicePrimaryCtxRelease_v2, (device));
  return status;
}

dn_status dn_device_describe(dn_cuda *cuda, char out[DN_MESSAGE_BYTES],
                             char *text, size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  dn_message description = dn_message_begin(out, DN_MESSAGE_BYTES);
  dn_cuda_device device;
  dn_status status = dn_cuda_current_device(&cuda->driver, &device, message);
  if (status == DN_OK)
    dn_message_append(description, "%s (%d.%d)", device.name,
                      device.capability / 10, device.capability % 10);
  return status;
}

dn_status dn_device_allocate(dn_cuda *cuda, uint64_t size, void **out,
                             char *text, size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  cu_pointer memory = 0;
  dn_status status = size ? CALL(cuMemAlloc_v2, (&memory, size)) : DN_OK;
  *out = (void *)(uintptr_t)memory;
  return status;
}

dn_status dn_device_free(dn_cuda *cuda, void *memory, char *text,
                         size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  return memory ? CALL(cuMemFree_v2, (address(memory))) : DN_OK;
}

dn_status dn_device_write(dn_cuda *cuda, void *to, const void *from,
                          uint64_t size, char *text, size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  return size ? CALL(cuMemcpyHtoD_v2, (address(to), from, size)) : DN_OK;
}

dn_status dn_device_read(dn_cuda *cuda, void *to, const void *from,
                         uint64_t size, char *text, size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  return size ? CALL(cuMemcpyDtoH_v2, (to, address(from), size)) : DN_OK;
}

dn_status dn_device_fill(dn_cuda *cuda, void *to, unsigned char value,
                         uint64_t size, char *text, size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  return size ? CALL(cuMemsetD8_v2, (address(to), value, size)) : DN_OK;
}

dn_status dn_device_create_stream(dn_cuda *cuda, void **out, char *text,
                                  size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  cu_stream stream = NULL;
  dn_status status = CALL(cuStreamCreate, (&stream, 0));
  *out = stream;
  return status;
}

dn_status dn_device_destroy_stream(dn_cuda *cuda, void *stream, char *text,
                                   size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  return CALL(cuStreamDestroy_v2, (stream));
}

dn_status dn_device_synchronize(dn_cuda *cuda, void *stream, char *text,
                                size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  return stream ? CALL(cuStreamSynchronize, (stream))
                : CALL(cuCtxSynchronize, ());
}
