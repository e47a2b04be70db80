//===- KernelLibrary.c - A kernel library written by hand -----------------===//
//
// Part of the Delta-Net project.
//
// One kernel, "ramp", writes the number of each token into its row of o. Built
// several times: against this ABI, against a later minor, as another major,
// with another size of its descriptors, and with a variant for GPUs.
//
//===----------------------------------------------------------------------===//
#include "deltanet-c/kernel_abi.h"

#ifndef LIBRARY_MAJOR
#define LIBRARY_MAJOR DN_ABI_MAJOR
#endif
#ifndef KERNEL_SIZE
#define KERNEL_SIZE sizeof(dn_kernel)
#endif

static uint64_t workspace_bytes(const dn_args *args) {
  (void)args;
  return 0;
}

static int64_t items(const dn_args *args, uint32_t stage) {
  (void)stage;
  return args->tokens;
}

static void run(const dn_args *args, uint32_t stage, void *scratch,
                int64_t begin, int64_t end) {
  (void)stage;
  (void)scratch;
  for (int64_t t = begin; t < end; ++t)
    for (int64_t v = 0; v < 16; ++v)
      ((float *)args->o)[t * args->o_token_stride + v] = (float)t;
}

static const dn_kernel generic = {.size = KERNEL_SIZE,
                                  .abi_major = LIBRARY_MAJOR,
                                  .abi_minor = DN_ABI_MINOR,
                                  .name = "ramp",
                                  .schedules = "none",
                                  .isa = DN_ISA_GENERIC,
                                  .rule = DN_RULE_DELTA,
                                  .io_type = DN_TYPE_F32,
                                  .state_type = DN_TYPE_F32,
                                  .static_tokens = -1,
                                  .h = 1,
                                  .hv = 1,
                                  .k = 16,
                                  .v = 16,
                                  .scale = 1,
                                  .l2norm_eps = -1,
                                  .scratch_align = 1,
                                  .stages = 1,
                                  .workspace_bytes = workspace_bytes,
                                  .items = items,
                                  .run = run};

#ifdef LIBRARY_WITH_GPU
static const char ptx[] = "no driver gets to see this";

static const dn_cuda_stage stage = {.entry = "ramp", .threads = 32};

static const dn_cuda_code code = {.size = sizeof code,
                                  .chip = 80,
                                  .args_size = sizeof(dn_args),
                                  .stages = &stage,
                                  .ptx = ptx,
                                  .ptx_bytes = sizeof ptx};

static const dn_kernel gpu = {.size = sizeof gpu,
                              .abi_major = DN_ABI_MAJOR,
                              .abi_minor = DN_ABI_MINOR,
                              .name = "ramp",
                              .schedules = "none",
                              .isa = DN_ISA_CUDA + 80,
                              .rule = DN_RULE_DELTA,
                              .io_type = DN_TYPE_F32,
                              .state_type = DN_TYPE_F32,
                              .static_tokens = -1,
                              .h = 1,
                              .hv = 1,
                              .k = 16,
                              .v = 16,
                              .scale = 1,
                              .l2norm_eps = -1,
                              .scratch_align = 1,
                              .stages = 1,
                              .workspace_bytes = workspace_bytes,
                              .items = items,
                              .cuda = &code};

static const dn_kernel *const variants[] = {&gpu, &generic};
#else
static const dn_kernel *const variants[] = {&generic};
#endif

static const dn_kernel_set ramp = {.size = sizeof ramp,
                                   .variant_count =
                                       sizeof variants / sizeof variants[0],
                                   .name = "ramp",
                                   .variants = variants};

static const dn_kernel_set *const kernels[] = {&ramp};

static const dn_library library = {
    .size = sizeof library,
    .abi_major = LIBRARY_MAJOR,
    .abi_minor = DN_ABI_MINOR,
    .kernel_count = 1,
    .kernels = kernels,
    .producer = "by hand",
};

#ifdef LIBRARY_WITHOUT_QUERY
const dn_library *dn_something_else(void);
const dn_library *dn_something_else(void) { return &library; }
#else
const dn_library *dn_query(void);
const dn_library *dn_query(void) { return &library; }
#endif
