//===- ExpTest.cpp - The exponential of kernels for GPUs ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CompiledLibrary.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

namespace {

class GpuExp : public testing::Test {
protected:
  static constexpr int64_t kRow = 256;

  void SetUp() override {
    if (!CompiledLibrary::canCompile())
      GTEST_SKIP() << "LLVM was built without NVPTX";
  }

  /// e^x of each, a thread for four.
  static std::vector<float> exp(std::vector<float> in) {
    CompiledLibrary compiled(CompiledLibrary::read("exponentials.mlir"),
                             {"sm_80"});
    if (!compiled.library)
      return std::vector<float>(in.size());
    size_t count = in.size();
    in.resize((count + kRow - 1) / kRow * kRow);
    SimulatedCall call(compiled.first());
    call.args.k = call.input(in);
    call.args.o = call.output(in.size());
    call.args.tokens = in.size() / kRow;
    call.args.k_token_stride = call.args.o_token_stride = kRow;
    call.args.k_head_stride = call.args.o_head_stride = kRow;
    call.run();
    std::vector<float> out = call.read(call.args.o, in.size());
    out.resize(count);
    return out;
  }
};

TEST_F(GpuExp, SpecialValues) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> out =
      exp({0.0f, -0.0f, 1e-40f, -inf, inf, nan, -nan, -87.34f, -88.0f, -1e4f,
           -3e38f, 88.73f, 89.0f, 1e4f, 3e38f});
  for (int i : {0, 1, 2})
    EXPECT_EQ(out[i], 1.0f) << i;
  EXPECT_EQ(llvm::bit_cast<uint32_t>(out[3]), 0u);
  EXPECT_EQ(out[4], inf);
  for (int i : {5, 6})
    EXPECT_TRUE(std::isnan(out[i])) << i;
  for (int i : {7, 8, 9, 10})
    EXPECT_EQ(out[i], 0.0f) << i;
  for (int i : {11, 12, 13, 14})
    EXPECT_EQ(out[i], inf) << i;
}

/// 2^-22 of the instruction, which the simulator uses up, and two roundings.
TEST_F(GpuExp, ErrorDoesNotGrowWithTheArgument) {
  std::vector<float> in;
  for (uint32_t bits = 0x33000000; bits < 0x42b17218; bits += 40009)
    in.push_back(llvm::bit_cast<float>(bits));
  for (uint32_t bits = 0x33000000; bits < 0x42aeac50; bits += 40009)
    in.push_back(-llvm::bit_cast<float>(bits));
  std::vector<float> out = exp(in);
  double worst = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    double reference = std::exp(double(in[i]));
    worst = std::max(worst, std::abs(out[i] - reference) / reference);
  }
  EXPECT_LE(worst, std::ldexp(1.0, -22) + 2 * std::ldexp(1.0, -24));
  RecordProperty("worst_in_2^-22", std::to_string(std::ldexp(worst, 22)));
}

} // namespace
