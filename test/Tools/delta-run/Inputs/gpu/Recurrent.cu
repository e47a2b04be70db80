//===- Recurrent.cu - A gated delta rule, token by token ------------------===//
//
// Part of the Delta-Net project.
//
// A kernel as plain as may be behind the kernel ABI, so that the runner can be
// tested without the compiler: a block is a sequence and value head, a thread a
// value channel, whose column of the state lies in shared memory.
//
// PAST_THE_END: one element after o is written.
// MISSING_TOKEN: the last token of a sequence is left out.
// MISSING_BARRIER: keys are overwritten while others may still read them.
// GAP_READ: a key channel too many is read, which padded rows have a gap for.
// TWO_STAGES, which is no fault: values pass through the workspace.
//
//===----------------------------------------------------------------------===//

#include "deltanet-c/kernel_abi.h"

constexpr int kHeads = 2, kKeys = 16, kValues = 16;

#ifdef TWO_STAGES
/// A block is a token, a thread a value.
extern "C" __global__ void copy_values(const dn_args args, int64_t first) {
  const int64_t t = first + blockIdx.x, hv = threadIdx.x / kValues,
                j = threadIdx.x % kValues;
  static_cast<float *>(args.workspace)[(t * kHeads + hv) * kValues + j] =
      static_cast<const float *>(
          args.v)[t * args.v_token_stride + hv * args.v_head_stride + j];
}
#endif

extern "C" __global__ void recurrent(const dn_args args, int64_t first) {
  __shared__ float state[kKeys][kValues], q[kKeys], k[kKeys];
  const int64_t item = first + blockIdx.x, n = item / kHeads,
                hv = item % kHeads;
  const int j = threadIdx.x;
  const float *stateIn = args.state_in + n * args.state_in_sequence_stride +
                         hv * args.state_in_head_stride;
#pragma unroll 1
  for (int i = 0; i < kKeys; ++i)
    state[i][j] = stateIn[i * kValues + j];
  const int *offsets = static_cast<const int *>(args.cu_seqlens) + n;
  const float scale = args.flags & DN_FLAG_SCALE ? args.scale : 0.25f;
  float *o = static_cast<float *>(args.o) + hv * args.o_head_stride + j;
  int64_t end = offsets[1];
#ifdef MISSING_TOKEN
  --end;
#endif
  for (int64_t t = offsets[0]; t < end; ++t) {
#ifdef GAP_READ
    const int channel = j + 1;
#else
    const int channel = j;
#endif
    q[j] = static_cast<const float *>(args.q)[t * args.q_token_stride + j];
    k[j] =
        static_cast<const float *>(args.k)[t * args.k_token_stride + channel];
    __syncthreads();
    const float decay = expf(args.g[t * args.g_token_stride + hv]);
    float product = 0, sum = 0;
#pragma unroll 1
    for (int i = 0; i < kKeys; ++i) {
      state[i][j] *= decay;
      product += state[i][j] * k[i];
    }
#ifdef TWO_STAGES
    const float value = static_cast<const float *>(
        args.workspace)[(t * kHeads + hv) * kValues + j];
#else
    const float value = static_cast<const float *>(
        args.v)[t * args.v_token_stride + hv * args.v_head_stride + j];
#endif
    const float delta =
        args.beta[t * args.beta_token_stride + hv] * (value - product);
#pragma unroll 1
    for (int i = 0; i < kKeys; ++i) {
      state[i][j] += k[i] * delta;
      sum += state[i][j] * (q[i] * scale);
    }
    o[t * args.o_token_stride] = sum;
#ifndef MISSING_BARRIER
    __syncthreads();
#endif
  }
#ifdef PAST_THE_END
  if (end == args.tokens && hv + 1 == kHeads && j + 1 == kValues)
    o[(end - 1) * args.o_token_stride + 1] = 0;
#endif
  float *stateOut = args.state_out + n * args.state_out_sequence_stride +
                    hv * args.state_out_head_stride;
#pragma unroll 1
  for (int i = 0; i < kKeys; ++i)
    stateOut[i * kValues + j] = state[i][j];
}
