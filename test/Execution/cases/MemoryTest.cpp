//===- MemoryTest.cpp - Where tensors lie ---------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Runs.h"
#include "gtest/gtest.h"
#include <sys/mman.h>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

TEST(Cases, Case33_ViewsOfAPackedProjection) {
  KernelSpec spec;
  spec.h = 2;
  spec.hv = 4;
  CompiledKernels kernels(everyAlgorithm(spec));
  Problem problem = makeProblem(spec, {70});
  for (const Variant &variant : kernels.variants()) {
    RunResult packed = run(variant, problem);
    for (Strides strides : {Strides::QKV, Strides::Padded, Strides::Heads}) {
      LibraryRunOptions options;
      options.layout.strides = strides;
      options.layout.misalign = 2;
      RunResult strided = run(variant, problem, options);
      EXPECT_TRUE(sameBits(packed.o, strided.o)) << variant.text();
      EXPECT_TRUE(sameBits(packed.finalState, strided.finalState))
          << variant.text();
    }
  }
}

namespace {
/// Address space whose pages appear when they are touched.
class SparseMemory {
public:
  explicit SparseMemory(size_t bytes)
      : bytes(bytes),
        begin(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~SparseMemory() {
    if (valid())
      munmap(begin, bytes);
  }
  SparseMemory(const SparseMemory &) = delete;

  bool valid() const { return begin != MAP_FAILED; }
  float *data() const { return static_cast<float *>(begin); }

private:
  size_t bytes;
  void *begin;
};
} // namespace

TEST(Cases, Case37_StridesBeyondInt32) {
  // Four tokens of two sequences; tokens and states 2^31 + 64 elements apart.
  constexpr int64_t stride = (int64_t(1) << 31) + 64;
  KernelSpec spec = f32Spec();
  spec.indexType = DN_TYPE_I64;
  spec.h = spec.hv = 1;
  spec.k = spec.v = 16;
  Problem problem = makeProblem(spec, {2, 2});
  ReferenceResult reference = computeReference(problem);
  auto scatter = [&](const std::vector<float> &values, int64_t row,
                     SparseMemory &memory) {
    for (size_t at = 0; at < values.size(); at += row)
      std::copy_n(values.begin() + at, row,
                  memory.data() + int64_t(at) / row * stride);
  };
  auto gather = [&](int64_t rows, int64_t row, const SparseMemory &memory) {
    std::vector<float> values;
    for (int64_t at = 0; at < rows; ++at)
      values.insert(values.end(), memory.data() + at * stride,
                    memory.data() + at * stride + row);
    return values;
  };
  constexpr size_t tokenBytes = (3 * stride + 16) * sizeof(float);
  constexpr size_t stateBytes = (stride + 256) * sizeof(float);
  SparseMemory q(tokenBytes), k(tokenBytes), v(tokenBytes), g(tokenBytes),
      beta(tokenBytes), o(tokenBytes), in(stateBytes), out(stateBytes);
  for (const SparseMemory *memory : {&q, &k, &v, &g, &beta, &o, &in, &out})
    if (!memory->valid())
      GTEST_SKIP() << "no address space for sparse tensors";
  scatter(problem.q, 16, q);
  scatter(problem.k, 16, k);
  scatter(problem.v, 16, v);
  scatter(problem.g, 1, g);
  scatter(problem.beta, 1, beta);
  scatter(problem.stateIn, 256, in);

  CompiledKernels kernels(everyAlgorithm(spec, /*chunk=*/16));
  for (const Variant &variant : kernels.nativeVariants()) {
    dn_args args = {};
    args.size = sizeof(args);
    args.q = q.data();
    args.k = k.data();
    args.v = v.data();
    args.g = g.data();
    args.beta = beta.data();
    args.state_in = in.data();
    args.cu_seqlens = problem.cuSeqlens.data();
    args.o = o.data();
    args.state_out = out.data();
    args.tokens = 4;
    args.sequences = 2;
    args.q_token_stride = args.k_token_stride = args.v_token_stride =
        args.o_token_stride = args.g_token_stride = args.beta_token_stride =
            args.state_in_sequence_stride = args.state_out_sequence_stride =
                stride;
    args.q_head_stride = args.k_head_stride = args.v_head_stride =
        args.o_head_stride = 16;
    args.state_in_head_stride = args.state_out_head_stride = 256;
    args.workspace_bytes = variant.kernel->workspace_bytes(&args);
    SparseMemory workspace(args.workspace_bytes + 1);
    args.workspace = workspace.data();
    char message[DN_MESSAGE_BYTES];
    ASSERT_EQ(dn_check(variant.kernel, &args, message, sizeof(message)), DN_OK)
        << message;
    ASSERT_EQ(dn_run(variant.kernel, &args, nullptr), DN_OK);
    RunResult result;
    result.o = gather(4, 16, o);
    result.finalState = gather(2, 256, out);
    expectReference(variant, problem, result, reference);
  }
}

TEST(Cases, Case54_LongPromptsNeedLittleWorkspace) {
  KernelSpec spec;
  spec.h = 16;
  spec.hv = 32;
  CompiledKernels kernels(everyAlgorithm(spec));
  for (const Variant &variant : kernels.variants()) {
    // The host computes what a GPU needs.
    if (!variant.isNative && !variant.isForGpu())
      continue;
    dn_args args = {};
    args.size = sizeof(args);
    args.sequences = 1;
    args.tokens = 4096;
    uint64_t half = variant.kernel->workspace_bytes(&args);
    args.tokens = 8192;
    uint64_t whole = variant.kernel->workspace_bytes(&args);
    EXPECT_LT(whole, uint64_t(512) << 20) << variant.text();
    // Not worse than proportional to T.
    EXPECT_LE(whole, 2 * half) << variant.text();
    EXPECT_LT(variant.kernel->scratch_bytes, uint64_t(16) << 20)
        << variant.text();
  }
}

TEST(Cases, Case54_LongPromptsAreRight) {
  KernelSpec spec;
  spec.h = 2;
  spec.hv = 4;
  CompiledKernels kernels(everyAlgorithm(spec));
  for (int64_t tokens : {2048, 8192 + 13}) {
    SCOPED_TRACE(tokens);
    Problem problem = makeProblem(spec, {tokens});
    ReferenceResult reference = computeReference(problem);
    for (const Variant &variant : kernels.variants())
      expectReference(variant, problem, run(variant, problem), reference);
  }
}
