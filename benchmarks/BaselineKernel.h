//===- BaselineKernel.h - The descriptor of a baseline --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_BASELINEKERNEL_H
#define DELTANET_BENCHMARKS_BASELINEKERNEL_H

#include "Baselines.h"

static inline const dn_bench_call *dn_bench_call_of(const dn_args *args) {
  return (const dn_bench_call *)args;
}

static inline uint64_t dn_bench_no_workspace(const dn_args *args) {
  (void)args;
  return 0;
}

/// What dn_run reads of a descriptor; head counts and the like come with the
/// call.
#define DN_BENCH_KERNEL(NAME, ITEMS, RUN)                                      \
  {.size = sizeof(dn_kernel),                                                  \
   .abi_major = DN_ABI_MAJOR,                                                  \
   .abi_minor = DN_ABI_MINOR,                                                  \
   .name = NAME,                                                               \
   .schedules = "",                                                            \
   .isa = DN_ISA_AVX2,                                                         \
   .static_tokens = -1,                                                        \
   .scratch_align = 64,                                                        \
   .stages = 1,                                                                \
   .workspace_bytes = dn_bench_no_workspace,                                   \
   .items = ITEMS,                                                             \
   .run = RUN}

#endif // DELTANET_BENCHMARKS_BASELINEKERNEL_H
