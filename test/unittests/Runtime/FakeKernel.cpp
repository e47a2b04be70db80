//===- FakeKernel.cpp - Hand-filled kernel descriptors for runtime tests --===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeKernel.h"

dn_kernel makeFakeKernel(uint32_t isa) {
  dn_kernel kernel = {};
  kernel.size = sizeof kernel;
  kernel.abi_major = DN_ABI_MAJOR;
  kernel.abi_minor = DN_ABI_MINOR;
  kernel.name = "fake";
  kernel.schedules = "none";
  kernel.isa = isa;
  kernel.rule = DN_RULE_GATED;
  kernel.io_type = DN_TYPE_BF16;
  kernel.state_type = DN_TYPE_F32;
  kernel.index_type = DN_TYPE_I32;
  kernel.operands = DN_OPERAND_G | DN_OPERAND_STATE_IN | DN_OPERAND_STATE_OUT |
                    DN_OPERAND_CU_SEQLENS;
  kernel.static_tokens = -1;
  kernel.h = 2;
  kernel.hv = 4;
  kernel.k = 16;
  kernel.v = 32;
  kernel.scale = 0.25f;
  kernel.l2norm_eps = -1;
  kernel.scratch_align = 64;
  kernel.stages = 1;
  kernel.workspace_bytes = [](const dn_args *args) {
    return uint64_t(args->tokens) * 64;
  };
  kernel.items = [](const dn_args *args, uint32_t) {
    return args->sequences * 2;
  };
  kernel.run = [](const dn_args *, uint32_t, void *, int64_t, int64_t) {};
  return kernel;
}

FakeCall::FakeCall() {
  const int64_t T = 8, N = 2, H = 2, HV = 4, K = 16, V = 32;
  q.resize(T * H * K);
  k.resize(T * H * K);
  v.resize(T * HV * V);
  o.resize(T * HV * V);
  g.resize(T * HV);
  beta.resize(T * HV);
  stateIn.resize(N * HV * K * V);
  stateOut.resize(N * HV * K * V);
  cuSeqlens = {0, 3, 8};
  workspace.resize(T * 64 + 64);

  args.size = sizeof args;
  args.q = q.data();
  args.k = k.data();
  args.v = v.data();
  args.g = g.data();
  args.beta = beta.data();
  args.state_in = stateIn.data();
  args.cu_seqlens = cuSeqlens.data();
  args.o = o.data();
  args.state_out = stateOut.data();
  args.tokens = T;
  args.sequences = N;
  args.q_token_stride = args.k_token_stride = H * K;
  args.q_head_stride = args.k_head_stride = K;
  args.v_token_stride = args.o_token_stride = HV * V;
  args.v_head_stride = args.o_head_stride = V;
  args.g_token_stride = args.beta_token_stride = HV;
  args.state_in_sequence_stride = args.state_out_sequence_stride = HV * K * V;
  args.state_in_head_stride = args.state_out_head_stride = K * V;
  args.workspace =
      workspace.data() + (-reinterpret_cast<uintptr_t>(workspace.data()) & 63);
  args.workspace_bytes = T * 64;
}
