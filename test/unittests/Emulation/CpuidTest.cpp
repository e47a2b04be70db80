//===- CpuidTest.cpp - What emulated code learns of its CPU ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "AssembledCode.h"

using namespace mlir::deltanet::emulation;

using Texts = std::vector<std::string>;

namespace {
// Leaf 7.
constexpr uint32_t avx2 = 1u << 5, avx512f = 1u << 16;     // EBX
constexpr uint32_t amxBf16 = 1u << 22, amxTile = 1u << 24; // EDX
constexpr uint32_t avx512Bf16 = 1u << 5;                   // EAX of subleaf 1

class CpuidTest : public AssembledCodeTest {
protected:
  uint64_t xgetbv() {
    CallResult result = run("xorl %ecx, %ecx; xgetbv\n"
                            "shlq $32, %rdx; orq %rdx, %rax");
    EXPECT_EQ(textsOf(result), Texts());
    return result.value;
  }
};
} // namespace

TEST_F(CpuidTest, sapphireRapids) {
  EXPECT_EQ(machine->cpuid(7, 0).ebx & (avx2 | avx512f), avx2 | avx512f);
  EXPECT_EQ(machine->cpuid(7, 0).edx & (amxBf16 | amxTile), amxBf16 | amxTile);
  EXPECT_EQ(machine->cpuid(7, 1).eax & avx512Bf16, avx512Bf16);
  EXPECT_EQ(machine->cpuid(0x1D, 1).ecx, 16u);
  EXPECT_EQ(xgetbv(), 0x600E7u);
}

TEST_F(CpuidTest, tigerLake) {
  useMachine({CpuModel::TigerLake, {}});
  EXPECT_EQ(machine->cpuid(7, 0).ebx & (avx2 | avx512f), avx2 | avx512f);
  EXPECT_EQ(machine->cpuid(7, 0).edx & (amxBf16 | amxTile), 0u);
  EXPECT_EQ(machine->cpuid(7, 1).eax & avx512Bf16, 0u);
  EXPECT_EQ(xgetbv(), 0xE7u);
}

TEST_F(CpuidTest, arrowLake) {
  useMachine({CpuModel::ArrowLake, {}});
  EXPECT_EQ(machine->cpuid(7, 0).ebx & (avx2 | avx512f), avx2);
  EXPECT_EQ(xgetbv(), 0x7u);
}

TEST_F(CpuidTest, operatingSystemWithoutTiles) {
  useMachine({CpuModel::SapphireRapids, 0xE7});
  EXPECT_EQ(xgetbv(), 0xE7u);
  EXPECT_EQ(textsOf(run("tilerelease")),
            Texts{"code+0x0: tilerelease: illegal instruction: expected one "
                  "that the CPU model has"});
}

TEST_F(CpuidTest, operatingSystemWithoutZmm) {
  useMachine({CpuModel::SapphireRapids, 0x7});
  EXPECT_EQ(xgetbv(), 0x7u);
  EXPECT_EQ(machine->cpuid(7, 0).ebx & avx512f, avx512f);
  EXPECT_EQ(textsOf(run("vaddps %ymm0, %ymm1, %ymm2")), Texts());
  EXPECT_EQ(textsOf(run("vaddps %zmm0, %zmm1, %zmm2")),
            Texts{"code+0x0: vaddps %zmm0, %zmm1, %zmm2: illegal instruction: "
                  "expected one that the CPU model has"});
}

TEST_F(CpuidTest, overrides) {
  machine->overrideCpuid(1, 0, {1, 2, 3, 4});
  CpuidRegisters answer = machine->cpuid(1, 0);
  EXPECT_EQ(answer.eax, 1u);
  EXPECT_EQ(answer.ebx, 2u);
  EXPECT_EQ(answer.ecx, 3u);
  EXPECT_EQ(answer.edx, 4u);
  // The leaf has no subleaves: what is in ECX does not matter.
  EXPECT_EQ(machine->cpuid(1, 5).eax, 1u);
  CpuidRegisters features = machine->cpuid(7, 0);
  features.edx &= ~amxBf16;
  machine->overrideCpuid(7, 0, features);
  EXPECT_EQ(machine->cpuid(7, 0).edx & (amxBf16 | amxTile), amxTile);
  EXPECT_EQ(machine->cpuid(7, 1).eax & avx512Bf16, avx512Bf16);
}

TEST_F(CpuidTest, codeGoesOnBehindTheInstruction) {
  machine->overrideCpuid(1, 0, {7, 0, 0, 0});
  CallResult result = run("pushq %rbx; movl $1, %eax; cpuid; incl %eax\n"
                          "popq %rbx");
  EXPECT_EQ(textsOf(result), Texts());
  EXPECT_EQ(result.value, 8u);
}
