//===- GpuVariant.c - Variants for GPUs as the ABI has them ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "GpuVariant.h"
#include "Abi.h"
#include "Arguments.h"

#include <inttypes.h>

/// Levels from DN_ISA_CUDA on that are compute capabilities.
#define CHIPS 10000

/// Threads of a block, at most, on every GPU there is.
#define MAX_THREADS 1024

bool dn_gpu_level(uint32_t isa) {
  return isa >= DN_ISA_CUDA && isa < DN_ISA_CUDA + CHIPS;
}

/// Null if the descriptor has none or was made before there were any.
static const dn_cuda_code *code_of(const dn_kernel *kernel) {
  return kernel->size >= DN_SIZE_UP_TO(dn_kernel, cuda) ? kernel->cuda : NULL;
}

dn_gpu_name dn_gpu_name_of(const dn_kernel *kernel) {
  const dn_cuda_code *code = code_of(kernel);
  dn_gpu_name name;
  dn_message text = dn_message_begin(name.text, sizeof name.text);
  dn_message_append(text, "sm_%u%s", kernel->isa - DN_ISA_CUDA,
                    code && code->only ? "a" : "");
  return name;
}

static dn_status check_stages(const dn_kernel *kernel, dn_message message) {
  const dn_cuda_code *code = kernel->cuda;
  if (!kernel->stages || !code->stages)
    return dn_fail(message, DN_ERROR_ABI,
                   "kernel: expected at least one stage, got %s",
                   kernel->stages ? "null" : "none");
  for (uint32_t i = 0; i < kernel->stages; ++i) {
    const dn_cuda_stage *stage = &code->stages[i];
    if (!stage->entry || !*stage->entry)
      return dn_fail(message, DN_ERROR_ABI,
                     "kernel: expected stage %u to name its function, got none",
                     i);
    if (!stage->threads || stage->threads > MAX_THREADS)
      return dn_fail(message, DN_ERROR_ABI,
                     "kernel: expected stage %u to have 1 to %d threads, "
                     "got %u",
                     i, MAX_THREADS, stage->threads);
  }
  return DN_OK;
}

dn_status dn_gpu_check(const dn_kernel *kernel, dn_message message) {
  dn_status status = dn_abi_check_kernel(kernel, message);
  if (status != DN_OK)
    return status;
  if (!dn_gpu_level(kernel->isa))
    return dn_fail(message, DN_ERROR_ISA,
                   "kernel: expected a variant for GPUs, got level %u of CPUs",
                   kernel->isa);
  const dn_cuda_code *code = code_of(kernel);
  if (!code)
    return dn_fail(message, DN_ERROR_ABI,
                   "kernel: expected code for GPUs, got none");
  if (code->size < DN_CUDA_CODE_SIZE_1_1)
    return dn_fail(message, DN_ERROR_ABI,
                   "kernel: expected code for GPUs of at least %zu bytes, "
                   "got %u",
                   DN_CUDA_CODE_SIZE_1_1, code->size);
  if (kernel->isa != DN_ISA_CUDA + code->chip)
    return dn_fail(message, DN_ERROR_ABI,
                   "kernel: expected level %u, as its code is for sm_%u, "
                   "got %u",
                   DN_ISA_CUDA + code->chip, code->chip, kernel->isa);
  // Kernels may take less than this runtime knows, and more.
  if (code->args_size < DN_ARGS_SIZE_1_0 || code->args_size > DN_MAX_ARGS_SIZE)
    return dn_fail(message, DN_ERROR_ABI,
                   "kernel: expected arguments of %zu to %d bytes, got %u",
                   DN_ARGS_SIZE_1_0, DN_MAX_ARGS_SIZE, code->args_size);
  if (!code->ptx || !code->ptx_bytes || code->ptx[code->ptx_bytes - 1])
    return dn_fail(message, DN_ERROR_ABI,
                   "kernel: expected PTX that ends with a zero byte, got %s",
                   code->ptx ? "none there" : "null");
  return check_stages(kernel, message);
}
