//===- gpu_kernels.c - Kernels for GPUs for tests -------------------------===//
//
// Part of the Delta-Net project.
//
// Variants for GPUs around the PTX in FOLDER, right and wrong in many ways, so
// that the runner can be tested without the compiler.
//
//===----------------------------------------------------------------------===//
#include "deltanet-c/kernel_abi.h"

#define IMAGE(NAME, FILE)                                                      \
  __asm__(".section .rodata\n"                                                 \
          ".hidden " #NAME ", " #NAME "_end\n"                                 \
          ".global " #NAME ", " #NAME "_end\n" #NAME ": .incbin \"" FOLDER     \
          "/" FILE "\"\n"                                                      \
          ".byte 0\n" #NAME "_end:\n"                                          \
          ".previous\n");                                                      \
  extern const char NAME[], NAME##_end[];

IMAGE(ptx_right, "Recurrent.ptx")
IMAGE(ptx_past_the_end, "Recurrent.PAST_THE_END.ptx")
IMAGE(ptx_missing_token, "Recurrent.MISSING_TOKEN.ptx")
IMAGE(ptx_missing_barrier, "Recurrent.MISSING_BARRIER.ptx")
IMAGE(ptx_gap_read, "Recurrent.GAP_READ.ptx")
IMAGE(ptx_two_stages, "Recurrent.TWO_STAGES.ptx")

static const char ptx_wrong[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry recurrent() { jump; }\n";

static const char elf[] = "\x7f"
                          "ELF of another machine";

static const dn_cuda_stage one_stage[] = {{"recurrent", 16, 0}};
static const dn_cuda_stage two_stages[] = {{"copy_values", 32, 0},
                                           {"recurrent", 16, 0}};
static const dn_cuda_stage no_such_stage[] = {{"chunked", 16, 0}};

/// What differs between the variants. One without a name belongs to the kernel
/// before it, one without a chip is for CPUs and computes nothing.
static const struct {
  const char *name;
  uint32_t chip, only, stages;
  const dn_cuda_stage *stage;
  const char *ptx, *ptx_end;
  const void *cubin;
} variants[] = {
    {"gdn", 80, 0, 1, one_stage, ptx_right, ptx_right_end, 0},
    {"with_cubin", 80, 0, 1, one_stage, ptx_right, ptx_right_end, elf},
    {"two_stages", 80, 0, 2, two_stages, ptx_two_stages, ptx_two_stages_end, 0},
    {"hopper", 90, 1, 1, one_stage, ptx_right, ptx_right_end, 0},
    {0, 80, 0, 2, two_stages, ptx_two_stages, ptx_two_stages_end, 0},
    {"hopper_only", 90, 1, 1, one_stage, ptx_right, ptx_right_end, 0},
    {"mixed", 80, 0, 1, one_stage, ptx_right, ptx_right_end, 0},
    {0, 0, 0, 1, 0, 0, 0, 0},
    {"past_the_end", 80, 0, 1, one_stage, ptx_past_the_end,
     ptx_past_the_end_end, 0},
    {"missing_token", 80, 0, 1, one_stage, ptx_missing_token,
     ptx_missing_token_end, 0},
    {"missing_barrier", 80, 0, 1, one_stage, ptx_missing_barrier,
     ptx_missing_barrier_end, 0},
    {"gap_read", 80, 0, 1, one_stage, ptx_gap_read, ptx_gap_read_end, 0},
    {"wrong_ptx", 80, 0, 1, one_stage, ptx_wrong, ptx_wrong + sizeof ptx_wrong,
     0},
    {"no_such_stage", 80, 0, 1, no_such_stage, ptx_right, ptx_right_end, 0}};
enum { COUNT = sizeof variants / sizeof variants[0] };

static uint64_t no_workspace(const dn_args *args) {
  (void)args;
  return 0;
}
static uint64_t values_workspace(const dn_args *args) {
  return (uint64_t)args->tokens * 2 * 16 * sizeof(float);
}
static int64_t items_of_one(const dn_args *args, uint32_t stage) {
  (void)stage;
  return args->sequences * 2;
}
static int64_t items_of_two(const dn_args *args, uint32_t stage) {
  return stage == 0 ? args->tokens : args->sequences * 2;
}

static void run_nothing(const dn_args *args, uint32_t stage, void *scratch,
                        int64_t begin, int64_t end) {
  (void)args, (void)stage, (void)scratch, (void)begin, (void)end;
}

static const dn_kernel *make_variant(int i, const char *name) {
  static dn_cuda_code codes[COUNT];
  static dn_kernel kernels[COUNT];
  int two = variants[i].stages == 2, gpu = variants[i].chip != 0;
  codes[i] = (dn_cuda_code){
      .size = sizeof(dn_cuda_code),
      .chip = variants[i].chip,
      .only = variants[i].only,
      .args_size = sizeof(dn_args),
      .stages = variants[i].stage,
      .ptx = variants[i].ptx,
      .ptx_bytes = (uint64_t)(variants[i].ptx_end - variants[i].ptx),
      .cubin = variants[i].cubin,
      .cubin_bytes = variants[i].cubin ? sizeof elf : 0};
  kernels[i] = (dn_kernel){
      .size = sizeof(dn_kernel),
      .abi_major = DN_ABI_MAJOR,
      .abi_minor = DN_ABI_MINOR,
      .name = name,
      .schedules = "recurrent tokens=1",
      .isa = gpu ? DN_ISA_CUDA + variants[i].chip : (uint32_t)DN_ISA_GENERIC,
      .rule = DN_RULE_GATED,
      .io_type = DN_TYPE_F32,
      .state_type = DN_TYPE_F32,
      .index_type = DN_TYPE_I32,
      .head_map = DN_HEAD_MAP_GROUPED,
      .state_layout = DN_STATE_LAYOUT_KV,
      .operands = DN_OPERAND_G | DN_OPERAND_STATE_IN | DN_OPERAND_STATE_OUT |
                  DN_OPERAND_CU_SEQLENS,
      .static_tokens = -1,
      .h = 1,
      .hv = 2,
      .k = 16,
      .v = 16,
      .scale = 0.25f,
      .l2norm_eps = -1,
      .scratch_align = 1,
      .stages = variants[i].stages,
      .workspace_bytes = two ? values_workspace : no_workspace,
      .items = two ? items_of_two : items_of_one,
      .run = gpu ? 0 : run_nothing,
      .cuda = gpu ? &codes[i] : 0};
  return &kernels[i];
}

const dn_library *dn_query(void) {
  static const dn_kernel *pointers[COUNT];
  static dn_kernel_set sets[COUNT];
  static const dn_kernel_set *kernels[COUNT];
  static dn_library library;
  uint32_t count = 0;
  for (int i = 0; i < COUNT; ++i) {
    if (variants[i].name) {
      sets[count] = (dn_kernel_set){sizeof(dn_kernel_set), 0, variants[i].name,
                                    &pointers[i]};
      kernels[count] = &sets[count];
      ++count;
    }
    pointers[i] = make_variant(i, sets[count - 1].name);
    ++sets[count - 1].variant_count;
  }
  library = (dn_library){
      sizeof(dn_library), DN_ABI_MAJOR, DN_ABI_MINOR, count, 0, kernels,
      "gpu_kernels.c"};
  return &library;
}
