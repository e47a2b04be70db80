//===- TokenLoop.c - The token recurrence in four passes ------------------===//
//
// Part of the Delta-Net project.
//
// The usual structure of this operation in inference engines: vector routines
// for whole rows of the state, called one after the other, so that each token
// goes through the state four times.
//
//===----------------------------------------------------------------------===//
#include "BaselineKernel.h"

#include <math.h>
#include <string.h>

#define MAX_VALUE_CHANNELS 256

static void scale_row(float *restrict row, float factor, int64_t count) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i)
    row[i] *= factor;
}

static float dot_rows(const float *restrict a, const float *restrict b,
                      int64_t count) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}

static void add_row(float *restrict row, const float *restrict addend,
                    float factor, int64_t count) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i)
    row[i] += addend[i] * factor;
}

static void run_head(const dn_bench_call *call, int64_t sequence,
                     int64_t value_head) {
  const dn_args *args = &call->args;
  const int32_t *offsets = args->cu_seqlens;
  int64_t channels = call->k, rows = call->v;
  int64_t key_head = call->head_map == DN_HEAD_MAP_GROUPED
                         ? value_head / (call->hv / call->h)
                         : value_head % call->h;
  const float *state_in = args->state_in +
                          sequence * args->state_in_sequence_stride +
                          value_head * args->state_in_head_stride;
  float *state = args->state_out + sequence * args->state_out_sequence_stride +
                 value_head * args->state_out_head_stride;
  if (state != state_in)
    memcpy(state, state_in, sizeof(float) * (size_t)(rows * channels));

  for (int64_t t = offsets[sequence]; t < offsets[sequence + 1]; ++t) {
    const float *q = (const float *)args->q + t * args->q_token_stride +
                     key_head * args->q_head_stride;
    const float *k = (const float *)args->k + t * args->k_token_stride +
                     key_head * args->k_head_stride;
    const float *v = (const float *)args->v + t * args->v_token_stride +
                     value_head * args->v_head_stride;
    float *o = (float *)args->o + t * args->o_token_stride +
               value_head * args->o_head_stride;
    float decay = expf(args->g[t * args->g_token_stride + value_head]);
    float beta = args->beta[t * args->beta_token_stride + value_head];
    float delta[MAX_VALUE_CHANNELS];

    scale_row(state, decay, rows * channels);
    for (int64_t row = 0; row < rows; ++row)
      delta[row] =
          beta * (v[row] - dot_rows(state + row * channels, k, channels));
    for (int64_t row = 0; row < rows; ++row)
      add_row(state + row * channels, k, delta[row], channels);
    for (int64_t row = 0; row < rows; ++row)
      o[row] = call->scale * dot_rows(state + row * channels, q, channels);
  }
}

static int64_t items(const dn_args *args, uint32_t stage) {
  (void)stage;
  return args->sequences * dn_bench_call_of(args)->hv;
}

static void run(const dn_args *args, uint32_t stage, void *scratch,
                int64_t begin, int64_t end) {
  (void)stage;
  (void)scratch;
  const dn_bench_call *call = dn_bench_call_of(args);
  for (int64_t item = begin; item < end; ++item)
    run_head(call, item / call->hv, item % call->hv);
}

const dn_kernel dn_bench_token_loop = DN_BENCH_KERNEL("token loop", items, run);
