// The README's C excerpt between the declarations that it takes for granted.
#include "gdn.h"

#include <deltanet-c/runtime.h>

#include <stdio.h>
#include <stdlib.h>

static int fail(const char *reason) {
  fprintf(stderr, "%s\n", reason);
  return 1;
}

static int layer(int64_t T, const void *q, const void *k, const void *v,
                 const float *g, const float *beta, float *s, void *o,
                 dn_pool *pool) {
#include "excerpt.inc"
  free(args.workspace);
  return 0;
}

int main(void) {
  enum { T = 3, H = 16, HV = 32, K = 128, V = 128 };
  // Zeros in, zeros out: what the numbers are is tested elsewhere.
  void *qk = calloc(T * H * K, 2), *v = calloc(T * HV * V, 2);
  float *gates = calloc(T * HV, 4), *s = calloc(HV * K * V, 4);
  uint16_t *o = malloc(T * HV * V * 2);
  if (layer(T, qk, qk, v, gates, gates, s, o, NULL))
    return 1;
  for (int i = 0; i < T * HV * V; ++i)
    if (o[i])
      return fail("expected zeros");
  free(qk), free(v), free(gates), free(s), free(o);
  return puts("ran") < 0;
}
