/* Calls every variant of `plain` that this machine runs with tensors that are
   parts of larger ones, and compares with the recurrence in double. */
#include "two.h"
#include <fenv.h>
#include <immintrin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { T = 7, HV = 2, K = 16, V = 32 };
/* One buffer of rows [q | k | gap | v of two heads | gap], one float off. */
enum { ROW = K + K + 3 + 2 * (V + 5), HEAD = V + 5, STATE = K * V + 9 };

static float rows[1 + T * ROW], beta[T][3], out[T][HV][V + 1];
static float state[1 + HV * STATE], initial[1 + HV * STATE];
static double reference[T][HV][V], final[HV][K][V];

static float *q(int t) { return rows + 1 + t * ROW; }
static float *k(int t) { return q(t) + K; }
static float *v(int t, int h) { return k(t) + K + 3 + h * HEAD; }

static void compute(float scale) {
  for (int h = 0; h < HV; ++h) {
    double s[K][V];
    for (int i = 0; i < K; ++i)
      for (int j = 0; j < V; ++j)
        s[i][j] = initial[1 + h * STATE + i * V + j];
    for (int t = 0; t < T; ++t)
      for (int j = 0; j < V; ++j) {
        double dot = 0, o = 0;
        for (int i = 0; i < K; ++i)
          dot += s[i][j] * k(t)[i];
        double delta = beta[t][h] * (v(t, h)[j] - dot);
        for (int i = 0; i < K; ++i) {
          s[i][j] += k(t)[i] * delta;
          o += s[i][j] * q(t)[i];
        }
        reference[t][h][j] = scale * o;
      }
    memcpy(final[h], s, sizeof s);
  }
}

static int check(const dn_kernel *kernel, dn_args *args, float scale) {
  memcpy(state, initial, sizeof state);
  memset(out, 0xff, sizeof out);
  args->workspace_bytes = kernel->workspace_bytes(args);
  args->workspace = aligned_alloc(64, (args->workspace_bytes + 127) / 64 * 64);
  void *scratch = aligned_alloc(64, (kernel->scratch_bytes + 127) / 64 * 64);
  unsigned before = _mm_getcsr();
  for (uint32_t stage = 0; stage < kernel->stages; ++stage)
    for (int64_t i = kernel->items(args, stage); i-- > 0;)
      kernel->run(args, stage, scratch, i, i + 1);
  if (_mm_getcsr() != before)
    return printf("MXCSR: expected %x, got %x\n", before, _mm_getcsr());
  free(scratch);
  free(args->workspace);
  compute(scale);
  for (int h = 0; h < HV; ++h) {
    for (int t = 0; t < T; ++t) {
      for (int j = 0; j < V; ++j)
        if (fabs(out[t][h][j] - reference[t][h][j]) > 1e-5)
          return printf("o[%d,%d,%d]: expected %g, got %g\n", t, h, j,
                        reference[t][h][j], out[t][h][j]);
      if (!isnan(out[t][h][V]))
        return puts("o: written between the rows");
    }
    for (int i = 0; i < K * V; ++i)
      if (fabs(state[1 + h * STATE + i] - final[h][0][i]) > 1e-5)
        return printf("state[%d,%d]: got %g\n", h, i, state[1 + h * STATE + i]);
    for (int i = K * V; i < STATE; ++i)
      if (state[1 + h * STATE + i] != initial[1 + h * STATE + i])
        return puts("state: written between the heads");
  }
  return 0;
}

static float random_value(void) { return (float)(rand() % 4096) / 4096 - 0.5f; }

/* Without the runtime, a program asks for the instructions itself. */
static int runs_here(uint32_t isa) {
  return (isa < DN_ISA_AVX2 || __builtin_cpu_supports("avx2")) &&
         (isa < DN_ISA_AVX512 || __builtin_cpu_supports("avx512vl")) &&
         (isa < DN_ISA_AVX512_BF16 || __builtin_cpu_supports("avx512bf16")) &&
         isa <= DN_ISA_AVX512_BF16;
}

int main(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    rows[i] = random_value();
  for (size_t i = 0; i < sizeof initial / sizeof *initial; ++i)
    initial[i] = random_value();
  for (int t = 0; t < T; ++t)
    for (int h = 0; h < HV; ++h)
      beta[t][h] = random_value() + 0.5f;

  dn_args args;
  memset(&args, 0, sizeof args);
  args.size = sizeof args;
  args.q = q(0), args.k = k(0), args.v = v(0, 0);
  args.beta = beta[0], args.o = out, args.tokens = T, args.sequences = 1;
  args.state_in = args.state_out = state + 1; /* in place */
  args.q_token_stride = args.k_token_stride = args.v_token_stride = ROW;
  args.q_head_stride = args.k_head_stride = K;
  args.v_head_stride = HEAD, args.beta_token_stride = 3;
  args.o_token_stride = HV * (V + 1), args.o_head_stride = V + 1;
  args.state_in_head_stride = args.state_out_head_stride = STATE;
  args.state_in_sequence_stride = args.state_out_sequence_stride = HV * STATE;

  for (uint32_t i = 0; i < dn_plain.variant_count; ++i) {
    const dn_kernel *kernel = dn_plain.variants[i];
    if (!runs_here(kernel->isa))
      continue;
    float own[T][HV][V + 1];
    if (check(kernel, &args, kernel->scale))
      return 1;
    memcpy(own, out, sizeof own);
    /* The caller's rounding mode changes no bit. */
    fesetround(FE_UPWARD);
    int failed = check(kernel, &args, kernel->scale);
    fesetround(FE_TONEAREST);
    if (failed || memcmp(own, out, sizeof own))
      return puts("the rounding mode of the caller matters");
    args.flags = DN_FLAG_SCALE, args.scale = -2.0f;
    if (check(kernel, &args, -2.0f))
      return 1;
    args.flags = 0;
  }
  return 0;
}
