//===- Operands.c - The pointers of dn_args as a list of tensors ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "Operands.h"

#include <stddef.h>

int64_t dn_type_bytes(uint32_t type) {
  switch (type) {
  case DN_TYPE_F32:
  case DN_TYPE_I32:
    return 4;
  case DN_TYPE_BF16:
  case DN_TYPE_F16:
    return 2;
  case DN_TYPE_I64:
    return 8;
  default:
    return 0;
  }
}

static dn_operand *append(dn_operands *operands, const char *name,
                          const void *pointer, uint32_t type) {
  dn_operand *x = &operands->list[operands->count++];
  *x = (dn_operand){.name = name, .pointer = pointer, .type = type};
  x->taken = true;
  x->outer = x->inner = 1;
  return x;
}

/// Appends a tensor [T, heads, width].
static dn_operand *append_tokens(dn_operands *operands, const char *name,
                                 const void *pointer, uint32_t type,
                                 int64_t tokens, int64_t token_stride,
                                 int64_t heads, int64_t head_stride,
                                 int64_t width) {
  dn_operand *x = append(operands, name, pointer, type);
  x->outer_name = "token";
  x->outer = tokens;
  x->outer_stride = token_stride;
  x->inner = heads;
  x->inner_stride = head_stride;
  x->row = width;
  x->channels = true;
  return x;
}

/// Appends a state [N, HV, K*V].
static dn_operand *append_state(dn_operands *operands, const char *name,
                                const void *pointer, const dn_kernel *kernel,
                                int64_t sequences, int64_t sequence_stride,
                                int64_t head_stride) {
  dn_operand *x = append(operands, name, pointer, kernel->state_type);
  x->outer_name = "sequence";
  x->outer = sequences;
  x->outer_stride = sequence_stride;
  x->inner = kernel->hv;
  x->inner_stride = head_stride;
  x->row = kernel->k * kernel->v;
  x->channels = true;
  return x;
}

dn_operands dn_list_operands(const dn_kernel *kernel, const dn_args *args) {
  int64_t h = kernel->h, hv = kernel->hv, k = kernel->k, v = kernel->v;
  int64_t t = args->tokens, n = args->sequences;
  uint32_t io = kernel->io_type, takes = kernel->operands;
  dn_operands operands = {.count = 0};
  dn_operand *x;

  append_tokens(&operands, "q", args->q, io, t, args->q_token_stride, h,
                args->q_head_stride, k);
  append_tokens(&operands, "k", args->k, io, t, args->k_token_stride, h,
                args->k_head_stride, k);
  append_tokens(&operands, "v", args->v, io, t, args->v_token_stride, hv,
                args->v_head_stride, v);
  // Heads of g and beta have no stride: all heads of a token are one row.
  x = append_tokens(&operands, "g", args->g, DN_TYPE_F32, t,
                    args->g_token_stride, 1, 0, hv);
  x->taken = takes & DN_OPERAND_G;
  x->channels = false;
  x = append_tokens(&operands, "beta", args->beta, DN_TYPE_F32, t,
                    args->beta_token_stride, 1, 0, hv);
  x->channels = false;
  x = append_state(&operands, "state_in", args->state_in, kernel, n,
                   args->state_in_sequence_stride, args->state_in_head_stride);
  x->taken = takes & DN_OPERAND_STATE_IN;
  x = append(&operands, "cu_seqlens", args->cu_seqlens, kernel->index_type);
  x->taken = takes & DN_OPERAND_CU_SEQLENS;
  x->row = n + 1;
  x = append_tokens(&operands, "o", args->o, io, t, args->o_token_stride, hv,
                    args->o_head_stride, v);
  x->output = true;
  x = append_state(&operands, "state_out", args->state_out, kernel, n,
                   args->state_out_sequence_stride,
                   args->state_out_head_stride);
  x->taken = takes & DN_OPERAND_STATE_OUT;
  x->output = true;
  return operands;
}
