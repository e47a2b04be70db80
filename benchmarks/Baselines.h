//===- Baselines.h - What kernels are measured against --------------------===//
//
// Part of the Delta-Net project.
//
// Each baseline has the interface of a kernel, so that one runtime runs both,
// on one thread or several. All are C, compiled with -O3 -march=x86-64-v3
// whatever the build type.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_BASELINES_H
#define DELTANET_BENCHMARKS_BASELINES_H

#include "deltanet-c/kernel_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A call of a baseline. dn_args comes first: its address is passed where a
/// kernel gets its dn_args. The rest is what a compiled kernel knows by itself.
typedef struct dn_bench_call {
  dn_args args;
  int64_t h, hv, k, v;
  dn_head_map head_map;
  float scale;
} dn_bench_call;

/// The token recurrence as inference engines run it on CPUs: f32, the state of
/// a head [V,K], and for each token four passes over it, which scale, dot with
/// k, update, dot with q. Takes every operand; cu_seqlens is i32. One work item
/// is a (sequence, value head).
extern const dn_kernel dn_bench_token_loop;

/// Fused multiply-adds on registers alone, 12 chains of 8 lanes: as many
/// floating point operations as the three products of the recurrence with the
/// state need, 3·2·K·V for each token and value head.
extern const dn_kernel dn_bench_fma_loop;

/// Reads and writes state_out in place, multiplying by the call's scale. The
/// second prefetches 2 KB ahead. One work item is a (sequence, value head).
extern const dn_kernel dn_bench_state_stream;
extern const dn_kernel dn_bench_state_stream_prefetched;

#ifdef __cplusplus
}
#endif

#endif // DELTANET_BENCHMARKS_BASELINES_H
