//===- PackedStrides.c - Strides of tensors in C order --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "deltanet-c/runtime.h"

void dn_set_packed_strides(const dn_kernel *kernel, dn_args *args) {
  int64_t h = kernel->h, hv = kernel->hv, k = kernel->k, v = kernel->v;
  args->q_head_stride = args->k_head_stride = k;
  args->q_token_stride = args->k_token_stride = h * k;
  args->v_head_stride = args->o_head_stride = v;
  args->v_token_stride = args->o_token_stride = hv * v;
  args->g_token_stride = args->beta_token_stride = hv;
  args->state_in_head_stride = args->state_out_head_stride = k * v;
  args->state_in_sequence_stride = args->state_out_sequence_stride = hv * k * v;
}
