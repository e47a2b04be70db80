//===- BlockSoftmax.cu - Softmax of a row by a block ----------------------===//
//
// Part of the Delta-Net project.
//
// UNINITIALISED_READ: partial results of warps that do not exist are read.
//
//===----------------------------------------------------------------------===//

constexpr int kWarps = 4;

__device__ float maximumOfWarp(float value) {
  for (int distance = 16; distance; distance /= 2)
    value = fmaxf(value, __shfl_xor_sync(~0u, value, distance));
  return value;
}

__device__ float sumOfWarp(float value) {
  for (int distance = 16; distance; distance /= 2)
    value += __shfl_xor_sync(~0u, value, distance);
  return value;
}

__device__ bool hasPartial(int lane) {
#ifdef UNINITIALISED_READ
  return true;
#else
  return lane < kWarps;
#endif
}

extern "C" __global__ void __launch_bounds__(32 * kWarps)
    block_softmax(const float *in, float *out, int columns) {
  __shared__ float partial[32], result;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  in += blockIdx.x * columns;
  out += blockIdx.x * columns;

  float largest = -INFINITY;
  for (int column = threadIdx.x; column < columns; column += blockDim.x)
    largest = fmaxf(largest, in[column]);
  largest = maximumOfWarp(largest);
  if (lane == 0)
    partial[warp] = largest;
  __syncthreads();
  if (warp == 0) {
    largest = maximumOfWarp(hasPartial(lane) ? partial[lane] : -INFINITY);
    if (lane == 0)
      result = largest;
  }
  __syncthreads();
  largest = result;

  float sum = 0;
  for (int column = threadIdx.x; column < columns; column += blockDim.x)
    sum += expf(in[column] - largest);
  sum = sumOfWarp(sum);
  if (lane == 0)
    partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = sumOfWarp(hasPartial(lane) ? partial[lane] : 0);
    if (lane == 0)
      result = sum;
  }
  __syncthreads();
  for (int column = threadIdx.x; column < columns; column += blockDim.x)
    out[column] = expf(in[column] - largest) / result;
}
