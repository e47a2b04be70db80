//===- Conversions.cu - Numbers of one type as those of another -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void floats_to_integers(const float *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[i];
  out += 12 * i;
  out[0] = __float2int_rn(x);
  out[1] = __float2int_rz(x);
  out[2] = __float2int_ru(x);
  out[3] = __float2int_rd(x);
  out[4] = __float2uint_rn(x);
  out[5] = __float2uint_rd(x);
  const long long wide = __float2ll_rn(x);
  const unsigned long long natural = __float2ull_rz(x);
  out[6] = int(wide);
  out[7] = int(wide >> 32);
  out[8] = int(natural);
  out[9] = int(natural >> 32);
  out[10] = (signed char)x;
  out[11] = (unsigned short)x;
}

/// The 16-bit floats are those nearest to x and, of f16, towards zero.
extern "C" __global__ void floats_to_floats(const float *in, float *out,
                                            double *wide) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[i];
  out += 8 * i;
  out[0] = __half2float(__float2half_rn(x));
  out[1] = __half2float(__float2half_rz(x));
  out[2] = __bfloat162float(__float2bfloat16_rn(x));
  out[3] = rintf(x);
  out[4] = floorf(x);
  out[5] = ceilf(x);
  out[6] = truncf(x);
  const double large = double(x) * 1.000000059604645;
  out[7] = __double2float_rn(large);
  wide[i] = large;
}

extern "C" __global__ void integers_to_floats(const long long *in, float *out,
                                              double *wide) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long long x = in[i];
  out += 6 * i;
  out[0] = __int2float_rn(int(x));
  out[1] = __uint2float_rn(unsigned(x));
  out[2] = __ll2float_rn(x);
  out[3] = __ull2float_rn(x);
  out[4] = __int2float_rz(int(x));
  out[5] = __half2float(__int2half_rn(int(x) >> 16));
  wide[2 * i] = __ll2double_rn(x);
  wide[2 * i + 1] = __uint2double_rn(unsigned(x));
}
