//===- CallDescription.cpp - A call as the C ABI describes it -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CallDescription.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

dn_args verification::describeCall(const dn_kernel &kernel,
                                   const Problem &problem,
                                   const CallTensors &tensors) {
  dn_args args = {};
  args.size = sizeof(dn_args);
  args.tokens = problem.tokens;
  args.sequences = problem.sequences;
  args.q = tensors.q.data;
  args.k = tensors.k.data;
  args.v = tensors.v.data;
  args.g = reinterpret_cast<const float *>(tensors.g.data);
  args.beta = reinterpret_cast<const float *>(tensors.beta.data);
  args.state_in = reinterpret_cast<const float *>(tensors.stateIn.data);
  args.cu_seqlens = tensors.cuSeqlens.data;
  args.o = tensors.o.data;
  args.state_out = reinterpret_cast<float *>(tensors.stateOut.data);
  args.q_token_stride = tensors.q.outerStride;
  args.q_head_stride = tensors.q.middleStride;
  args.k_token_stride = tensors.k.outerStride;
  args.k_head_stride = tensors.k.middleStride;
  args.v_token_stride = tensors.v.outerStride;
  args.v_head_stride = tensors.v.middleStride;
  args.o_token_stride = tensors.o.outerStride;
  args.o_head_stride = tensors.o.middleStride;
  args.g_token_stride = tensors.g.outerStride;
  args.beta_token_stride = tensors.beta.outerStride;
  args.state_in_sequence_stride = tensors.stateIn.outerStride;
  args.state_in_head_stride = tensors.stateIn.middleStride;
  args.state_out_sequence_stride = tensors.stateOut.outerStride;
  args.state_out_head_stride = tensors.stateOut.middleStride;
  if (float(problem.facts.scale) != kernel.scale) {
    args.scale = float(problem.facts.scale);
    args.flags |= DN_FLAG_SCALE;
  }
  return args;
}
