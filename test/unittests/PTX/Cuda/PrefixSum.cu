//===- PrefixSum.cu - Inclusive sums of what a block has ------------------===//
//
// Part of the Delta-Net project.
//
// Branches that threads of a warp take differently, and loops of different
// lengths.
//
//===----------------------------------------------------------------------===//

extern "C" __global__ void prefix_sum(const int *in, int *out, int count) {
  __shared__ int ofWarps[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < count ? in[i] : 0;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(~0u, sum, distance);
    if (lane >= distance)
      sum += other;
  }
  if (lane == 31)
    ofWarps[warp] = sum;
  __syncthreads();
  if (warp == 0 && lane < blockDim.x / 32) {
    const unsigned members = __activemask();
    int total = ofWarps[lane];
    for (int distance = 1; distance < 32; distance *= 2) {
      const int other = __shfl_up_sync(members, total, distance);
      if (lane >= distance)
        total += other;
    }
    ofWarps[lane] = total;
  }
  __syncthreads();
  if (i < count)
    out[i] = warp ? sum + ofWarps[warp - 1] : sum;
}

/// The number of steps of the Collatz sequence until 1, which differs between
/// the threads of a warp.
extern "C" __global__ void collatz_steps(int *out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  unsigned value = i + 1;
  int steps = 0;
  while (value != 1) {
    if (value % 2 == 0) {
      value /= 2;
    } else {
      if (steps > 100000)
        break;
      value = 3 * value + 1;
    }
    ++steps;
  }
  out[i] = steps;
}
