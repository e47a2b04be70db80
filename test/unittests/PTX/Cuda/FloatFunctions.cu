//===- FloatFunctions.cu - Functions of f32 numbers -----------------------===//
//
// Part of the Delta-Net project.
//
// x is positive.
//
//===----------------------------------------------------------------------===//

extern "C" __global__ void float_functions(const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[i];
  out += 12 * i;
  out[0] = expf(-x);
  out[1] = logf(x);
  out[2] = tanhf(x);
  out[3] = log1pf(x);
  out[4] = expm1f(x);
  out[5] = powf(x, 1.5f);
  out[6] = rsqrtf(x);
  out[7] = erff(x);
  out[8] = exp2f(x);
  out[9] = __expf(x);
  out[10] = __logf(x);
  out[11] = __fdividef(1, x);
}

/// Results that are rounded as IEEE 754 says.
extern "C" __global__ void rounded_floats(const float *a, const float *b,
                                          float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = a[i], y = b[i];
  out += 14 * i;
  out[0] = x / y;
  out[1] = sqrtf(fabsf(x));
  out[2] = __frcp_rn(y);
  out[3] = __fadd_ru(x, y);
  out[4] = __fadd_rd(x, y);
  out[5] = __fadd_rz(x, y);
  out[6] = __fmul_ru(x, y);
  out[7] = __fmul_rz(x, y);
  out[8] = __fmaf_rd(x, y, x);
  out[9] = __fmaf_rn(x, y, -x);
  out[10] = __fsub_rn(x, y);
  out[11] = fminf(x, y);
  out[12] = fmaxf(x, y);
  out[13] = copysignf(x, y);
}
