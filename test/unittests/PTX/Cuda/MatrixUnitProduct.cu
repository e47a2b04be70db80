//===- MatrixUnitProduct.cu - Product of bf16 matrices --------------------===//
//
// Part of the Delta-Net project.
//
// A warp has 16x16 elements of the result, in two m16n8k16 fragments.
//
//===----------------------------------------------------------------------===//

#include <cuda_bf16.h>

constexpr int kPitch = 24; // so that rows of 48 bytes meet all banks

__device__ unsigned sharedAddress(const void *pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0,
                         unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// All sizes are multiples of 16; a block is one warp.
extern "C" __global__ void matrix_unit_product(const __nv_bfloat16 *a,
                                               const __nv_bfloat16 *b,
                                               __nv_bfloat16 *c, int columns,
                                               int depth) {
  __shared__ __align__(16) __nv_bfloat16 aTile[16 * kPitch];
  __shared__ __align__(16) __nv_bfloat16 bTile[16 * kPitch];
  const int lane = threadIdx.x;
  const int firstRow = blockIdx.y * 16, firstColumn = blockIdx.x * 16;
  float left[4] = {}, right[4] = {};
  for (int first = 0; first < depth; first += 16) {
    // Each lane copies 16 bytes of each tile.
    const int row = lane / 2, column = lane % 2 * 8;
    *reinterpret_cast<uint4 *>(&aTile[row * kPitch + column]) =
        *reinterpret_cast<const uint4 *>(
            &a[(firstRow + row) * depth + first + column]);
    *reinterpret_cast<uint4 *>(&bTile[row * kPitch + column]) =
        *reinterpret_cast<const uint4 *>(
            &b[(first + row) * columns + firstColumn + column]);
    __syncwarp();
    const int place = lane % 16 * kPitch + lane / 16 * 8;
    unsigned aPart[4], bPart[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, "
                 "[%4];"
                 : "=r"(aPart[0]), "=r"(aPart[1]), "=r"(aPart[2]),
                   "=r"(aPart[3])
                 : "r"(sharedAddress(&aTile[place]))
                 : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(bPart[0]), "=r"(bPart[1]), "=r"(bPart[2]),
                   "=r"(bPart[3])
                 : "r"(sharedAddress(&bTile[place]))
                 : "memory");
    multiply(left, aPart, bPart[0], bPart[1]);
    multiply(right, aPart, bPart[2], bPart[3]);
    __syncwarp();
  }
  const int row = firstRow + lane / 4, column = firstColumn + lane % 4 * 2;
  for (int half = 0; half < 2; ++half) {
    auto *out = reinterpret_cast<__nv_bfloat162 *>(
        &c[(row + 8 * half) * columns + column]);
    out[0] = __floats2bfloat162_rn(left[2 * half], left[2 * half + 1]);
    out[4] = __floats2bfloat162_rn(right[2 * half], right[2 * half + 1]);
  }
}
