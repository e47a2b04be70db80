//===- TiledProduct.cu - Product of f32 matrices by tiles -----------------===//
//
// Part of the Delta-Net project.
//
// MISSING_BARRIER: tiles are overwritten while others may still read them.
// DIVERGENT_BARRIER: only threads with an element of the result wait.
//
//===----------------------------------------------------------------------===//

constexpr int kTile = 16;

extern "C" __global__ void tiled_product(const float *a, const float *b,
                                         float *c, int rows, int columns,
                                         int depth) {
  __shared__ float aTile[kTile][kTile], bTile[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < depth; first += kTile) {
    aTile[y][x] =
        row < rows && first + x < depth ? a[row * depth + first + x] : 0;
    bTile[y][x] = column < columns && first + y < depth
                      ? b[(first + y) * columns + column]
                      : 0;
#ifdef DIVERGENT_BARRIER
    if (column < columns)
#endif
      __syncthreads();
    for (int k = 0; k < kTile; ++k)
      sum = fmaf(aTile[y][k], bTile[k][x], sum);
#ifndef MISSING_BARRIER
    __syncthreads();
#endif
  }
  if (row < rows && column < columns)
    c[row * columns + column] = sum;
}
