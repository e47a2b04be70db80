//===- IntegerBits.cu - Integer arithmetic and operations on bits ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

extern "C" __global__ void integers_32(const unsigned *a, const unsigned *b,
                                       unsigned *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = a[i], y = b[i];
  const int s = x, t = y;
  out += 24 * i;
  out[0] = x / y;
  out[1] = x % y;
  out[2] = s / t;
  out[3] = s % t;
  out[4] = __umulhi(x, y);
  out[5] = __mulhi(s, t);
  out[6] = __popc(x);
  out[7] = __clz(x);
  out[8] = __brev(x);
  out[9] = __ffs(x);
  out[10] = __funnelshift_l(x, y, y);
  out[11] = __funnelshift_r(x, y, y);
  out[12] = __funnelshift_lc(x, y, y & 63);
  out[13] = __funnelshift_rc(x, y, y & 63);
  out[14] = __byte_perm(x, y, x >> 7);
  out[15] = __usad(x, y, 5);
  out[16] = __mul24(s, t);
  out[17] = s >> (y & 31);
  out[18] = s / 7 + x % 10;
  out[19] = (unsigned short)x * (unsigned short)y + (short)x * (short)y;
  out[20] = (signed char)x + (unsigned char)y;
  out[21] = min(s, t) ^ max(x, y);
  out[22] = (x & y) | (~x & 0x0f0f0f0f) ^ y;
  out[23] = __double2int_rn(double(s) / 3) + __float2uint_rz(float(y) / 5);
}

extern "C" __global__ void integers_64(const unsigned long long *a,
                                       const unsigned long long *b,
                                       unsigned long long *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long x = a[i], y = b[i];
  const long long s = x, t = y;
  out += 13 * i;
  out[0] = x / y;
  out[1] = x % y;
  out[2] = s / t;
  out[3] = s % t;
  out[4] = x * y;
  out[5] = __umul64hi(x, y);
  out[6] = __mul64hi(s, t);
  out[7] = __popcll(x) + 100 * __clzll(y);
  out[8] = __brevll(x);
  out[9] = (unsigned long long)(unsigned)x * (unsigned)y;
  out[10] = (long long)(int)x * (int)y + t;
  out[11] = (s >> (y & 63)) ^ (x << (y & 31));
  out[12] = min(s, t) + max(x, y);
}
