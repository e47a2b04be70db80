//===- StructParameter.cu - A structure that is a parameter ---------------===//
//
// Part of the Delta-Net project.
//
// Its array is read with an index that only the thread knows.
//
//===----------------------------------------------------------------------===//

struct Layout {
  char kind;
  short strides[6];
  double scale;
  float4 bias;
};

extern "C" __global__ void struct_parameter(const float4 *__restrict__ in,
                                            const Layout layout,
                                            float4 *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 value = __ldg(&in[i * layout.strides[threadIdx.x % 6]]);
  value.x = float(value.x * layout.scale) + layout.bias.x;
  value.y = layout.kind == 'n' ? -value.y : value.y + layout.bias.y;
  value.z += layout.bias.z;
  value.w *= layout.bias.w;
  out[i] = value;
}
