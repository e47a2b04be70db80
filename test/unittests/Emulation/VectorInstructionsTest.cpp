//===- VectorInstructionsTest.cpp - AVX-512 against scalar code -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "AssembledCode.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <random>

using namespace mlir::deltanet::emulation;

using Texts = std::vector<std::string>;

namespace {
constexpr unsigned lanes = 16;

float bf16(uint16_t bits) {
  return llvm::bit_cast<float>(uint32_t(bits) << 16);
}

/// Nearest, ties to even, denormal numbers to zero.
uint16_t toBf16(float value) {
  if (std::isnan(value))
    return uint16_t(llvm::bit_cast<uint32_t>(value) >> 16) | 0x40;
  if (std::fabs(value) < 0x1p-126f)
    value = std::copysign(0.0f, value);
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  uint32_t rest = bits & 0xFFFF, upper = bits >> 16;
  return uint16_t(upper + (rest > 0x8000 || (rest == 0x8000 && upper % 2)));
}

class VectorInstructionsTest : public AssembledCodeTest {
protected:
  /// Values of both signs and many magnitudes, with ties of bf16, denormal
  /// numbers, infinity and NaN among them.
  std::vector<float> floats(size_t count) {
    const uint32_t special[] = {0x3F80'8000, 0x3F81'8000, 0x7F7F'FFFF,
                                0xFF80'0000, 0x7F80'0001, 0x0000'0123,
                                0x8000'0000, 0xBF80'7FFF};
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i)
      values[i] = i % 3 == 0 ? llvm::bit_cast<float>(special[random() % 8])
                             : std::ldexp(float(random() % 20001) - 10000.0f,
                                          int(random() % 40) - 30);
    return values;
  }

  std::vector<uint16_t> halves(size_t count) {
    std::vector<uint16_t> values(count);
    for (uint16_t &value : values)
      value = uint16_t(0x3E00 | (random() & 0x81FF));
    return values;
  }

  std::mt19937 random{1};
};
} // namespace

TEST_F(VectorInstructionsTest, convertToBf16) {
  std::vector<float> a = floats(lanes);
  std::vector<uint16_t> expected;
  for (float x : a)
    expected.push_back(toBf16(x));
  EXPECT_EQ(compute<uint16_t>("vcvtneps2bf16 (%rdi), %ymm1\n"
                              "vmovups %ymm1, (%rdx)",
                              a, a, lanes),
            expected);
  EXPECT_EQ(last.counts.conversions, 1u);
  std::fill(expected.begin() + 4, expected.end(), 0);
  EXPECT_EQ(compute<uint16_t>("movl $0xf, %eax; kmovd %eax, %k1\n"
                              "vmovups (%rdi), %zmm0\n"
                              "vcvtneps2bf16 %zmm0, %ymm1 {%k1} {z}\n"
                              "vmovups %ymm1, (%rdx)",
                              a, a, lanes),
            expected);
}

// Bochs takes the upper half from the wrong elements: every form that it
// decodes is replaced.
TEST_F(VectorInstructionsTest, convertTwoToBf16) {
  for (auto [reg, count] :
       {std::pair<std::string, unsigned>{"zmm", 16}, {"ymm", 8}, {"xmm", 4}}) {
    std::vector<float> a = floats(count), b = floats(count);
    std::vector<uint16_t> expected, broadcast;
    for (float x : b)
      expected.push_back(toBf16(x));
    broadcast.assign(count, toBf16(b[1]));
    for (float x : a) {
      expected.push_back(toBf16(x));
      broadcast.push_back(toBf16(x));
    }
    std::string load = "vmovups (%rdi), %" + reg + "2\n";
    std::string store = "vmovups %" + reg + "17, (%rdx)";
    std::string registers = "%" + reg + "2, %" + reg + "17";
    EXPECT_EQ(compute<uint16_t>(load + "vmovups (%rsi), %" + reg +
                                    "30\nvcvtne2ps2bf16 %" + reg + "30, " +
                                    registers + "\n" + store,
                                a, b, 2 * count),
              expected);
    EXPECT_EQ(compute<uint16_t>(load + "vcvtne2ps2bf16 (%rsi), " + registers +
                                    "\n" + store,
                                a, b, 2 * count),
              expected);
    EXPECT_EQ(compute<uint16_t>(load + "vcvtne2ps2bf16 4(%rsi){1to" +
                                    std::to_string(count) + "}, " + registers +
                                    "\n" + store,
                                a, b, 2 * count),
              broadcast);
  }
}

TEST_F(VectorInstructionsTest, convertTwoToBf16WithMask) {
  constexpr uint32_t mask = 0x0F0F'F0F1;
  std::vector<float> a = floats(lanes), b = floats(lanes);
  std::vector<uint16_t> merged(2 * lanes, 0x5555), zeroed(2 * lanes);
  for (unsigned i = 0; i < 2 * lanes; ++i)
    if (mask >> i & 1)
      merged[i] = zeroed[i] = toBf16(i < lanes ? b[i] : a[i - lanes]);
  std::string begin = "movl $0x0f0ff0f1, %eax; kmovd %eax, %k3\n"
                      "movl $0x55555555, %eax; vpbroadcastd %eax, %zmm0\n"
                      "vmovups (%rdi), %zmm1; vmovups (%rsi), %zmm2\n";
  std::string end = "\nvmovups %zmm0, (%rdx)";
  EXPECT_EQ(compute<uint16_t>(
                begin + "vcvtne2ps2bf16 %zmm2, %zmm1, %zmm0 {%k3}" + end, a, b,
                2 * lanes),
            merged);
  EXPECT_EQ(compute<uint16_t>(
                begin + "vcvtne2ps2bf16 %zmm2, %zmm1, %zmm0 {%k3} {z}" + end, a,
                b, 2 * lanes),
            zeroed);
  EXPECT_EQ(compute<uint16_t>(
                begin + "vcvtne2ps2bf16 (%rsi), %zmm1, %zmm0 {%k3}" + end, a, b,
                2 * lanes),
            merged);
}

// Bochs scales displacements of 8 bits by 4, not by the vector's bytes.
TEST_F(VectorInstructionsTest, dotProductOfBf16) {
  std::vector<uint16_t> a = halves(2 * lanes), b = halves(6 * lanes);
  auto expected = [&](auto indexOfB) {
    std::vector<float> sums;
    for (unsigned i = 0; i < lanes; ++i) {
      float sum = std::fma(bf16(a[2 * i + 1]), bf16(b[indexOfB(i) + 1]), 0.5f);
      sums.push_back(std::fma(bf16(a[2 * i]), bf16(b[indexOfB(i)]), sum));
    }
    return sums;
  };
  auto contiguous = expected([](unsigned i) { return 64 + 2 * i; });
  std::string begin = "movl $0x3f000000, %eax; vpbroadcastd %eax, %zmm0\n"
                      "vmovups (%rdi), %zmm1\n";
  std::string end = "\nvmovups %zmm0, (%rdx)";
  EXPECT_EQ(compute<float>(begin +
                               "vmovups 128(%rsi), %zmm2\n"
                               "vdpbf16ps %zmm2, %zmm1, %zmm0" +
                               end,
                           a, b, lanes),
            contiguous);
  EXPECT_EQ(compute<float>(begin + "vdpbf16ps 128(%rsi), %zmm1, %zmm0" + end, a,
                           b, lanes),
            contiguous);
  EXPECT_EQ(last.counts.dotProducts, 1u);
  EXPECT_EQ(
      compute<float>(begin + "vdpbf16ps 12(%rsi){1to16}, %zmm1, %zmm0" + end, a,
                     b, lanes),
      expected([](unsigned) { return 6; }));
  std::vector<float> masked = contiguous;
  for (unsigned i = 8; i < lanes; ++i)
    masked[i] = 0.5f;
  EXPECT_EQ(compute<float>(begin +
                               "movl $0xff, %eax; kmovd %eax, %k2\n"
                               "vdpbf16ps 128(%rsi), %zmm1, %zmm0 {%k2}" +
                               end,
                           a, b, lanes),
            masked);
}

TEST_F(VectorInstructionsTest, dotProductOfShortVectors) {
  std::vector<uint16_t> a = halves(16), b = halves(48);
  std::vector<float> expected;
  for (unsigned i = 0; i < 8; ++i) {
    float sum = std::fma(bf16(a[2 * i + 1]), bf16(b[33 + 2 * i]), 0.0f);
    expected.push_back(std::fma(bf16(a[2 * i]), bf16(b[32 + 2 * i]), sum));
  }
  EXPECT_EQ(compute<float>("vxorps %xmm0, %xmm0, %xmm0; vmovups (%rdi), %ymm1\n"
                           "vdpbf16ps 64(%rsi), %ymm1, %ymm0\n"
                           "vmovups %ymm0, (%rdx)",
                           a, b, 8),
            expected);
}

TEST_F(VectorInstructionsTest, maskedAccessesTouchActiveLanesOnly) {
  // Five floats; the other lanes would lie outside of their buffers.
  std::vector<float> a = {1, 2, 3, 4, 5};
  EXPECT_EQ(compute<float>("movl $0x1f, %eax; kmovd %eax, %k1\n"
                           "vmovups (%rdi), %zmm0 {%k1} {z}\n"
                           "vmovups %zmm0, (%rdx) {%k1}",
                           a, a, 5),
            a);
  EXPECT_EQ(last.counts.loadBytes, 5 * 4u + 8); // and the return address
  EXPECT_EQ(last.counts.storeBytes, 5 * 4u);
  float *in = array("in", a, Permission::Read);
  CallResult result = run("movl $0x3f, %eax; kmovd %eax, %k1\n"
                          "vmovups (%rdi), %zmm0 {%k1} {z}",
                          {argument(in)});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::OutOfBounds);
}

TEST_F(VectorInstructionsTest, maskedStoresInitialiseWithoutReading) {
  float *out = array("out", std::vector<float>(lanes));
  machine->memory().markUninitialised(out, lanes * sizeof(float));
  std::string store = "movl $0x6, %eax; kmovd %eax, %k1\n"
                      "vxorps %xmm0, %xmm0, %xmm0\n"
                      "vmovups %zmm0, (%rdi) {%k1}\n";
  EXPECT_EQ(textsOf(run(store + "movq 4(%rdi), %rax", {argument(out)})),
            Texts());
  EXPECT_EQ(textsOf(run(store + "movl (%rdi), %eax", {argument(out)})),
            Texts{"code+0x13: movl (%rdi), %eax: uninitialised: read of 4 "
                  "bytes, at byte 0 of 'out'"});
}

TEST_F(VectorInstructionsTest, maskedAccessesBySelectors) {
  std::vector<float> a = {1, 2, 3, 4, 5};
  std::vector<int32_t> selectors = {-1, 0, -1, -1, -1, 0, 0, 0};
  EXPECT_EQ(compute<float>("vmovups (%rsi), %ymm1\n"
                           "vmaskmovps (%rdi), %ymm1, %ymm0\n"
                           "vmaskmovps %ymm0, %ymm1, (%rdx)",
                           a, selectors, 5),
            std::vector<float>({1, 0, 3, 4, 5}));
}

TEST_F(VectorInstructionsTest, permutesOfTwoSources) {
  std::vector<uint16_t> a(32), b(32), indices(32), expected(32);
  for (unsigned i = 0; i < 32; ++i) {
    a[i] = uint16_t(random());
    b[i] = uint16_t(random());
    indices[i] = uint16_t(random());
  }
  for (unsigned i = 0; i < 32; ++i)
    expected[i] = indices[i] & 32 ? b[indices[i] & 31] : a[indices[i] & 31];
  std::vector<uint16_t> table = b;
  table.insert(table.end(), indices.begin(), indices.end());
  EXPECT_EQ(compute<uint16_t>("vmovups (%rdi), %zmm0; vmovups 64(%rsi), %zmm1\n"
                              "vpermt2w (%rsi), %zmm1, %zmm0\n"
                              "vmovups %zmm0, (%rdx)",
                              a, table, 32),
            expected);
  EXPECT_EQ(compute<uint16_t>("vmovups (%rdi), %zmm0; vmovups 64(%rsi), %zmm1\n"
                              "vpermi2w (%rsi), %zmm0, %zmm1\n"
                              "vmovups %zmm1, (%rdx)",
                              a, table, 32),
            expected);
  EXPECT_EQ(last.counts.shuffles, 1u);
}

TEST_F(VectorInstructionsTest, scaleByPowersOfTwo) {
  std::vector<float> a(lanes), b(lanes), expected(lanes);
  for (unsigned i = 0; i < lanes; ++i) {
    a[i] = float(random() % 2001) / 8 - 100;
    b[i] = float(random() % 1601) / 8 - 100;
    expected[i] = std::ldexp(a[i], int(std::floor(b[i])));
  }
  EXPECT_EQ(compute<float>("vmovups (%rdi), %zmm0\n"
                           "vscalefps (%rsi), %zmm0, %zmm0\n"
                           "vmovups %zmm0, (%rdx)",
                           a, b, lanes),
            expected);
}

TEST_F(VectorInstructionsTest, compressAndExpand) {
  std::vector<float> a(lanes);
  for (unsigned i = 0; i < lanes; ++i)
    a[i] = float(i);
  EXPECT_EQ(compute<float>("movl $0x8421, %eax; kmovd %eax, %k1\n"
                           "vmovups (%rdi), %zmm0\n"
                           "vcompressps %zmm0, (%rdx) {%k1}",
                           a, a, 4),
            std::vector<float>({0, 5, 10, 15}));
  EXPECT_EQ(
      compute<float>("movl $0x8421, %eax; kmovd %eax, %k1\n"
                     "vexpandps 48(%rdi), %zmm0 {%k1} {z}\n"
                     "vmovups %zmm0, (%rdx)",
                     a, a, lanes),
      std::vector<float>({12, 0, 0, 0, 0, 13, 0, 0, 0, 0, 14, 0, 0, 0, 0, 15}));
}

TEST_F(VectorInstructionsTest, gatherReadsActiveLanesOnly) {
  std::vector<float> a = {1, 2, 3, 4};
  std::vector<int32_t> indices = {3, 1 << 28, 0, 1 << 28,
                                  2, 1 << 28, 1, 1 << 28};
  EXPECT_EQ(compute<float>("vmovups (%rsi), %ymm1; movl $0x55, %eax\n"
                           "kmovd %eax, %k1; vxorps %xmm0, %xmm0, %xmm0\n"
                           "vgatherdps (%rdi,%ymm1,4), %ymm0 {%k1}\n"
                           "vmovups %ymm0, (%rdx)",
                           a, indices, 8),
            std::vector<float>({4, 0, 1, 0, 3, 0, 2, 0}));
}

TEST_F(VectorInstructionsTest, otherModelsHaveOtherInstructions) {
  const char *bf16 = "vcvtneps2bf16 %zmm0, %ymm1";
  const char *avx512 = "vaddps %zmm0, %zmm0, %zmm1";
  const char *avx2 = "vpaddd %ymm0, %ymm0, %ymm1";
  auto has = [&](const char *text) { return run(text).findings.empty(); };
  EXPECT_TRUE(has(bf16) && has(avx512) && has(avx2));
  useMachine({CpuModel::TigerLake, {}});
  EXPECT_FALSE(has(bf16));
  EXPECT_TRUE(has(avx512) && has(avx2));
  useMachine({CpuModel::ArrowLake, {}});
  EXPECT_FALSE(has(bf16));
  EXPECT_FALSE(has(avx512));
  EXPECT_TRUE(has(avx2));
  useMachine({CpuModel::SapphireRapids, {}});
  EXPECT_TRUE(has(bf16) && has(avx512) && has(avx2));
}
