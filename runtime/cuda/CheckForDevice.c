//===- CheckForDevice.c - Validation of a call on a GPU -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "abi/Abi.h"
#include "abi/Arguments.h"
#include "abi/GpuVariant.h"
#include "deltanet-c/cuda.h"

/// What lies behind the arguments that the kernel was made for is lost on the
/// way to it.
static dn_status check_args_size(const dn_kernel *kernel, const dn_args *args,
                                 dn_message message) {
  for (size_t i = kernel->cuda->args_size; i < args->size; ++i)
    if (((const unsigned char *)args)[i])
      return dn_fail(message, DN_ERROR_ABI,
                     "args: expected zero behind byte %u, where the kernel's "
                     "end, got a field of a later ABI at byte %zu",
                     kernel->cuda->args_size, i);
  return DN_OK;
}

dn_status dn_cuda_check(const dn_kernel *kernel, const dn_args *args,
                        char *text, size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  dn_status status = dn_gpu_check(kernel, message);
  if (status == DN_OK)
    status = dn_check_arguments(kernel, args, NULL, message);
  if (status == DN_OK)
    status = check_args_size(kernel, args, message);
  return status;
}
