//===- FmaLoop.c - How fast this machine multiplies and adds --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "BaselineKernel.h"

#include <immintrin.h>

#define CHAINS 12
#define LANES 8
/// Work items of a call, so that several threads get even shares.
#define PIECES 64

static int64_t steps_of(const dn_bench_call *call) {
  int64_t operations = call->args.tokens * call->hv * 6 * call->k * call->v;
  return operations / (2 * LANES * CHAINS);
}

/// The values tend to 1 and stay normal. Returns their sum, so that no chain is
/// dead.
static float run_chains(int64_t steps) {
  const __m256 factor = _mm256_set1_ps(0.999f);
  const __m256 addend = _mm256_set1_ps(0.001f);
  __m256 chain[CHAINS];
  for (int i = 0; i < CHAINS; ++i)
    chain[i] = _mm256_set1_ps(0.01f * (float)i);
  for (int64_t step = 0; step < steps; ++step)
    for (int i = 0; i < CHAINS; ++i)
      chain[i] = _mm256_fmadd_ps(chain[i], factor, addend);
  for (int i = 1; i < CHAINS; ++i)
    chain[0] = _mm256_add_ps(chain[0], chain[i]);
  return _mm256_cvtss_f32(chain[0]);
}

static int64_t items(const dn_args *args, uint32_t stage) {
  (void)args;
  (void)stage;
  return PIECES;
}

static void run(const dn_args *args, uint32_t stage, void *scratch,
                int64_t begin, int64_t end) {
  (void)stage;
  (void)scratch;
  int64_t steps = steps_of(dn_bench_call_of(args));
  volatile float sink =
      run_chains(steps * end / PIECES - steps * begin / PIECES);
  (void)sink;
}

const dn_kernel dn_bench_fma_loop = DN_BENCH_KERNEL("FMA loop", items, run);
