//===- Check.c - Validation of a call on the CPU --------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "abi/Abi.h"
#include "abi/Arguments.h"
#include "abi/GpuVariant.h"

#include <inttypes.h>

static dn_status check_cu_seqlens(const dn_kernel *kernel, const dn_args *args,
                                  dn_message message) {
  if (!(kernel->operands & DN_OPERAND_CU_SEQLENS))
    return DN_OK;
  const int32_t *cu32 = args->cu_seqlens;
  const int64_t *cu64 = args->cu_seqlens;
  int64_t last = 0;
  for (int64_t i = 0; i <= args->sequences; ++i) {
    int64_t offset = kernel->index_type == DN_TYPE_I32 ? cu32[i] : cu64[i];
    if (i == 0 && offset != 0)
      return dn_fail(message, DN_ERROR_SEQLENS,
                     "cu_seqlens[0]: expected 0, got %" PRId64, offset);
    if (offset < last || offset > args->tokens)
      return dn_fail(message, DN_ERROR_SEQLENS,
                     "cu_seqlens[%" PRId64 "]: expected %" PRId64 " to %" PRId64
                     " (monotone, at most tokens), got %" PRId64,
                     i, last, args->tokens, offset);
    last = offset;
  }
  return DN_OK;
}

dn_status dn_check(const dn_kernel *kernel, const dn_args *args, char *text,
                   size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  dn_status status = dn_abi_check_kernel(kernel, message);
  if (status != DN_OK)
    return status;
  if (dn_gpu_level(kernel->isa))
    return dn_fail(message, DN_ERROR_ISA,
                   "kernel: expected a variant for CPUs, got one for %s",
                   dn_gpu_name_of(kernel).text);
  return dn_check_arguments(kernel, args, check_cu_seqlens, message);
}
