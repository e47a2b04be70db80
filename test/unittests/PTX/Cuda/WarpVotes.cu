//===- WarpVotes.cu - What the threads of a warp tell each other ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

extern "C" __global__ void warp_votes(const int *in, unsigned *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const int value = in[i];
  out += 14 * i;
  out[0] = __reduce_add_sync(~0u, value);
  out[1] = __reduce_min_sync(~0u, value);
  out[2] = __reduce_max_sync(~0u, unsigned(value));
  out[3] = __reduce_xor_sync(~0u, unsigned(value));
  out[4] = __ballot_sync(~0u, value & 1);
  out[5] = __any_sync(~0u, value == 7) + 2 * __all_sync(~0u, value > -100);
  out[6] = __match_any_sync(~0u, value);
  int isSame;
  out[7] = __match_all_sync(~0u, value / 1000, &isSame);
  out[8] = isSame;
  out[9] = __shfl_sync(~0u, value, value & 31);
  out[10] = __shfl_down_sync(~0u, value, 3, 16);
  out[11] = __shfl_xor_sync(~0u, value, 5);
  // A part of the warp, which differs between warps.
  out[12] = 0;
  out[13] = 0;
  const unsigned odd = __ballot_sync(~0u, value & 1);
  if (value & 1) {
    out[12] = __reduce_add_sync(odd, lane) + 1000 * __popc(__activemask());
    out[13] = __ballot_sync(odd, value & 2);
  }
}
