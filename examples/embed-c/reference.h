//===- reference.h - The rule in float64, one token at a time -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef EMBED_C_REFERENCE_H
#define EMBED_C_REFERENCE_H

#include <deltanet-c/kernel_abi.h>

/// Element `i` of an array of bf16 or f32, and the rounded way back.
double load_element(uint32_t type, const void *array, int64_t i);
void store_element(uint32_t type, void *array, int64_t i, double value);

/// Runs one token of one value head and returns its output in `o` [V]:
///
///   S <- e^g S;  d = beta (v - S'k);  S <- S + k d';  o = scale S'q
///
/// q, k [K] and v [V] are rows as the kernel sees them; `state` is S as [K,V],
/// whatever the kernel's layout. K is at most 256.
void reference_token(const dn_kernel *kernel, const void *q, const void *k,
                     const void *v, double g, double beta, double *state,
                     double *o);

/// The key head that value head `head` reads.
int64_t key_head(const dn_kernel *kernel, int64_t head);

/// Index of S[k][v] of one head in the kernel's state memory.
int64_t state_index(const dn_kernel *kernel, int64_t k, int64_t v);

#endif // EMBED_C_REFERENCE_H
