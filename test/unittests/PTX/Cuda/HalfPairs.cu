//===- HalfPairs.cu - Arithmetic of pairs of 16-bit floats ----------------===//
//
// Part of the Delta-Net project.
//
// Nine results of each pair of elements of a and b.
//
//===----------------------------------------------------------------------===//

#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename Pair>
__device__ void compute(const Pair *a, const Pair *b, Pair *out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const Pair x = a[i], y = b[i];
  out += 9 * i;
  out[0] = __hadd2(x, y);
  out[1] = __hsub2(x, y);
  out[2] = __hmul2(x, y);
  out[3] = __hfma2(x, y, x);
  out[4] = __hmax2(x, y);
  out[5] = __hmin2(x, y);
  out[6] = __hneg2(x);
  out[7] = __habs2(y);
  out[8] = Pair(__high2float(x) * 1.5f + __low2float(y), __low2float(x) * 3);
}

extern "C" __global__ void half_pairs(const __half2 *a, const __half2 *b,
                                      __half2 *out, int count) {
  compute(a, b, out, count);
}

extern "C" __global__ void bfloat_pairs(const __nv_bfloat162 *a,
                                        const __nv_bfloat162 *b,
                                        __nv_bfloat162 *out, int count) {
  compute(a, b, out, count);
}
