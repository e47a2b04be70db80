//===- ByteHistogram.cu - How often each byte occurs ----------------------===//
//
// Part of the Delta-Net project.
//
// PAST_THE_END: one byte after the last is read.
//
//===----------------------------------------------------------------------===//

#ifdef PAST_THE_END
#define IS_INSIDE <=
#else
#define IS_INSIDE <
#endif

extern "C" __global__ void byte_histogram(const unsigned char *data,
                                          unsigned bytes, unsigned *counts) {
  __shared__ unsigned own[256];
  for (unsigned bin = threadIdx.x; bin < 256; bin += blockDim.x)
    own[bin] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i IS_INSIDE bytes;
       i += gridDim.x * blockDim.x)
    atomicAdd(&own[data[i]], 1u);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < 256; bin += blockDim.x)
    if (own[bin])
      atomicAdd(&counts[bin], own[bin]);
}
