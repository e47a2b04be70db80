//===- NarrowFloatsTest.cpp - Conversions of 16-bit floats ----------------===//
//
// Part of the Delta-Net project.
//
// All 16-bit values are widened, and f32 values around every boundary between
// two 16-bit values narrowed, on each level; LLVM's APFloat is the reference.
//
//===----------------------------------------------------------------------===//

#include "GeneratedFunction.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <numeric>
#include <vector>

using llvm::APFloat;
using llvm::APInt;

namespace {

struct Format {
  const char *name;
  const llvm::fltSemantics &semantics;
};
const Format kBF16 = {"bf16", APFloat::BFloat()};
const Format kF16 = {"f16", APFloat::IEEEhalf()};

struct Level {
  const char *target;
  int lanes;
};

void PrintTo(const Level &level, std::ostream *os) {
  *os << level.target << " x" << level.lanes;
}

uint32_t widened(const Format &format, uint16_t bits) {
  APFloat value(format.semantics, APInt(16, bits));
  bool lossy;
  value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lossy);
  return value.bitcastToAPInt().getZExtValue();
}

uint16_t narrowed(const Format &format, float f) {
  APFloat value(f);
  bool lossy;
  value.convert(format.semantics, APFloat::rmNearestTiesToEven, &lossy);
  return value.bitcastToAPInt().getZExtValue();
}

class NarrowFloats : public testing::TestWithParam<Level> {
protected:
  void SetUp() override {
    if (!GeneratedFunction::runs(GetParam().target))
      GTEST_SKIP() << "this machine lacks " << GetParam().target;
  }

  std::string body(const char *op, const Format &from, const char *to) {
    std::string lanes = GetParam().lanes
                            ? "vector<" + std::to_string(GetParam().lanes) + "x"
                            : "";
    std::string close = lanes.empty() ? "" : ">";
    return std::string("%y = arith.") + op + " %x : " + lanes + from.name +
           close + " to " + lanes + to + close;
  }

  /// Rounds a count up to the lanes.
  template <typename T> void pad(std::vector<T> &values) {
    int lanes = std::max(GetParam().lanes, 1);
    while (values.size() % lanes)
      values.push_back(T());
  }

  void checkWiden(const Format &format, bool quietsNaN) {
    GeneratedFunction widen(GetParam().target, format.name, "f32",
                            GetParam().lanes, body("extf", format, "f32"));
    std::vector<uint16_t> in(1 << 16);
    std::iota(in.begin(), in.end(), 0);
    pad(in);
    std::vector<uint32_t> out(in.size());
    widen.run(in.data(), out.data(), in.size());
    for (size_t i = 0; i < in.size(); ++i) {
      uint32_t expected = widened(format, in[i]);
      if ((expected & 0x7fffffff) > 0x7f800000 && !quietsNaN)
        expected = uint32_t(in[i]) << 16; // moved as it is
      ASSERT_EQ(out[i], expected) << "of " << in[i];
    }
  }

  void checkNarrow(const Format &format, bool flushes = false) {
    GeneratedFunction narrow(
        GetParam().target, "f32", format.name, GetParam().lanes,
        body("truncf", {"f32", format.semantics}, format.name));
    // Each value, the middle to the next one, and the neighbours of both.
    std::vector<float> in;
    for (uint32_t i = 0; i < 1 << 16; ++i) {
      uint32_t low = widened(format, i);
      uint32_t high = widened(format, i + 1);
      uint32_t middle = low + (high - low) / 2;
      for (uint32_t centre : {low, middle})
        for (uint32_t bits : {centre - 1, centre, centre + 1})
          in.push_back(llvm::bit_cast<float>(bits));
    }
    for (uint32_t bits : {0x7f7fffffu, 0x7f800000u, 0x7f800001u, 0x7fffffffu,
                          0xffffffffu, 0x00000001u, 0x80000001u, 0x007fffffu})
      in.push_back(llvm::bit_cast<float>(bits));
    pad(in);
    std::vector<uint16_t> out(in.size());
    narrow.run(in.data(), out.data(), in.size());
    for (size_t i = 0; i < in.size(); ++i) {
      uint32_t bits = llvm::bit_cast<uint32_t>(in[i]);
      uint16_t expected = narrowed(format, in[i]);
      if (flushes && APFloat(in[i]).isDenormal())
        expected = bits >> 31 << 15; // a zero of the same sign
      ASSERT_EQ(out[i], expected) << "of " << in[i] << ", bits " << bits;
    }
  }
};

TEST_P(NarrowFloats, WidenBF16) { checkWiden(kBF16, /*quietsNaN=*/false); }
TEST_P(NarrowFloats, WidenF16) { checkWiden(kF16, /*quietsNaN=*/true); }
TEST_P(NarrowFloats, NarrowBF16) {
  // The instruction reads subnormals as zero, as all arithmetic of kernels.
  bool native = llvm::StringRef(GetParam().target) == "avx512_bf16";
  checkNarrow(kBF16, /*flushes=*/native);
}
TEST_P(NarrowFloats, NarrowF16) { checkNarrow(kF16); }

// Scalars, odd widths, whole registers and several of them.
INSTANTIATE_TEST_SUITE_P(
    Levels, NarrowFloats,
    testing::Values(Level{"generic", 0}, Level{"generic", 3},
                    Level{"generic", 8}, Level{"avx2", 0}, Level{"avx2", 3},
                    Level{"avx2", 8}, Level{"avx2", 16}, Level{"avx512", 0},
                    Level{"avx512", 3}, Level{"avx512", 16},
                    Level{"avx512", 64}, Level{"avx512_bf16", 0},
                    Level{"avx512_bf16", 3}, Level{"avx512_bf16", 8},
                    Level{"avx512_bf16", 16}, Level{"avx512_bf16", 64}));

} // namespace
