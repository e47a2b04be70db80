//===- Arguments.c - Validation of a call's arguments ---------------------===//
//
// Part of the Delta-Net project.
//
// Each rule is one function, most of them applied to every operand in turn.
// They run in an order in which none reads what an earlier one has not
// accepted.
//
//===----------------------------------------------------------------------===//
#include "Arguments.h"
#include "Abi.h"
#include "Operands.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define WORKSPACE_ALIGN 64

/// Counts up to which no number of bytes that a kernel computes overflows.
#define MAX_TOKENS (INT64_C(1) << 40)
#define MAX_SEQUENCES (INT64_C(1) << 32)

static dn_status check_structs(const dn_kernel *kernel, const dn_args *args,
                               dn_message message) {
  dn_status status = dn_abi_check_kernel(kernel, message);
  if (status != DN_OK)
    return status;
  const uint32_t known = DN_OPERAND_G | DN_OPERAND_STATE_IN |
                         DN_OPERAND_STATE_OUT | DN_OPERAND_CU_SEQLENS;
  if (kernel->operands & ~known)
    return dn_fail(message, DN_ERROR_ABI,
                   "kernel: expected operands among 0x%x, got 0x%x", known,
                   kernel->operands);
  bool indexed = kernel->operands & DN_OPERAND_CU_SEQLENS;
  if (!dn_type_bytes(kernel->io_type) || !dn_type_bytes(kernel->state_type) ||
      (indexed && kernel->index_type != DN_TYPE_I32 &&
       kernel->index_type != DN_TYPE_I64))
    return dn_fail(message, DN_ERROR_ABI,
                   "kernel: expected known element types, got io %u, state "
                   "%u, index %u",
                   kernel->io_type, kernel->state_type, kernel->index_type);

  if (!args)
    return dn_fail(message, DN_ERROR_ABI, "args: expected some, got null");
  if (args->size < DN_ARGS_SIZE_1_0 || args->size > DN_MAX_ARGS_SIZE)
    return dn_fail(message, DN_ERROR_ABI,
                   "size: expected %zu to %d (sizeof(dn_args)), got %" PRIu64,
                   DN_ARGS_SIZE_1_0, DN_MAX_ARGS_SIZE, args->size);
  // Fields of a later minor that this runtime cannot judge must be unused.
  for (size_t i = sizeof(dn_args); i < args->size; ++i)
    if (((const unsigned char *)args)[i])
      return dn_fail(message, DN_ERROR_ABI,
                     "args: expected zero behind byte %zu, got a field of a "
                     "later ABI at byte %zu",
                     sizeof(dn_args), i);
  if (args->flags & ~(uint32_t)DN_FLAG_SCALE)
    return dn_fail(message, DN_ERROR_FLAGS,
                   "flags: expected bits among 0x%x, got 0x%x", DN_FLAG_SCALE,
                   args->flags);
  if ((args->flags & DN_FLAG_SCALE) && !isfinite(args->scale))
    return dn_fail(message, DN_ERROR_SCALE,
                   "scale: expected a finite number, got %g", args->scale);
  return DN_OK;
}

static dn_status check_counts(const dn_kernel *kernel, const dn_args *args,
                              dn_message message) {
  if (args->tokens < 0 || args->tokens > MAX_TOKENS)
    return dn_fail(message, DN_ERROR_COUNT,
                   "tokens: expected 0 to 2^40, got %" PRId64, args->tokens);
  if (kernel->static_tokens >= 0 && args->tokens != kernel->static_tokens)
    return dn_fail(message, DN_ERROR_COUNT,
                   "tokens: expected %" PRId64
                   ", for which the kernel was made, got %" PRId64,
                   kernel->static_tokens, args->tokens);
  if (!(kernel->operands & DN_OPERAND_CU_SEQLENS)) {
    if (args->sequences != 1)
      return dn_fail(message, DN_ERROR_COUNT,
                     "sequences: expected 1 for a kernel without cu_seqlens, "
                     "got %" PRId64,
                     args->sequences);
  } else if (args->sequences < 0 || args->sequences > MAX_SEQUENCES) {
    return dn_fail(message, DN_ERROR_COUNT,
                   "sequences: expected 0 to 2^32, got %" PRId64,
                   args->sequences);
  }
  return DN_OK;
}

static dn_status check_pointer(const dn_operand *x, dn_message message) {
  if (!x->taken) {
    if (x->pointer)
      return dn_fail(message, DN_ERROR_OPERAND,
                     "%s: expected null, as the kernel does not take it, got "
                     "%p",
                     x->name, x->pointer);
    return DN_OK;
  }
  if (!x->pointer && x->outer && x->inner && x->row)
    return dn_fail(message, DN_ERROR_OPERAND,
                   "%s: expected a pointer, got null", x->name);
  if ((uintptr_t)x->pointer % (uintptr_t)dn_type_bytes(x->type))
    return dn_fail(message, DN_ERROR_ALIGNMENT,
                   "%s: expected an address aligned to %" PRId64
                   " bytes, got %p",
                   x->name, dn_type_bytes(x->type), x->pointer);
  return DN_OK;
}

/// Checks one stride against the length of a row, which is the least distance
/// of two rows.
static dn_status check_stride(const dn_operand *x, const char *dimension,
                              int64_t count, int64_t stride,
                              dn_message message) {
  int64_t least = count > 1 && x->outer ? x->row : 0;
  if (stride >= least)
    return DN_OK;
  return dn_fail(message, DN_ERROR_STRIDE,
                 "%s_%s_stride: expected at least %" PRId64 "%s, got %" PRId64,
                 x->name, dimension, least, least ? " (one row)" : "", stride);
}

static dn_status check_strides(dn_operand *x, dn_message message) {
  if (!x->taken)
    return DN_OK;
  if (x->outer_name) {
    dn_status status =
        check_stride(x, "head", x->inner, x->inner_stride, message);
    if (status == DN_OK)
      status =
          check_stride(x, x->outer_name, x->outer, x->outer_stride, message);
    if (status != DN_OK)
      return status;
  }
  if (!dn_strided_make((uintptr_t)x->pointer, dn_type_bytes(x->type), x->outer,
                       x->outer_stride, x->inner, x->inner_stride, x->row,
                       &x->rows))
    return dn_fail(message, DN_ERROR_EXTENT,
                   "%s: expected to end inside the address space, got %" PRId64
                   " x %" PRId64 " rows of %" PRId64
                   " elements, strides %" PRId64 " and %" PRId64,
                   x->name, x->outer, x->inner, x->row, x->outer_stride,
                   x->inner_stride);
  if (dn_strided_overlaps_itself(&x->rows))
    return dn_fail(message, DN_ERROR_STRIDE,
                   "%s: expected rows of %" PRId64
                   " elements that do not overlap, got %s stride %" PRId64
                   " and head stride %" PRId64,
                   x->name, x->row, x->outer_name, x->outer_stride,
                   x->inner_stride);
  return DN_OK;
}

/// Checks the workspace and appends it to the operands, of which it is another
/// output.
static dn_status check_workspace(const dn_kernel *kernel, const dn_args *args,
                                 dn_operands *operands, dn_message message) {
  uint64_t need = kernel->workspace_bytes(args);
  if (!need)
    return DN_OK;
  if (!args->workspace)
    return dn_fail(message, DN_ERROR_WORKSPACE,
                   "workspace: expected %" PRIu64 " bytes, got null", need);
  if (args->workspace_bytes < need)
    return dn_fail(message, DN_ERROR_WORKSPACE,
                   "workspace_bytes: expected at least %" PRIu64
                   ", got %" PRIu64,
                   need, args->workspace_bytes);
  if ((uintptr_t)args->workspace % WORKSPACE_ALIGN)
    return dn_fail(message, DN_ERROR_WORKSPACE,
                   "workspace: expected an address aligned to %d bytes, got %p",
                   WORKSPACE_ALIGN, args->workspace);
  dn_operand *x = &operands->list[operands->count++];
  *x = (dn_operand){.name = "workspace", .taken = true, .output = true};
  if (need > INT64_MAX || !dn_strided_make((uintptr_t)args->workspace, 1, 1, 0,
                                           1, 0, (int64_t)need, &x->rows))
    return dn_fail(message, DN_ERROR_EXTENT,
                   "workspace: expected to end inside the address space, got "
                   "%" PRIu64 " bytes",
                   need);
  return DN_OK;
}

/// state_out may be state_in, and only these two.
static bool updated_in_place(const dn_operand *a, const dn_operand *b) {
  return !strcmp(a->name, "state_in") && !strcmp(b->name, "state_out") &&
         dn_strided_same(&a->rows, &b->rows);
}

static dn_status check_overlap(const dn_operands *operands,
                               dn_message message) {
  for (int i = 0; i < operands->count; ++i)
    for (int j = i + 1; j < operands->count; ++j) {
      const dn_operand *a = &operands->list[i], *b = &operands->list[j];
      if (!a->taken || !b->taken || (!a->output && !b->output) ||
          !dn_strided_overlap(&a->rows, &b->rows) || updated_in_place(a, b))
        continue;
      return dn_fail(message, DN_ERROR_OVERLAP,
                     "%s: expected memory of its own, got an overlap with %s",
                     b->name, a->name);
    }
  return DN_OK;
}

dn_status dn_check_arguments(const dn_kernel *kernel, const dn_args *args,
                             dn_read_check *check_read, dn_message message) {
  dn_status status = check_structs(kernel, args, message);
  if (status == DN_OK)
    status = check_counts(kernel, args, message);
  if (status != DN_OK)
    return status;

  dn_operands operands = dn_list_operands(kernel, args);
  for (int i = 0; i < operands.count && status == DN_OK; ++i)
    status = check_pointer(&operands.list[i], message);
  for (int i = 0; i < operands.count && status == DN_OK; ++i)
    status = check_strides(&operands.list[i], message);
  if (status == DN_OK && check_read)
    status = check_read(kernel, args, message);
  if (status == DN_OK)
    status = check_workspace(kernel, args, &operands, message);
  if (status == DN_OK)
    status = check_overlap(&operands, message);
  return status;
}
