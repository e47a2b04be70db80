//===- AsyncCopyPipeline.cu - Tiles copied while others are used ----------===//
//
// Part of the Delta-Net project.
//
// MISSING_WAIT: a tile is used before its copy has ended.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline_primitives.h>

constexpr int kThreads = 64, kElements = 4 * kThreads;

/// Reverses each tile and doubles its elements.
extern "C" __global__ void __launch_bounds__(kThreads)
    async_copy_pipeline(const float *in, float *out, int tiles) {
  __shared__ __align__(16) float stage[2][kElements];
  const int place = 4 * threadIdx.x;
  in += blockIdx.x * tiles * kElements;
  out += blockIdx.x * tiles * kElements;
  __pipeline_memcpy_async(&stage[0][place], &in[place], 16);
  __pipeline_commit();
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles)
      __pipeline_memcpy_async(&stage[(tile + 1) % 2][place],
                              &in[(tile + 1) * kElements + place], 16);
    __pipeline_commit();
#ifndef MISSING_WAIT
    __pipeline_wait_prior(1);
#endif
    __syncthreads();
    for (int i = threadIdx.x; i < kElements; i += kThreads)
      out[tile * kElements + i] = 2 * stage[tile % 2][kElements - 1 - i];
    __syncthreads();
  }
}
