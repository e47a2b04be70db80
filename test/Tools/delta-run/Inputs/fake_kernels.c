//===- fake_kernels.c - A hand-written kernel library for tests -----------===//
//
// Part of the Delta-Net project.
//
// The recurrence in plain f32 C behind the kernel ABI, right and wrong in many
// ways, so that the runner can be tested without the compiler.
//
//===----------------------------------------------------------------------===//
#include "deltanet-c/kernel_abi.h"

#include <math.h>
#include <string.h>

/// What is wrong with a kernel.
enum fault {
  FAULT_NONE,
  FAULT_LATE_DECAY,      // decay after the error term
  FAULT_UNWRITTEN,       // the last value channel is left out
  FAULT_OVERRUN,         // one element after o is written
  FAULT_BEFORE,          // one element before o is written
  FAULT_INPUT,           // q is changed
  FAULT_GAP,             // the element after a row of o is written
  FAULT_NAN,             // one output is NaN
  FAULT_RANDOM,          // every call gives other bits
  FAULT_SCRATCH,         // writes beyond the scratch
  FAULT_WORKSPACE,       // writes beyond the workspace
  FAULT_STATE_TRANSPOSED // reads and writes the state in the other order
};

static float load(const void *tensor, uint32_t type, int64_t at) {
  if (type == DN_TYPE_F32)
    return ((const float *)tensor)[at];
  uint16_t half;
  memcpy(&half, (const char *)tensor + 2 * at, sizeof half);
  uint32_t bits = (uint32_t)half << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void store(void *tensor, uint32_t type, int64_t at, float value) {
  if (type == DN_TYPE_F32) {
    memcpy((char *)tensor + 4 * at, &value, sizeof value);
    return;
  }
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (value == value)
    bits += 0x7FFF + (bits >> 16 & 1);
  uint16_t half = (uint16_t)(bits >> 16);
  memcpy((char *)tensor + 2 * at, &half, sizeof half);
}

static int64_t offset(const dn_kernel *self, const dn_args *args, int64_t n) {
  if (!(self->operands & DN_OPERAND_CU_SEQLENS))
    return n ? args->tokens : 0;
  if (self->index_type == DN_TYPE_I64)
    return ((const int64_t *)args->cu_seqlens)[n];
  return ((const int32_t *)args->cu_seqlens)[n];
}

static void load_row(const dn_kernel *self, const void *tensor, int64_t at,
                     float *row) {
  float sum = 0;
  for (int64_t i = 0; i < self->k; ++i) {
    row[i] = load(tensor, self->io_type, at + i);
    sum += row[i] * row[i];
  }
  if (self->l2norm_eps < 0)
    return;
  for (int64_t i = 0; i < self->k; ++i)
    row[i] *= 1 / sqrtf(sum + self->l2norm_eps);
}

/// One value head of one sequence. `v` and its strides stand apart from args,
/// because the two-stage kernel reads it from the workspace.
static void head(const dn_kernel *self, enum fault fault, const dn_args *args,
                 const void *v, int64_t v_token, int64_t v_head, float *scratch,
                 int64_t n, int64_t hv) {
  int64_t K = self->k, V = self->v;
  float *state = scratch, *q = state + K * V, *k = q + K;
  int64_t h = self->head_map == DN_HEAD_MAP_TILED ? hv % self->h
                                                  : hv / (self->hv / self->h);
  int vk = self->state_layout == DN_STATE_LAYOUT_VK;
  if (fault == FAULT_STATE_TRANSPOSED)
    vk = !vk;
  for (int64_t i = 0; i < K; ++i)
    for (int64_t j = 0; j < V; ++j)
      state[i * V + j] = !args->state_in
                             ? 0
                             : load(args->state_in, DN_TYPE_F32,
                                    n * args->state_in_sequence_stride +
                                        hv * args->state_in_head_stride +
                                        (vk ? j * K + i : i * V + j));
  float scale = args->flags & DN_FLAG_SCALE ? args->scale : self->scale;
  for (int64_t t = offset(self, args, n); t < offset(self, args, n + 1); ++t) {
    load_row(self, args->q, t * args->q_token_stride + h * args->q_head_stride,
             q);
    load_row(self, args->k, t * args->k_token_stride + h * args->k_head_stride,
             k);
    float gate = 1;
    if (self->operands & DN_OPERAND_G)
      gate = expf(load(args->g, DN_TYPE_F32, t * args->g_token_stride + hv));
    float early = fault == FAULT_LATE_DECAY ? 1 : gate;
    float late = fault == FAULT_LATE_DECAY ? gate : 1;
    float beta =
        load(args->beta, DN_TYPE_F32, t * args->beta_token_stride + hv);
    int64_t o_at = t * args->o_token_stride + hv * args->o_head_stride;
    for (int64_t j = 0; j < V - (fault == FAULT_UNWRITTEN); ++j) {
      float dot = 0, out = 0;
      for (int64_t i = 0; i < K; ++i)
        dot += state[i * V + j] * early * k[i];
      float delta =
          beta * (load(v, self->io_type, t * v_token + hv * v_head + j) - dot);
      for (int64_t i = 0; i < K; ++i) {
        state[i * V + j] = state[i * V + j] * early * late + k[i] * delta;
        out += state[i * V + j] * (q[i] * scale);
      }
      store(args->o, self->io_type, o_at + j, out);
    }
    if (fault == FAULT_NAN && t == 1)
      store(args->o, self->io_type, o_at, NAN);
    if (fault == FAULT_GAP)
      store(args->o, self->io_type, o_at + V, 1);
  }
  if (!(self->operands & DN_OPERAND_STATE_OUT))
    return;
  for (int64_t i = 0; i < K; ++i)
    for (int64_t j = 0; j < V; ++j)
      store(args->state_out, DN_TYPE_F32,
            n * args->state_out_sequence_stride +
                hv * args->state_out_head_stride + (vk ? j * K + i : i * V + j),
            state[i * V + j]);
}

/// What the faulty kernels do beside their work.
static void misbehave(const dn_kernel *self, enum fault fault,
                      const dn_args *args, float *scratch) {
  static int calls = 0;
  int64_t end = (args->tokens - 1) * args->o_token_stride +
                (self->hv - 1) * args->o_head_stride + self->v;
  if (fault == FAULT_OVERRUN)
    store(args->o, self->io_type, end + 1, 1);
  if (fault == FAULT_BEFORE)
    store(args->o, self->io_type, -2, 1);
  void *q;
  memcpy(&q, &args->q, sizeof q); // sheds const
  if (fault == FAULT_INPUT)
    store(q, self->io_type, 3, 7);
  if (fault == FAULT_RANDOM)
    store(args->o, self->io_type, 0,
          load(args->o, self->io_type, 0) * (1 + (float)calls++ * 1e-7f));
  if (fault == FAULT_SCRATCH)
    scratch[self->scratch_bytes / sizeof(float)] = 1;
  if (fault == FAULT_WORKSPACE)
    ((char *)args->workspace)[args->workspace_bytes] = 1;
}

static uint64_t no_workspace(const dn_args *args) {
  (void)args;
  return 0;
}

static void run_one_stage(const dn_kernel *self, enum fault fault,
                          const dn_args *args, void *scratch, int64_t begin,
                          int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    head(self, fault, args, args->v, args->v_token_stride, args->v_head_stride,
         scratch, i / self->hv, i % self->hv);
  if (begin == 0 && end > 0 && args->tokens > 0)
    misbehave(self, fault, args, scratch);
}

/// Stage 0 copies v to the workspace, one item a token; stage 1 is the rest.
static void run_one_of_two(const dn_kernel *self, enum fault fault,
                           const dn_args *args, uint32_t stage, void *scratch,
                           int64_t begin, int64_t end) {
  int64_t row = self->hv * self->v;
  if (stage == 0) {
    for (int64_t i = begin * row; i < end * row; ++i) {
      int64_t t = i / row, hv = i % row / self->v, j = i % self->v;
      store(args->workspace, self->io_type, i,
            load(args->v, self->io_type,
                 t * args->v_token_stride + hv * args->v_head_stride + j));
    }
    return;
  }
  for (int64_t i = begin; i < end; ++i)
    head(self, fault, args, args->workspace, row, self->v, scratch,
         i / self->hv, i % self->hv);
  if (begin == 0 && end > 0)
    misbehave(self, fault, args, scratch);
}

#define STATES (DN_OPERAND_STATE_IN | DN_OPERAND_STATE_OUT)
#define ALL (DN_OPERAND_G | STATES | DN_OPERAND_CU_SEQLENS)
#define RECURRENT "recurrent tokens=1"

/// The descriptor fields that differ between kernels, after name and fault.
#define DESCRIPTOR(NAME, ISA, SCHEDULES, RULE, TYPE, INDEX, MAP, LAYOUT,       \
                   OPERANDS, TOKENS, H, HV, K, V, SCALE, EPS, STAGES,          \
                   WORKSPACE)                                                  \
  static const dn_kernel kernel_##NAME##_##ISA = {sizeof(dn_kernel),           \
                                                  DN_ABI_MAJOR,                \
                                                  DN_ABI_MINOR,                \
                                                  #NAME,                       \
                                                  SCHEDULES,                   \
                                                  DN_ISA_##ISA,                \
                                                  DN_RULE_##RULE,              \
                                                  DN_TYPE_##TYPE,              \
                                                  DN_TYPE_F32,                 \
                                                  DN_TYPE_##INDEX,             \
                                                  DN_HEAD_MAP_##MAP,           \
                                                  DN_STATE_LAYOUT_##LAYOUT,    \
                                                  OPERANDS,                    \
                                                  TOKENS,                      \
                                                  H,                           \
                                                  HV,                          \
                                                  K,                           \
                                                  V,                           \
                                                  SCALE,                       \
                                                  EPS,                         \
                                                  ((K) * (V) + 2 * (K)) *      \
                                                      sizeof(float),           \
                                                  64,                          \
                                                  STAGES,                      \
                                                  WORKSPACE,                   \
                                                  items_##NAME,                \
                                                  run_##NAME,                  \
                                                  NULL};

#define SET(NAME, ...)                                                         \
  static const dn_kernel *const variants_##NAME[] = {__VA_ARGS__};             \
  static const dn_kernel_set set_##NAME = {sizeof(dn_kernel_set),              \
                                           sizeof variants_##NAME /            \
                                               sizeof variants_##NAME[0],      \
                                           #NAME, variants_##NAME};

/// A kernel of one stage whose items are (sequence, value head) pairs.
#define KERNEL(NAME, FAULT, SCHEDULES, RULE, TYPE, INDEX, MAP, LAYOUT,         \
               OPERANDS, TOKENS, H, HV, K, V, SCALE, EPS)                      \
  static int64_t items_##NAME(const dn_args *args, uint32_t stage) {           \
    (void)stage;                                                               \
    return args->sequences * (HV);                                             \
  }                                                                            \
  static const dn_kernel kernel_##NAME##_GENERIC;                              \
  static void run_##NAME(const dn_args *args, uint32_t stage, void *scratch,   \
                         int64_t begin, int64_t end) {                         \
    (void)stage;                                                               \
    run_one_stage(&kernel_##NAME##_GENERIC, FAULT, args, scratch, begin, end); \
  }                                                                            \
  DESCRIPTOR(NAME, GENERIC, SCHEDULES, RULE, TYPE, INDEX, MAP, LAYOUT,         \
             OPERANDS, TOKENS, H, HV, K, V, SCALE, EPS, 1, no_workspace)

// Two variants of one kernel.
KERNEL(gdn, FAULT_NONE, RECURRENT, GATED, F32, I32, GROUPED, KV, ALL, -1, 2, 4,
       16, 32, 0.25f, -1)
DESCRIPTOR(gdn, AVX2, RECURRENT, GATED, F32, I32, GROUPED, KV, ALL, -1, 2, 4,
           16, 32, 0.25f, -1, 1, no_workspace)
SET(gdn, &kernel_gdn_AVX2, &kernel_gdn_GENERIC)

#define GOOD(NAME, ...)                                                        \
  KERNEL(NAME, FAULT_NONE, __VA_ARGS__)                                        \
  SET(NAME, &kernel_##NAME##_GENERIC)

// The shapes of recorded files.
GOOD(gdn_bf16, RECURRENT, GATED, BF16, I32, GROUPED, KV, ALL, -1, 2, 4, 16, 32,
     0.25f, -1)
GOOD(gdn_norm, RECURRENT, GATED, BF16, I64, GROUPED, VK, ALL, -1, 2, 4, 16, 32,
     0.25f, 1e-6f)
GOOD(gdn_grouped3, RECURRENT, GATED, BF16, I32, GROUPED, KV, ALL, -1, 2, 6, 16,
     32, 0.25f, -1)
GOOD(gdn_tiled, RECURRENT, GATED, BF16, I32, TILED, VK, ALL, -1, 2, 6, 16, 32,
     0.25f, -1)
GOOD(gdn_square, RECURRENT, GATED, F32, I32, GROUPED, VK, ALL, -1, 2, 2, 16, 16,
     0.25f, -1)
GOOD(delta, RECURRENT, DELTA, F32, NONE, GROUPED, KV, STATES, -1, 2, 2, 16, 16,
     0.25f, -1)

// Fewer operands, one length only, several schedules, none that serves.
GOOD(gdn_plain, RECURRENT, GATED, F32, NONE, GROUPED, KV, DN_OPERAND_G, -1, 2,
     4, 16, 32, 0.25f, -1)
GOOD(gdn_static, RECURRENT, GATED, F32, I32, GROUPED, KV, ALL, 8, 2, 4, 16, 32,
     0.25f, -1)
GOOD(gdn_mixed, "recurrent max_tokens=15\nchunked min_tokens=16 chunk=64",
     GATED, F32, I32, GROUPED, KV, ALL, -1, 2, 4, 16, 32, 0.25f, -1)
GOOD(gdn_short, "recurrent max_tokens=15", GATED, F32, I32, GROUPED, KV, ALL,
     -1, 2, 4, 16, 32, 0.25f, -1)

#define WRONG(NAME, FAULT)                                                     \
  KERNEL(NAME, FAULT, RECURRENT, GATED, F32, I32, GROUPED, KV, ALL, -1, 2, 4,  \
         16, 32, 0.25f, -1)                                                    \
  SET(NAME, &kernel_##NAME##_GENERIC)

WRONG(late_decay, FAULT_LATE_DECAY)
WRONG(unwritten, FAULT_UNWRITTEN)
WRONG(overrun, FAULT_OVERRUN)
WRONG(before, FAULT_BEFORE)
WRONG(input, FAULT_INPUT)
WRONG(gap, FAULT_GAP)
WRONG(not_finite, FAULT_NAN)
WRONG(random, FAULT_RANDOM)
WRONG(bad_scratch, FAULT_SCRATCH)

KERNEL(transposed, FAULT_STATE_TRANSPOSED, RECURRENT, GATED, F32, I32, GROUPED,
       KV, ALL, -1, 2, 2, 16, 16, 0.25f, -1)
SET(transposed, &kernel_transposed_GENERIC)

#define TWO_STAGES(NAME, FAULT)                                                \
  static int64_t items_##NAME(const dn_args *args, uint32_t stage) {           \
    return stage == 0 ? args->tokens : args->sequences * 4;                    \
  }                                                                            \
  static uint64_t workspace_##NAME(const dn_args *args) {                      \
    return (uint64_t)args->tokens * 4 * 32 * 4;                                \
  }                                                                            \
  static const dn_kernel kernel_##NAME##_GENERIC;                              \
  static void run_##NAME(const dn_args *args, uint32_t stage, void *scratch,   \
                         int64_t begin, int64_t end) {                         \
    run_one_of_two(&kernel_##NAME##_GENERIC, FAULT, args, stage, scratch,      \
                   begin, end);                                                \
  }                                                                            \
  DESCRIPTOR(NAME, GENERIC, "chunked chunk=64 staging=two_stage", GATED, F32,  \
             I32, GROUPED, KV, ALL, -1, 2, 4, 16, 32, 0.25f, -1, 2,            \
             workspace_##NAME)                                                 \
  SET(NAME, &kernel_##NAME##_GENERIC)

TWO_STAGES(two_stages, FAULT_NONE)
TWO_STAGES(bad_workspace, FAULT_WORKSPACE)

static const dn_kernel_set *const sets[] = {
    &set_gdn,        &set_gdn_bf16,   &set_gdn_norm,     &set_gdn_grouped3,
    &set_gdn_tiled,  &set_gdn_square, &set_delta,        &set_gdn_plain,
    &set_gdn_static, &set_gdn_mixed,  &set_gdn_short,    &set_late_decay,
    &set_unwritten,  &set_overrun,    &set_before,       &set_input,
    &set_gap,        &set_not_finite, &set_random,       &set_bad_scratch,
    &set_transposed, &set_two_stages, &set_bad_workspace};

static const dn_library library = {sizeof(dn_library),
                                   DN_ABI_MAJOR,
                                   DN_ABI_MINOR,
                                   sizeof sets / sizeof sets[0],
                                   0,
                                   sets,
                                   "fake_kernels.c"};

const dn_library *dn_query(void) { return &library; }
