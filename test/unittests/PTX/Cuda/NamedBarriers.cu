//===- NamedBarriers.cu - Producers and consumers at their own barriers ---===//
//
// Part of the Delta-Net project.
//
// DEADLOCK: nobody says that a place has become free again.
//
//===----------------------------------------------------------------------===//

constexpr int kFull = 1, kFree = 2; // barriers
constexpr int kHalf = 64;           // threads

__device__ void wait(int barrier) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(2 * kHalf) : "memory");
}

__device__ void arrive(int barrier) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(2 * kHalf) : "memory");
}

/// The first half of the block fills a buffer, the second empties it.
extern "C" __global__ void __launch_bounds__(2 * kHalf)
    named_barriers(const int *in, int *out, int rounds) {
  __shared__ int buffer[kHalf];
  const int own = threadIdx.x % kHalf;
  if (threadIdx.x < kHalf) {
    for (int round = 0; round < rounds; ++round) {
      wait(kFree);
      buffer[own] = in[round * kHalf + own] + round;
      arrive(kFull);
    }
  } else {
#ifndef DEADLOCK
    arrive(kFree);
#endif
    for (int round = 0; round < rounds; ++round) {
      wait(kFull);
      out[round * kHalf + own] = 3 * buffer[kHalf - 1 - own];
      if (round + 1 < rounds)
        arrive(kFree);
    }
  }
}
