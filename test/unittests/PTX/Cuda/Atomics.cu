//===- Atomics.cu - Atomic changes of global and shared memory ------------===//
//
// Part of the Delta-Net project.
//
// Results that do not depend on the order of threads.
//
//===----------------------------------------------------------------------===//

/// The greatest of floats, for which there is no atomic instruction.
__device__ void greatest(float *place, float value) {
  int *bits = reinterpret_cast<int *>(place);
  int old = atomicOr(bits, 0);
  while (__int_as_float(old) < value) {
    const int seen = atomicCAS(bits, old, __float_as_int(value));
    if (seen == old)
      break;
    old = seen;
  }
}

extern "C" __global__ void atomics_32(const int *in, int *out,
                                      unsigned *tickets) {
  __shared__ int own[2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i];
  if (threadIdx.x < 2)
    own[threadIdx.x] = threadIdx.x ? INT_MAX : 0;
  __syncthreads();
  atomicAdd(&out[0], value);
  atomicSub(&out[1], value);
  atomicMin(&out[2], value);
  atomicMax(&out[3], value);
  auto *bits = reinterpret_cast<unsigned *>(out);
  atomicMin(&bits[4], unsigned(value));
  atomicMax(&bits[5], unsigned(value));
  atomicAnd(&bits[6], unsigned(value));
  atomicOr(&bits[7], unsigned(value));
  atomicXor(&bits[8], unsigned(value));
  atomicInc(&bits[9], 6);
  atomicDec(&bits[10], 6);
  tickets[atomicAdd(&bits[11], 1u)] = i;
  atomicAdd(&own[0], value);
  atomicMin(&own[1], value);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&out[12], own[0]);
    atomicAdd(&out[13], own[1]);
  }
}

extern "C" __global__ void atomics_64(const long long *in, long long *out,
                                      double *sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long long value = in[i];
  auto *bits = reinterpret_cast<unsigned long long *>(out);
  atomicAdd(&bits[0], (unsigned long long)value);
  atomicMin(&out[1], value);
  atomicMax(&bits[2], (unsigned long long)value);
  atomicAnd(&bits[3], (unsigned long long)value);
  atomicXor(&bits[4], (unsigned long long)value);
  if (i == 5)
    atomicExch(&bits[5], (unsigned long long)value);
  atomicCAS(&bits[6], (unsigned long long)i, (unsigned long long)i + 1000);
  atomicAdd(sum, double(value % 1000));
}

extern "C" __global__ void atomics_float(const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&out[0], in[i]);
  greatest(&out[1], in[i]);
}
