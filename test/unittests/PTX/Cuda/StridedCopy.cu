//===- StridedCopy.cu - Rows copied with 64-bit indices -------------------===//
//
// Part of the Delta-Net project.
//
// MISALIGNED: four elements are read where only one is sure to be aligned.
//
//===----------------------------------------------------------------------===//

extern "C" __global__ void strided_copy(const float *in, long long inStride,
                                        float *out, long long outStride,
                                        long long rows, long long columns) {
  const long long threads = (long long)gridDim.x * blockDim.x;
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < rows * columns; i += threads) {
    const long long row = i / columns, column = i % columns;
    out[row * outStride + column] = in[row * inStride + column];
  }
}

/// Columns are a multiple of 4, and so are strides.
extern "C" __global__ void vector_copy(const float *in, long long inStride,
                                       float *out, long long outStride,
                                       long long rows, long long columns) {
#ifdef MISALIGNED
  ++inStride;
#endif
  const long long vectors = columns / 4;
  const long long threads = (long long)gridDim.x * blockDim.x;
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < rows * vectors; i += threads) {
    const long long row = i / vectors, column = i % vectors * 4;
    *reinterpret_cast<float4 *>(&out[row * outStride + column]) =
        *reinterpret_cast<const float4 *>(&in[row * inStride + column]);
  }
}
