//===- FusedMultiplyAddTest.cpp - Products that are rounded once ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "AssembledCode.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <random>

using namespace mlir::deltanet::emulation;

namespace {
constexpr unsigned lanes = 16;

class FusedMultiplyAddTest : public AssembledCodeTest {
protected:
  std::mt19937 random{1};
};
} // namespace

TEST_F(FusedMultiplyAddTest, fullAndBroadcastVectors) {
  std::vector<float> a(lanes), b(lanes), expected(lanes), broadcast(lanes);
  for (unsigned i = 0; i < lanes; ++i) {
    a[i] = float(random() % 1000) / 37;
    b[i] = float(random() % 1000) / 41;
  }
  for (unsigned i = 0; i < lanes; ++i) {
    expected[i] = std::fma(a[i], b[i], a[i]);
    broadcast[i] = std::fma(a[i], b[3], a[i]);
  }
  std::string begin = "vmovups (%rdi), %zmm0; vmovaps %zmm0, %zmm1\n";
  EXPECT_EQ(compute<float>(begin + "vfmadd231ps (%rsi), %zmm1, %zmm0\n"
                                   "vmovups %zmm0, (%rdx)",
                           a, b, lanes),
            expected);
  EXPECT_EQ(compute<float>(begin + "vfmadd231ps 12(%rsi){1to16}, %zmm1, %zmm0\n"
                                   "vmovntps %zmm0, (%rdx)",
                           a, b, lanes),
            broadcast);
  EXPECT_EQ(last.counts.fusedMultiplyAdds, 1u);
  EXPECT_EQ(last.counts.nonTemporalStores, 1u);
}

// Bochs' own arithmetic and this machine's share the work: the borders between.
TEST_F(FusedMultiplyAddTest, allKindsOfNumbers) {
  const float infinity = INFINITY, nan = NAN;
  const float numbers[] = {0.0f,         -0.0f,     1.0f,      -3.0f,
                           0x1p-126f,    0x1p-140f, -0x1p-63f, 0x1.8p-64f,
                           0x1.fffp127f, infinity,  -infinity, nan};
  std::vector<float> a, b, c;
  for (float x : numbers)
    for (float y : numbers)
      for (float z : numbers) {
        a.push_back(x);
        b.push_back(y);
        c.push_back(z);
      }
  size_t count = a.size();
  ASSERT_EQ(count % lanes, 0u);
  auto isSame = [](float x, float y) {
    return (std::isnan(x) && std::isnan(y)) ||
           llvm::bit_cast<uint32_t>(x) == llvm::bit_cast<uint32_t>(y);
  };
  auto expectEach = [&](const char *mnemonic, auto expected) {
    std::vector<float> factors = b;
    factors.insert(factors.end(), c.begin(), c.end());
    std::string offset = std::to_string(4 * count);
    std::vector<float> results =
        compute<float>("movl $" + std::to_string(count / lanes) +
                           ", %ecx\n1: vmovups (%rdi), %zmm0; vmovups " +
                           offset + "(%rsi), %zmm1\n" + mnemonic +
                           " (%rsi), %zmm1, %zmm0; vmovups %zmm0, (%rdx)\n"
                           "addq $64, %rdi; addq $64, %rsi; addq $64, %rdx\n"
                           "decl %ecx; jnz 1b",
                       a, factors, count);
    for (size_t i = 0; i < count; ++i)
      EXPECT_TRUE(isSame(results[i], expected(a[i], b[i], c[i])))
          << mnemonic << ": " << a[i] << ", " << b[i] << ", " << c[i];
  };
  // Of operands 0, 1 and memory: 0 * memory + 1.
  expectEach("vfmadd132ps",
             [](float x, float y, float z) { return std::fma(x, y, z); });
  expectEach("vfmsub132ps",
             [](float x, float y, float z) { return std::fma(x, y, -z); });
  expectEach("vfnmadd132ps",
             [](float x, float y, float z) { return std::fma(-x, y, z); });
  expectEach("vfnmsub132ps",
             [](float x, float y, float z) { return std::fma(-x, y, -z); });
}

TEST_F(FusedMultiplyAddTest, roundsAsItIsTold) {
  // 1 + 2^-40 lies between 1 and the next number.
  std::vector<float> a(lanes, 0x1p-20f), b(lanes, 1.0f);
  const float next = 1.0f + 0x1p-23f;
  for (auto [mode, expected] : {std::pair<std::string, float>{"", 1.0f},
                                {"{rn-sae}, ", 1.0f},
                                {"{rd-sae}, ", 1.0f},
                                {"{ru-sae}, ", next},
                                {"{rz-sae}, ", 1.0f}})
    EXPECT_EQ(compute<float>("vmovups (%rdi), %zmm0; vmovups (%rsi), %zmm1\n"
                             "vfmadd213ps " +
                                 mode +
                                 "%zmm1, %zmm0, %zmm0\n"
                                 "vmovups %zmm0, (%rdx)",
                             a, b, lanes),
              std::vector<float>(lanes, expected))
        << mode;
}

TEST_F(FusedMultiplyAddTest, flushToZeroIsTheFunctionsChoice) {
  std::vector<float> a(lanes, 0x1p-100f), b(lanes, 0x1p-40f);
  std::string multiply = "vmovups (%rdi), %zmm0\n"
                         "vmulps (%rsi), %zmm0, %zmm0\n"
                         "vmovups %zmm0, (%rdx)\n";
  EXPECT_EQ(compute<float>(multiply, a, b, lanes),
            std::vector<float>(lanes, 0x1p-140f));
  EXPECT_EQ(compute<float>("stmxcsr -4(%rsp); orl $0x8040, -4(%rsp)\n"
                           "ldmxcsr -4(%rsp)\n" +
                               multiply +
                               "andl $0xffff7fbf, -4(%rsp); ldmxcsr -4(%rsp)",
                           a, b, lanes),
            std::vector<float>(lanes, 0.0f));
}
