//===- LibraryTest.cpp - Variants for GPUs in a library -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CompiledLibrary.h"
#include "deltanet/Codegen/CudaToolkit.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

namespace {

class GpuLibrary : public testing::Test {
protected:
  void SetUp() override {
    if (!CompiledLibrary::canCompile())
      GTEST_SKIP() << "LLVM was built without NVPTX";
  }

  const std::string scaledKeys = CompiledLibrary::read("scaled-keys.mlir");
};

TEST_F(GpuLibrary, ListsTheHighestFirst) {
  CompiledLibrary compiled(scaledKeys, {"sm_80", "sm_90a", "sm_89"});
  ASSERT_TRUE(compiled.library);
  ASSERT_EQ(compiled.library->kernel_count, 1u);
  const dn_kernel_set &set = *compiled.library->kernels[0];
  EXPECT_STREQ(set.name, "scaled");
  ASSERT_EQ(set.variant_count, 3u);
  EXPECT_EQ(set.variants[0]->isa, DN_ISA_CUDA + 90u);
  EXPECT_EQ(set.variants[1]->isa, DN_ISA_CUDA + 89u);
  EXPECT_EQ(set.variants[2]->isa, DN_ISA_CUDA + 80u);
  // Code with an a is for one compute capability alone.
  EXPECT_EQ(set.variants[0]->cuda->only, 1u);
  EXPECT_EQ(set.variants[1]->cuda->only, 0u);
}

TEST_F(GpuLibrary, DescribesWhatIsLaunched) {
  CompiledLibrary compiled(scaledKeys, {"sm_80"});
  ASSERT_TRUE(compiled.library);
  const dn_kernel &kernel = compiled.first();
  EXPECT_EQ(kernel.size, sizeof(dn_kernel));
  EXPECT_EQ(kernel.scratch_bytes, 0u);
  EXPECT_EQ(kernel.run, nullptr);
  EXPECT_TRUE(std::strstr(kernel.schedules, "warps=4"));
  ASSERT_EQ(kernel.stages, 2u);
  const dn_cuda_code *code = kernel.cuda;
  ASSERT_TRUE(code);
  EXPECT_EQ(code->size, sizeof(dn_cuda_code));
  EXPECT_EQ(code->chip, 80u);
  EXPECT_EQ(code->args_size, sizeof(dn_args));
  EXPECT_STREQ(code->stages[0].entry, "scaled_stage0");
  EXPECT_EQ(code->stages[0].threads, 32u);
  EXPECT_EQ(code->stages[0].shared_bytes, 128u);
  EXPECT_EQ(code->stages[0].unaligned_entry, nullptr);
  EXPECT_STREQ(code->stages[1].entry, "scaled_stage1");
  EXPECT_EQ(code->stages[1].threads, 64u);
  EXPECT_EQ(code->stages[1].shared_bytes, 0u);
  EXPECT_EQ(code->ptx_bytes, std::strlen(code->ptx) + 1);
  EXPECT_TRUE(llvm::StringRef(code->ptx).contains(".target sm_80"));
  EXPECT_EQ(code->cubin, nullptr);
  EXPECT_EQ(code->cubin_bytes, 0u);
}

TEST_F(GpuLibrary, HoldsMachineCodeOfPtxas) {
  if (mlir::deltanet::CudaToolkit().find("ptxas").empty())
    GTEST_SKIP() << "there is no ptxas in PATH";
  CompiledLibrary compiled(scaledKeys, {"sm_80"}, /*withToolkit=*/true);
  ASSERT_TRUE(compiled.library);
  const dn_cuda_code *code = compiled.first().cuda;
  ASSERT_GT(code->cubin_bytes, 4u);
  EXPECT_EQ(std::memcmp(code->cubin, "\177ELF", 4), 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(code->cubin) % 16, 0u);
}

/// Tokens and heads further apart than they must be, gates that decay.
class ScaledKeys : public GpuLibrary {
protected:
  static constexpr int64_t kTokens = 5, kHeads = 2, kChannels = 32;
  static constexpr int64_t kTokenStride = 80, kHeadStride = 36;

  void check(uint32_t flags, uint32_t blocks) {
    CompiledLibrary compiled(scaledKeys, {"sm_80"});
    ASSERT_TRUE(compiled.library);
    std::vector<float> k(kTokens * kTokenStride), g(kTokens * kHeads);
    for (size_t i = 0; i < k.size(); ++i)
      k[i] = float(i % 23) - 11;
    for (size_t i = 0; i < g.size(); ++i)
      g[i] = -0.25f * float(i);
    SimulatedCall call(compiled.first());
    dn_args &args = call.args;
    args.k = call.input(k);
    args.g = static_cast<const float *>(call.input(g));
    args.o = call.output(kTokens * kTokenStride);
    args.tokens = kTokens;
    args.k_token_stride = args.o_token_stride = kTokenStride;
    args.k_head_stride = args.o_head_stride = kHeadStride;
    args.g_token_stride = kHeads;
    args.scale = 3;
    args.flags = flags;
    call.run(blocks);

    EXPECT_EQ(args.workspace_bytes, uint64_t(kTokens * 256));
    double scale = flags & DN_FLAG_SCALE ? 3 : 0.25;
    std::vector<float> o = call.read(args.o, kTokens * kTokenStride);
    for (int64_t t = 0; t < kTokens; ++t)
      for (int64_t h = 0; h < kHeads; ++h)
        for (int64_t c = 0; c < kChannels; ++c) {
          int64_t row = t * kTokenStride + h * kHeadStride;
          double expected = scale * std::exp(double(g[t * kHeads + h])) *
                            k[row + kChannels - 1 - c];
          EXPECT_NEAR(o[row + c], expected, 1e-6 * std::abs(expected))
              << t << ", " << h << ", " << c;
        }
    // What lies between the rows is nobody's.
    EXPECT_FALSE(call.memory.isInitialised(
        reinterpret_cast<uint64_t>(args.o) + kChannels * sizeof(float),
        (kHeadStride - kChannels) * sizeof(float)));
  }
};

TEST_F(ScaledKeys, InOneLaunch) { check(0, UINT32_MAX); }

TEST_F(ScaledKeys, WithTheScaleOfTheCall) { check(DN_FLAG_SCALE, UINT32_MAX); }

TEST_F(ScaledKeys, InLaunchesOfThreeItems) { check(0, 3); }

} // namespace
