//===- Run.c - Running the stages of a kernel -----------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "Pool.h"

#include <stdlib.h>

struct stage {
  const dn_kernel *kernel;
  const dn_args *args;
  uint32_t index;
};

static void run_range(const void *context, void *scratch, int64_t begin,
                      int64_t end) {
  const struct stage *stage = context;
  stage->kernel->run(stage->args, stage->index, scratch, begin, end);
}

void dn_run_serial(const dn_kernel *kernel, const dn_args *args,
                   void *scratch) {
  for (uint32_t stage = 0; stage < kernel->stages; ++stage)
    dn_run_share(kernel, args, stage, scratch, 0, 1);
}

void dn_run_share(const dn_kernel *kernel, const dn_args *args, uint32_t stage,
                  void *scratch, int ith, int nth) {
  int64_t items = kernel->items(args, stage);
  // Shares differ by at most one item; the product of items and ith, which
  // could overflow, is not formed.
  int64_t share = items / nth, larger = items % nth;
  int64_t begin = ith * share + (ith < larger ? ith : larger);
  int64_t end = begin + share + (ith < larger);
  if (begin < end)
    kernel->run(args, stage, scratch, begin, end);
}

static dn_status run_alone(const dn_kernel *kernel, const dn_args *args) {
  uint64_t align = kernel->scratch_align > 64 ? kernel->scratch_align : 64;
  void *scratch = NULL;
  if (kernel->scratch_bytes) {
    if (kernel->scratch_bytes > INT64_MAX)
      return DN_ERROR_MEMORY;
    scratch = aligned_alloc(align,
                            (kernel->scratch_bytes + align - 1) & ~(align - 1));
    if (!scratch)
      return DN_ERROR_MEMORY;
  }
  dn_run_serial(kernel, args, scratch);
  free(scratch);
  return DN_OK;
}

dn_status dn_run(const dn_kernel *kernel, const dn_args *args, dn_pool *pool) {
  if (!kernel->run)
    return DN_ERROR_ISA;
  if (!pool)
    return run_alone(kernel, args);
  dn_pool_lock(pool);
  dn_status status =
      dn_pool_grow_scratch(pool, kernel->scratch_bytes, kernel->scratch_align);
  for (uint32_t i = 0; status == DN_OK && i < kernel->stages; ++i) {
    struct stage stage = {kernel, args, i};
    dn_pool_for(pool, kernel->items(args, i), run_range, &stage);
  }
  dn_pool_unlock(pool);
  return status;
}
