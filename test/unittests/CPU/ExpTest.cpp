//===- ExpTest.cpp - The exponential of kernels ---------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "GeneratedFunction.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <vector>

namespace {

struct Level {
  const char *target;
  int lanes;
};

void PrintTo(const Level &level, std::ostream *os) {
  *os << level.target << " x" << level.lanes;
}

class Exp : public testing::TestWithParam<Level> {
protected:
  void SetUp() override {
    if (!GeneratedFunction::runs(GetParam().target))
      GTEST_SKIP() << "this machine lacks " << GetParam().target;
  }

  std::vector<float> exp(std::vector<float> in) {
    int lanes = GetParam().lanes;
    std::string type = lanes ? "vector<" + std::to_string(lanes) + "xf32>"
                             : std::string("f32");
    GeneratedFunction function(GetParam().target, "f32", "f32", lanes,
                               "%y = math.exp %x : " + type);
    size_t count = in.size();
    while (in.size() % std::max(lanes, 1))
      in.push_back(0);
    std::vector<float> out(in.size());
    function.run(in.data(), out.data(), in.size());
    out.resize(count);
    return out;
  }
};

TEST_P(Exp, SpecialValues) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float payload = llvm::bit_cast<float>(0x7fc00001u);
  std::vector<float> out =
      exp({0.0f, -0.0f, -inf, inf, nan, -nan, payload, -87.34f, -88.0f, -1e4f,
           -3e38f, 88.73f, 89.0f, 1e4f, 3e38f});
  EXPECT_EQ(out[0], 1.0f);
  EXPECT_EQ(out[1], 1.0f);
  EXPECT_EQ(llvm::bit_cast<uint32_t>(out[2]), 0u);
  EXPECT_EQ(out[3], inf);
  for (int i : {4, 5, 6})
    EXPECT_TRUE(std::isnan(out[i])) << i;
  for (int i : {7, 8, 9, 10})
    EXPECT_EQ(llvm::bit_cast<uint32_t>(out[i]), 0u) << i;
  for (int i : {11, 12, 13, 14})
    EXPECT_EQ(out[i], inf) << i;
}

TEST_P(Exp, AtMostTwoUlp) {
  // Every 64th float of the range, and the ends.
  std::vector<float> in = {-87.3365402f, 88.7228317f};
  for (uint32_t bits = 0x33000000; bits < 0x42b17218; bits += 64)
    in.push_back(llvm::bit_cast<float>(bits));
  for (uint32_t bits = 0x33000000; bits < 0x42aeac50; bits += 64)
    in.push_back(-llvm::bit_cast<float>(bits));
  std::vector<float> out = exp(in);
  double worst = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    double reference = std::exp(double(in[i]));
    float nearest = float(reference);
    double ulp = std::nextafter(nearest, 2 * nearest) - double(nearest);
    double error = std::abs(out[i] - reference) / ulp;
    ASSERT_LE(error, 2.0) << "at " << in[i];
    worst = std::max(worst, error);
  }
  RecordProperty("worst_ulp", std::to_string(worst));
}

INSTANTIATE_TEST_SUITE_P(
    Levels, Exp,
    testing::Values(Level{"generic", 0}, Level{"generic", 5}, Level{"avx2", 0},
                    Level{"avx2", 8}, Level{"avx2", 16}, Level{"avx512", 0},
                    Level{"avx512", 16}, Level{"avx512", 24},
                    Level{"avx512", 32}));

} // namespace
