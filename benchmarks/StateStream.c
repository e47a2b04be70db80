//===- StateStream.c - How fast this machine rewrites the states ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "BaselineKernel.h"

/// Floats between a read and the line prefetched with it: 2 KB.
#define DISTANCE 512
/// Floats a turn: one cache line.
#define LINE 16

static int64_t items(const dn_args *args, uint32_t stage) {
  (void)stage;
  return args->sequences * dn_bench_call_of(args)->hv;
}

static float *head_state(const dn_bench_call *call, int64_t item) {
  return call->args.state_out +
         item / call->hv * call->args.state_out_sequence_stride +
         item % call->hv * call->args.state_out_head_stride;
}

static void run(const dn_args *args, uint32_t stage, void *scratch,
                int64_t begin, int64_t end) {
  (void)stage;
  (void)scratch;
  const dn_bench_call *call = dn_bench_call_of(args);
  float factor = call->scale;
  for (int64_t item = begin; item < end; ++item) {
    float *state = head_state(call, item);
#pragma omp simd
    for (int64_t i = 0; i < call->k * call->v; ++i)
      state[i] *= factor;
  }
}

static void run_prefetched(const dn_args *args, uint32_t stage, void *scratch,
                           int64_t begin, int64_t end) {
  (void)stage;
  (void)scratch;
  const dn_bench_call *call = dn_bench_call_of(args);
  float factor = call->scale;
  for (int64_t item = begin; item < end; ++item) {
    float *state = head_state(call, item);
    for (int64_t at = 0; at < call->k * call->v; at += LINE) {
      __builtin_prefetch(state + at + DISTANCE, /*write=*/0, /*locality=*/3);
#pragma omp simd
      for (int64_t i = 0; i < LINE; ++i)
        state[at + i] *= factor;
    }
  }
}

const dn_kernel dn_bench_state_stream =
    DN_BENCH_KERNEL("state stream", items, run);
const dn_kernel dn_bench_state_stream_prefetched =
    DN_BENCH_KERNEL("state stream, prefetched", items, run_prefetched);
