//===- case_47.c - A C caller of a kernel through its header --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "case_47_kernels.h"
#include "deltanet-c/runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS = 21, HEADS = 2, DIM = 16, ROW = HEADS * DIM };

/// Where token t of a tensor begins: behind `offset`, every `stride` elements.
typedef struct layout {
  int64_t offset, stride;
} layout;

static float *fill(layout where, int rows, unsigned seed) {
  float *memory = malloc(sizeof(float) * (where.offset + TOKENS * where.stride));
  for (int t = 0; t < TOKENS; ++t)
    for (int i = 0; i < rows; ++i) {
      seed = seed * 1664525u + 1013904223u;
      memory[where.offset + t * where.stride + i] =
          (float)(seed >> 8) / 16777216.0f - 0.5f;
    }
  return memory;
}

/// Runs the kernel on tensors laid out as `where`; `o` gets the packed outputs.
static void call(const dn_kernel *kernel, layout where, float *o) {
  float *q = fill(where, ROW, 1), *k = fill(where, ROW, 2),
        *v = fill(where, ROW, 3), *beta = fill(where, HEADS, 4),
        *out = fill(where, ROW, 5);
  dn_args args = {0};
  args.size = sizeof args;
  args.tokens = TOKENS;
  args.sequences = 1;
  args.q = q + where.offset;
  args.k = k + where.offset;
  args.v = v + where.offset;
  args.beta = beta + where.offset;
  args.o = out + where.offset;
  args.q_token_stride = args.k_token_stride = args.v_token_stride =
      args.o_token_stride = args.beta_token_stride = where.stride;
  args.q_head_stride = args.k_head_stride = args.v_head_stride =
      args.o_head_stride = DIM;
  args.workspace_bytes = kernel->workspace_bytes(&args);
  args.workspace = aligned_alloc(64, (args.workspace_bytes + 64) / 64 * 64);

  char message[DN_MESSAGE_BYTES];
  if (dn_check(kernel, &args, message, sizeof message) != DN_OK ||
      dn_run(kernel, &args, NULL) != DN_OK) {
    puts(message);
    exit(1);
  }
  for (int t = 0; t < TOKENS; ++t)
    memcpy(o + t * ROW, out + where.offset + t * where.stride,
           ROW * sizeof(float));
  free(q), free(k), free(v), free(beta), free(out), free(args.workspace);
}

int main(void) {
  dn_selection chosen;
  if (dn_select(&dn_case_47, &chosen) != DN_OK)
    return puts(chosen.reason), 1;
  static float packed[TOKENS * ROW], strided[TOKENS * ROW];
  call(chosen.kernel, (layout){0, ROW}, packed);
  call(chosen.kernel, (layout){7, ROW + 9}, strided);
  puts(memcmp(packed, strided, sizeof packed) ? "strided rows: other bits"
                                              : "strided rows: same bits");

  dn_args args = {0};
  args.size = sizeof args;
  args.tokens = -1;
  args.sequences = 1;
  char message[DN_MESSAGE_BYTES];
  if (dn_check(chosen.kernel, &args, message, sizeof message) ==
      DN_ERROR_COUNT)
    printf("bad count: %s\n", message);
  return 0;
}
