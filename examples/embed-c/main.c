//===- main.c - Two delta rule kernels in a C program ---------------------===//
//
// Part of the Delta-Net project.
//
// What an inference engine does with a kernel: select a variant once, keep the
// state, run a prompt of several tokens a sequence, then one token at a time.
// Every output is compared with the recurrence of reference.c.
//
//===----------------------------------------------------------------------===//
#include "gated.h"
#include "plain.h"
#include "reference.h"

#include <deltanet-c/runtime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_SEQUENCES = 3, DECODE_STEPS = 8 };

/// A layer of a model: its kernel and the state it keeps between calls.
struct layer {
  const dn_kernel *kernel;
  dn_pool *pool;
  int64_t sequences;
  float *state;      ///< [N,HV,K,V] or [N,HV,V,K]
  double *reference; ///< [N,HV,K,V]
};

/// Sums for RMS(error) / RMS(reference).
struct error {
  double difference, reference;
};

static void *allocate(int64_t bytes) {
  // 64 bytes suit a workspace; tensors need no more than their element.
  void *memory = aligned_alloc(64, ((size_t)bytes + 64) / 64 * 64);
  if (!memory) {
    fprintf(stderr, "embed: out of memory\n");
    exit(1);
  }
  return memory;
}

/// Uniform in [low, high), the same on every machine.
static double uniform(double low, double high) {
  static uint64_t state = 20;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static void compare(struct error *error, double got, double expected) {
  error->difference += (got - expected) * (got - expected);
  error->reference += expected * expected;
}

static int report(const char *what, struct error error, double limit) {
  double relative = sqrt(error.difference / error.reference);
  int passed = relative <= limit; // false for NaN
  printf("  %-8s error %.1e, limit %.1e: %s\n", what, relative, limit,
         passed ? "ok" : "FAILED");
  return passed;
}

/// Runs lengths[n] more tokens of each sequence n, with random inputs, and adds
/// the error of their outputs to `error`. Returns 0 if the call was refused.
static int step(struct layer *layer, const int32_t *lengths,
                struct error *error) {
  const dn_kernel *kernel = layer->kernel;
  const int64_t H = kernel->h, HV = kernel->hv, K = kernel->k, V = kernel->v;
  const uint32_t type = kernel->io_type;
  const int64_t element = type == DN_TYPE_F32 ? 4 : 2;
  int32_t cu_seqlens[MAX_SEQUENCES + 1] = {0};
  for (int64_t n = 0; n < layer->sequences; ++n)
    cu_seqlens[n + 1] = cu_seqlens[n] + lengths[n];
  const int64_t T = cu_seqlens[layer->sequences];

  // q, k and v are views of one packed row a token, as a projection writes it.
  const int64_t row = 2 * H * K + HV * V;
  char *packed = allocate(T * row * element);
  for (int64_t i = 0; i < T * row; ++i)
    store_element(type, packed, i, uniform(-1, 1));
  float *g = allocate(T * HV * 4), *beta = allocate(T * HV * 4);
  for (int64_t i = 0; i < T * HV; ++i) {
    g[i] = (float)-exp(uniform(-6, 1)); // from hardly to strongly forgetting
    beta[i] = (float)uniform(0, 1);
  }
  char *o = allocate(T * HV * V * element);

  dn_args args = {.size = sizeof args};
  args.q = packed;
  args.k = packed + H * K * element;
  args.v = packed + 2 * H * K * element;
  args.beta = beta;
  args.o = o;
  args.tokens = T;
  args.sequences = layer->sequences;
  args.q_token_stride = args.k_token_stride = args.v_token_stride = row;
  args.q_head_stride = args.k_head_stride = K;
  args.v_head_stride = V;
  args.o_token_stride = HV * V;
  args.o_head_stride = V;
  args.beta_token_stride = HV;
  if (kernel->operands & DN_OPERAND_G) {
    args.g = g;
    args.g_token_stride = HV;
  }
  if (kernel->operands & DN_OPERAND_CU_SEQLENS)
    args.cu_seqlens = cu_seqlens;
  // The state is updated in place.
  args.state_in = args.state_out = layer->state;
  args.state_in_sequence_stride = args.state_out_sequence_stride = HV * K * V;
  args.state_in_head_stride = args.state_out_head_stride = K * V;
  args.workspace_bytes = kernel->workspace_bytes(&args);
  args.workspace = allocate((int64_t)args.workspace_bytes);

  char message[DN_MESSAGE_BYTES];
  dn_status status = dn_check(kernel, &args, message, sizeof message);
  if (status != DN_OK)
    fprintf(stderr, "embed: %s: %s\n", dn_status_string(status), message);
  else if ((status = dn_run(kernel, &args, layer->pool)) != DN_OK)
    fprintf(stderr, "embed: %s\n", dn_status_string(status));

  double expected[256];
  for (int64_t n = 0; status == DN_OK && n < layer->sequences; ++n)
    for (int64_t t = cu_seqlens[n]; t < cu_seqlens[n + 1]; ++t)
      for (int64_t head = 0; head < HV; ++head) {
        const char *token = packed + t * row * element;
        int64_t h = key_head(kernel, head);
        reference_token(kernel, token + h * K * element,
                        token + (H + h) * K * element,
                        token + (2 * H * K + head * V) * element,
                        args.g ? g[t * HV + head] : 0, beta[t * HV + head],
                        layer->reference + (n * HV + head) * K * V, expected);
        for (int64_t j = 0; j < V; ++j)
          compare(error, load_element(type, o, (t * HV + head) * V + j),
                  expected[j]);
      }

  free(args.workspace);
  free(o);
  free(beta);
  free(g);
  free(packed);
  return status == DN_OK;
}

static struct error compare_states(const struct layer *layer) {
  const dn_kernel *kernel = layer->kernel;
  const int64_t K = kernel->k, V = kernel->v;
  struct error error = {0, 0};
  for (int64_t head = 0; head < layer->sequences * kernel->hv; ++head)
    for (int64_t i = 0; i < K; ++i)
      for (int64_t j = 0; j < V; ++j)
        compare(&error, layer->state[head * K * V + state_index(kernel, i, j)],
                layer->reference[head * K * V + i * V + j]);
  return error;
}

/// Prefill of a prompt, then decode. Returns 1 if all errors are within limits.
static int run_layer(const dn_kernel_set *set, dn_pool *pool,
                     const int32_t *prompt, int64_t sequences) {
  dn_selection chosen;
  dn_status status = dn_select(set, &chosen);
  printf("%s: %s\n", set->name, chosen.reason);
  if (status != DN_OK)
    return 0;

  const dn_kernel *kernel = chosen.kernel;
  if (kernel->io_type != DN_TYPE_F32 && kernel->io_type != DN_TYPE_BF16) {
    fprintf(stderr, "embed: expected a kernel of f32 or bf16\n");
    return 0;
  }
  const int64_t size = sequences * kernel->hv * kernel->k * kernel->v;
  struct layer layer = {kernel, pool, sequences, allocate(size * 4),
                        allocate(size * 8)};
  for (int64_t i = 0; i < size; ++i) {
    layer.state[i] = 0;
    layer.reference[i] = 0;
  }

  const int32_t one[MAX_SEQUENCES] = {1, 1, 1};
  struct error prefill = {0, 0}, decode = {0, 0};
  int passed = step(&layer, prompt, &prefill);
  for (int i = 0; passed && i < DECODE_STEPS; ++i)
    passed = step(&layer, one, &decode);
  if (passed) {
    /* Long sequences of bf16 are products of bf16 where there are tiles. */
    int tiles = kernel->isa == DN_ISA_AMX && kernel->io_type == DN_TYPE_BF16;
    double rounding = tiles ? 4e-3 : 2e-3;
    if (kernel->io_type == DN_TYPE_F32)
      rounding = 1e-5;
    passed &= report("prefill", prefill, rounding);
    passed &= report("decode", decode, rounding);
    passed &= report("state", compare_states(&layer), tiles ? 4e-3 : 1e-5);
  }
  free(layer.reference);
  free(layer.state);
  return passed;
}

int main(void) {
  dn_pool *pool = dn_pool_create(0);
  if (!pool) {
    fprintf(stderr, "embed: no threads\n");
    return 1;
  }
  printf("%d threads\n", dn_pool_threads(pool));
  const int32_t three[] = {70, 0, 21}, one[] = {50};
  int passed = run_layer(&dn_gated, pool, three, 3);
  passed &= run_layer(&dn_plain, pool, one, 1);
  dn_pool_destroy(pool);
  return passed ? 0 : 1;
}
