//===- reference.c - The rule in float64, one token at a time -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "reference.h"

#include <math.h>
#include <string.h>

double load_element(uint32_t type, const void *array, int64_t i) {
  if (type == DN_TYPE_F32)
    return ((const float *)array)[i];
  // 16 bits are bf16 here, the upper half of an f32; f16 would need another
  // way.
  uint32_t bits = (uint32_t)((const uint16_t *)array)[i] << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

void store_element(uint32_t type, void *array, int64_t i, double value) {
  float single = (float)value;
  if (type == DN_TYPE_F32) {
    ((float *)array)[i] = single;
    return;
  }
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  bits += 0x7fff + (bits >> 16 & 1); // to nearest, ties to even
  ((uint16_t *)array)[i] = (uint16_t)(bits >> 16);
}

int64_t key_head(const dn_kernel *kernel, int64_t head) {
  return kernel->head_map == DN_HEAD_MAP_GROUPED
             ? head / (kernel->hv / kernel->h)
             : head % kernel->h;
}

int64_t state_index(const dn_kernel *kernel, int64_t k, int64_t v) {
  return kernel->state_layout == DN_STATE_LAYOUT_KV ? k * kernel->v + v
                                                    : v * kernel->k + k;
}

/// Reads a row of q or k, normalised if the kernel does so.
static void load_row(const dn_kernel *kernel, const void *row, double *out) {
  double squares = 0;
  for (int64_t i = 0; i < kernel->k; ++i) {
    out[i] = load_element(kernel->io_type, row, i);
    squares += out[i] * out[i];
  }
  if (kernel->l2norm_eps < 0)
    return;
  double factor = 1 / sqrt(squares + kernel->l2norm_eps);
  for (int64_t i = 0; i < kernel->k; ++i)
    out[i] *= factor;
}

void reference_token(const dn_kernel *kernel, const void *q, const void *k,
                     const void *v, double g, double beta, double *state,
                     double *o) {
  const int64_t K = kernel->k, V = kernel->v;
  double query[256], key[256];
  load_row(kernel, q, query);
  load_row(kernel, k, key);

  for (int64_t i = 0; i < K * V; ++i)
    state[i] *= exp(g);
  for (int64_t j = 0; j < V; ++j) {
    double remembered = 0;
    for (int64_t i = 0; i < K; ++i)
      remembered += state[i * V + j] * key[i];
    double delta = beta * (load_element(kernel->io_type, v, j) - remembered);
    o[j] = 0;
    for (int64_t i = 0; i < K; ++i) {
      state[i * V + j] += key[i] * delta;
      o[j] += kernel->scale * state[i * V + j] * query[i];
    }
  }
}
