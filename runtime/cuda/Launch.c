//===- Launch.c - Enqueuing the stages of a call --------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "LoadedKernel.h"
#include "abi/Arguments.h"
#include "abi/Operands.h"

#include <inttypes.h>
#include <string.h>

/// Blocks of a grid along x, at most, on every GPU there is.
#define MAX_BLOCKS INT32_MAX

/// What kernels take by value.
typedef struct kernel_args {
  _Alignas(16) unsigned char bytes[DN_MAX_ARGS_SIZE];
} kernel_args;

/// Brings arguments to the size that the kernel takes; what the caller does not
/// know of is zero.
static void resize_args(const dn_args *args, size_t size, kernel_args *out) {
  size_t known = args->size < size ? args->size : size;
  memcpy(out->bytes, args, known);
  memset(out->bytes + known, 0, size - known);
}

static dn_status check_context(const dn_cuda_kernel *handle,
                               dn_message message) {
  dn_cuda_context current;
  dn_status status =
      dn_cuda_current_context(&handle->cuda->driver, &current, message);
  if (status != DN_OK || current.id == handle->context.id)
    return status;
  return dn_fail(message, DN_ERROR_CONTEXT,
                 "%.64s: expected the context that it was loaded for (id "
                 "%llu), got one with id %llu",
                 handle->kernel->name, handle->context.id, current.id);
}

static bool is_multiple(uint64_t bytes) { return bytes % 16 == 0; }

/// Whether all rows of channels, of which threads take 16 bytes at once, begin
/// at multiples of them. A stride that is used by nothing does not matter.
static bool is_aligned(const dn_kernel *kernel, const dn_args *args) {
  dn_operands operands = dn_list_operands(kernel, args);
  for (int i = 0; i < operands.count; ++i) {
    const dn_operand *x = &operands.list[i];
    uint64_t element = (uint64_t)dn_type_bytes(x->type);
    if (!x->taken || !x->channels)
      continue;
    if (!is_multiple((uintptr_t)x->pointer) ||
        (x->outer > 1 && !is_multiple((uint64_t)x->outer_stride * element)) ||
        (x->inner > 1 && !is_multiple((uint64_t)x->inner_stride * element)))
      return false;
  }
  return true;
}

static dn_status launch_stage(const dn_cuda_kernel *handle, uint32_t index,
                              bool aligned, int64_t items, kernel_args *args,
                              cu_stream stream, dn_message message) {
  const cu_driver *driver = &handle->cuda->driver;
  const dn_cuda_stage *stage = &handle->kernel->cuda->stages[index];
  dn_status status = DN_OK;
  int64_t blocks;
  for (int64_t first = 0; first < items && status == DN_OK; first += blocks) {
    blocks = items - first < MAX_BLOCKS ? items - first : MAX_BLOCKS;
    void *parameters[] = {args->bytes, &first};
    status = dn_cuda_result(
        driver,
        driver->cuLaunchKernel(handle->functions[2 * index + !aligned],
                               (unsigned)blocks, 1, 1, stage->threads, 1, 1,
                               stage->shared_bytes, stream, parameters, NULL),
        message, "cuLaunchKernel of %.64s, items from %" PRId64, stage->entry,
        first);
  }
  return status;
}

dn_status dn_cuda_launch(const dn_cuda_kernel *kernel, const dn_args *args,
                         void *stream, char *text, size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  dn_status status = check_context(kernel, message);
  if (status != DN_OK)
    return status;
  const dn_kernel *descriptor = kernel->kernel;
  bool aligned = is_aligned(descriptor, args);
  kernel_args passed;
  resize_args(args, descriptor->cuda->args_size, &passed);
  for (uint32_t i = 0; i < descriptor->stages && status == DN_OK; ++i)
    status = launch_stage(kernel, i, aligned, descriptor->items(args, i),
                          &passed, stream, message);
  return status;
}
