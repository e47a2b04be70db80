//===- ElementTypesTest.cpp - Conversions between f32, bf16 and f16 -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/ElementTypes.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace mlir::deltanet::verification;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

struct Narrow {
  dn_type type;
  uint16_t (*to)(float);
  float (*from)(uint16_t);
};

class NarrowTypes : public testing::TestWithParam<Narrow> {};

TEST_P(NarrowTypes, EveryValueSurvivesARoundTrip) {
  const Narrow &narrow = GetParam();
  for (uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    float value = narrow.from(uint16_t(bits));
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(narrow.from(narrow.to(value)))) << bits;
    else
      EXPECT_EQ(narrow.to(value), bits);
  }
}

TEST_P(NarrowTypes, RoundsToNearestAndTiesToEven) {
  const Narrow &narrow = GetParam();
  for (uint32_t bits = 0;; ++bits) {
    float low = narrow.from(uint16_t(bits)), high = narrow.from(bits + 1);
    if (std::isinf(high))
      break;
    float middle = float((double(low) + double(high)) / 2);
    uint16_t even = bits & 1 ? bits + 1 : bits;
    // For bf16 denormals the middle may not be a normal f32, but is exact.
    EXPECT_EQ(narrow.to(middle), even) << low;
    EXPECT_EQ(narrow.to(std::nextafterf(middle, 0)), bits) << low;
    EXPECT_EQ(narrow.to(std::nextafterf(middle, inf)), bits + 1) << low;
    EXPECT_EQ(narrow.to(-middle), even | 0x8000) << low;
  }
}

TEST_P(NarrowTypes, KeepsInfinityAndNaN) {
  const Narrow &narrow = GetParam();
  EXPECT_EQ(narrow.from(narrow.to(inf)), inf);
  EXPECT_EQ(narrow.from(narrow.to(-inf)), -inf);
  EXPECT_EQ(narrow.from(narrow.to(std::numeric_limits<float>::max())), inf);
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(narrow.from(narrow.to(nan))));
  EXPECT_TRUE(std::signbit(narrow.from(narrow.to(-0.0f))));
}

TEST_P(NarrowTypes, EncodesAndDecodesUnalignedMemory) {
  dn_type type = GetParam().type;
  char memory[64] = {};
  float in[] = {1.0f, -2.5f, 0.0f, 96.0f}, out[4];
  encode(type, in, memory + 1);
  decode(type, memory + 1, out);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(out[i], in[i]);
}

INSTANTIATE_TEST_SUITE_P(All, NarrowTypes,
                         testing::Values(Narrow{DN_TYPE_BF16, toBF16, fromBF16},
                                         Narrow{DN_TYPE_F16, toF16, fromF16}),
                         [](const auto &info) {
                           return elementName(info.param.type).str();
                         });

TEST(ElementTypes, OverflowOfF16BeginsHalfwayToTheNextPowerOfTwo) {
  EXPECT_EQ(toF16(65519.99f), 0x7BFF);
  EXPECT_EQ(toF16(65520.0f), 0x7C00);
}

TEST(ElementTypes, RoundToLeavesF32Alone) {
  EXPECT_EQ(roundTo(DN_TYPE_F32, 1.1f), 1.1f);
  EXPECT_EQ(roundTo(DN_TYPE_BF16, 1.1f), 1.1015625f);
  EXPECT_EQ(roundTo(DN_TYPE_F16, 1.1f), 1.099609375f);
}

} // namespace
