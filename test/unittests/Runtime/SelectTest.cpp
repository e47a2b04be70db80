//===- SelectTest.cpp - Choice of a variant on mocked CPUs ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeKernel.h"
#include "MockedCpu.h"
extern "C" {
#include "cpu/Select.h"
}

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace {

/// A library of the time when there were two levels.
struct Set {
  dn_kernel avx2 = makeFakeKernel(DN_ISA_AVX2);
  dn_kernel generic = makeFakeKernel(DN_ISA_GENERIC);
  const dn_kernel *variants[2] = {&avx2, &generic};
  dn_kernel_set set = {sizeof(dn_kernel_set), 2, "fake", variants};
};

/// A library with all levels but the one with tiles (SelectTilesTest.cpp).
struct WideSet {
  dn_kernel kernels[4] = {
      makeFakeKernel(DN_ISA_AVX512_BF16), makeFakeKernel(DN_ISA_AVX512),
      makeFakeKernel(DN_ISA_AVX2), makeFakeKernel(DN_ISA_GENERIC)};
  const dn_kernel *variants[4] = {kernels, kernels + 1, kernels + 2,
                                  kernels + 3};
  dn_kernel_set set = {sizeof(dn_kernel_set), 4, "wide", variants};
};

struct Row {
  const char *name;
  Cpu cpu;
  const char *cap;
  dn_status status;
  int isa; ///< of the chosen variant
  const char *reason;
};

std::ostream &operator<<(std::ostream &os, const Row &row) {
  return os << row.name;
}

Cpu without(uint32_t leaf1, uint32_t leaf7 = 0) {
  Cpu cpu;
  cpu.leaf1 &= ~leaf1;
  cpu.leaf7 &= ~leaf7;
  return cpu;
}

Cpu withoutBf16() {
  Cpu cpu;
  cpu.leaf7_1 = 0;
  return cpu;
}

Cpu withMaxSubleaf(uint32_t subleaf) {
  Cpu cpu;
  cpu.maxSubleaf = subleaf;
  return cpu;
}

Cpu withXcr0(uint64_t xcr0) {
  Cpu cpu;
  cpu.xcr0 = xcr0;
  return cpu;
}

Cpu withMaxLeaf(uint32_t leaf) {
  Cpu cpu;
  cpu.maxLeaf = leaf;
  return cpu;
}

const Row rows[] = {
    {"Everything", Cpu(), nullptr, DN_OK, DN_ISA_AVX2, "avx2 chosen"},
    {"Case45_NoYmmState", withXcr0(0x3), nullptr, DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx2 skipped: XCR0 lacks ymm state"},
    {"Case45_NoSseState", withXcr0(0x5), nullptr, DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx2 skipped: XCR0 lacks ymm state"},
    {"Case45_NoXsave", without(OSXSAVE), nullptr, DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx2 skipped: operating system has not enabled XSAVE"},
    {"NoAvx", without(AVX), nullptr, DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx2 skipped: CPU lacks AVX"},
    {"NoAvx2", without(0, AVX2), nullptr, DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx2 skipped: CPU lacks AVX2"},
    {"NoFma", without(FMA), nullptr, DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx2 skipped: CPU lacks FMA"},
    {"NoF16c", without(F16C), nullptr, DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx2 skipped: CPU lacks F16C"},
    {"NoBmi2", without(0, BMI2), nullptr, DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx2 skipped: CPU lacks BMI2"},
    {"OldCpuWithoutLeaf7", withMaxLeaf(1), nullptr, DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx2 skipped: CPU lacks AVX2"},
    {"NoCpuid", withMaxLeaf(0), nullptr, DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx2 skipped: CPU lacks AVX"},
    {"Case43_CapGeneric", Cpu(), "generic", DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx2 skipped: capped by DELTANET_ISA=generic"},
    {"Case43_CapAvx2", Cpu(), "avx2", DN_OK, DN_ISA_AVX2, "avx2 chosen"},
    {"CapAboveCpu", without(0, AVX2), "avx2", DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx2 skipped: CPU lacks AVX2"},
    {"CapEmpty", Cpu(), "", DN_OK, DN_ISA_AVX2, "avx2 chosen"},
    {"CapUnknown", Cpu(), "AVX2", DN_ERROR_ISA, -1,
     "DELTANET_ISA: expected generic, avx2, avx512, avx512_bf16 or amx, got "
     "'AVX2'"},
    {"CapAboveTheLibrary", Cpu(), "avx512", DN_OK, DN_ISA_AVX2, "avx2 chosen"},
};

const Row wideRows[] = {
    {"Everything", Cpu(), nullptr, DN_OK, DN_ISA_AVX512_BF16,
     "avx512_bf16 chosen"},
    {"NoBf16", withoutBf16(), nullptr, DN_OK, DN_ISA_AVX512,
     "avx512 chosen; avx512_bf16 skipped: CPU lacks AVX512_BF16"},
    // What a CPU answers for a subleaf that it has not means nothing.
    {"NoSubleaf", withMaxSubleaf(0), nullptr, DN_OK, DN_ISA_AVX512,
     "avx512 chosen; avx512_bf16 skipped: CPU lacks AVX512_BF16"},
    {"NoAvx512f", without(0, AVX512F), nullptr, DN_OK, DN_ISA_AVX2,
     "avx2 chosen; avx512_bf16 skipped: CPU lacks AVX512F; avx512 skipped: "
     "CPU lacks AVX512F"},
    {"NoAvx512dq", without(0, AVX512DQ), nullptr, DN_OK, DN_ISA_AVX2,
     "avx2 chosen; avx512_bf16 skipped: CPU lacks AVX512DQ; avx512 skipped: "
     "CPU lacks AVX512DQ"},
    {"NoAvx512bw", without(0, AVX512BW), nullptr, DN_OK, DN_ISA_AVX2,
     "avx2 chosen; avx512_bf16 skipped: CPU lacks AVX512BW; avx512 skipped: "
     "CPU lacks AVX512BW"},
    {"NoAvx512vl", without(0, AVX512VL), nullptr, DN_OK, DN_ISA_AVX2,
     "avx2 chosen; avx512_bf16 skipped: CPU lacks AVX512VL; avx512 skipped: "
     "CPU lacks AVX512VL"},
    {"NoFma", without(FMA), nullptr, DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx512_bf16 skipped: CPU lacks FMA; avx512 skipped: CPU "
     "lacks FMA; avx2 skipped: CPU lacks FMA"},
    {"NoMaskState", withXcr0(0xc7), nullptr, DN_OK, DN_ISA_AVX2,
     "avx2 chosen; avx512_bf16 skipped: XCR0 lacks zmm state; avx512 skipped: "
     "XCR0 lacks zmm state"},
    {"NoUpperHalves", withXcr0(0xa7), nullptr, DN_OK, DN_ISA_AVX2,
     "avx2 chosen; avx512_bf16 skipped: XCR0 lacks zmm state; avx512 skipped: "
     "XCR0 lacks zmm state"},
    {"NoUpperRegisters", withXcr0(0x67), nullptr, DN_OK, DN_ISA_AVX2,
     "avx2 chosen; avx512_bf16 skipped: XCR0 lacks zmm state; avx512 skipped: "
     "XCR0 lacks zmm state"},
    {"NoYmmState", withXcr0(0xe3), nullptr, DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx512_bf16 skipped: XCR0 lacks ymm state; avx512 "
     "skipped: XCR0 lacks ymm state; avx2 skipped: XCR0 lacks ymm state"},
    {"NoXsave", without(OSXSAVE), nullptr, DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx512_bf16 skipped: operating system has not enabled "
     "XSAVE; avx512 skipped: operating system has not enabled XSAVE; avx2 "
     "skipped: operating system has not enabled XSAVE"},
    {"CapAvx512Bf16", Cpu(), "avx512_bf16", DN_OK, DN_ISA_AVX512_BF16,
     "avx512_bf16 chosen"},
    {"CapAvx512", Cpu(), "avx512", DN_OK, DN_ISA_AVX512,
     "avx512 chosen; avx512_bf16 skipped: capped by DELTANET_ISA=avx512"},
    {"CapAvx2", Cpu(), "avx2", DN_OK, DN_ISA_AVX2,
     "avx2 chosen; avx512_bf16 skipped: capped by DELTANET_ISA=avx2; avx512 "
     "skipped: capped by DELTANET_ISA=avx2"},
    {"CapGeneric", Cpu(), "generic", DN_OK, DN_ISA_GENERIC,
     "generic chosen; avx512_bf16 skipped: capped by DELTANET_ISA=generic; "
     "avx512 skipped: capped by DELTANET_ISA=generic; avx2 skipped: capped by "
     "DELTANET_ISA=generic"},
};

class SelectTest : public testing::TestWithParam<Row> {};
class SelectWideTest : public testing::TestWithParam<Row> {};

void expectRow(const Row &row, const dn_kernel_set &set) {
  mockCpu(row.cpu);
  dn_selection chosen;
  EXPECT_EQ(dn_select_on(&mock, row.cap, &set, &chosen), row.status);
  EXPECT_STREQ(chosen.reason, row.reason);
  if (row.isa < 0) {
    EXPECT_EQ(chosen.kernel, nullptr);
  } else {
    ASSERT_NE(chosen.kernel, nullptr);
    EXPECT_EQ(chosen.kernel->isa, uint32_t(row.isa));
  }
}

TEST_P(SelectTest, PicksWithReason) { expectRow(GetParam(), Set().set); }
TEST_P(SelectWideTest, PicksWithReason) {
  expectRow(GetParam(), WideSet().set);
}

std::string nameOf(const testing::TestParamInfo<Row> &info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Mocked, SelectTest, testing::ValuesIn(rows), nameOf);
INSTANTIATE_TEST_SUITE_P(Mocked, SelectWideTest, testing::ValuesIn(wideRows),
                         nameOf);

TEST(SelectTest, TheLongestReasonIsWhole) {
  mockCpu(without(OSXSAVE));
  dn_kernel amx = makeFakeKernel(DN_ISA_AMX);
  WideSet wide;
  const dn_kernel *variants[] = {&amx, wide.variants[0], wide.variants[1],
                                 wide.variants[2]};
  wide.set.variants = variants;
  dn_selection chosen;
  EXPECT_EQ(dn_select_on(&mock, nullptr, &wide.set, &chosen), DN_ERROR_ISA);
  std::string reason = "no variant runs here";
  for (const char *level : {"amx", "avx512_bf16", "avx512", "avx2"})
    reason += std::string("; ") + level +
              " skipped: operating system has not enabled XSAVE";
  EXPECT_EQ(chosen.reason, reason);
}

TEST(SelectTest, NothingRunsHere) {
  mockCpu(without(0, AVX2));
  Set fake;
  fake.set.variant_count = 1;
  dn_selection chosen;
  EXPECT_EQ(dn_select_on(&mock, nullptr, &fake.set, &chosen), DN_ERROR_ISA);
  EXPECT_EQ(chosen.kernel, nullptr);
  EXPECT_STREQ(chosen.reason,
               "no variant runs here; avx2 skipped: CPU lacks AVX2");
}

TEST(SelectTest, LevelOfALaterRuntimeIsSkipped) {
  mockCpu(Cpu());
  Set fake;
  fake.avx2.isa = 77;
  dn_selection chosen;
  EXPECT_EQ(dn_select_on(&mock, nullptr, &fake.set, &chosen), DN_OK);
  EXPECT_EQ(chosen.kernel, &fake.generic);
  EXPECT_STREQ(chosen.reason,
               "generic chosen; level 77 skipped: unknown to this runtime");
}

TEST(SelectTest, GenericNeedsNothingFromTheSystem) {
  mockCpu(withMaxLeaf(0));
  EXPECT_EQ(dn_isa_check_on(&mock, nullptr, DN_ISA_GENERIC, {nullptr, 0}),
            DN_OK);
  EXPECT_FALSE(xcr0Read);
}

TEST(SelectTest, BrokenSetsAreRefused) {
  Set fake;
  dn_selection chosen;
  EXPECT_EQ(dn_select(nullptr, &chosen), DN_ERROR_ABI);
  EXPECT_STREQ(chosen.reason, "kernel set: expected one, got null");
  fake.set.variant_count = 0;
  EXPECT_EQ(dn_select(&fake.set, &chosen), DN_ERROR_ABI);
  fake.set.variant_count = 2;
  fake.generic.abi_major = 7;
  EXPECT_EQ(dn_select(&fake.set, &chosen), DN_ERROR_ABI);
  EXPECT_STREQ(chosen.reason, "kernel: expected ABI major 1, got 7");
  EXPECT_EQ(chosen.kernel, nullptr);
  fake.set.variants = nullptr;
  EXPECT_EQ(dn_select(&fake.set, &chosen), DN_ERROR_ABI);
  EXPECT_STREQ(chosen.reason, "kernel set: expected 2 variants, got null");
}

TEST(SelectTest, EnvironmentCapsTheHost) {
  Set fake;
  dn_selection chosen;
  char message[DN_MESSAGE_BYTES];
  setenv("DELTANET_ISA", "generic", 1);
  EXPECT_EQ(dn_select(&fake.set, &chosen), DN_OK);
  EXPECT_EQ(chosen.kernel, &fake.generic);
  EXPECT_EQ(dn_isa_check(DN_ISA_AVX2, message, sizeof message), DN_ERROR_ISA);
  setenv("DELTANET_ISA", "sse9", 1);
  EXPECT_EQ(dn_select(&fake.set, &chosen), DN_ERROR_ISA);
  EXPECT_EQ(dn_isa_check(DN_ISA_GENERIC, message, sizeof message),
            DN_ERROR_ISA);
  EXPECT_STREQ(message, "DELTANET_ISA: expected generic, avx2, avx512, "
                        "avx512_bf16 or amx, got 'sse9'");
  unsetenv("DELTANET_ISA");
  EXPECT_EQ(dn_isa_check(DN_ISA_GENERIC, message, sizeof message), DN_OK);
  EXPECT_STREQ(message, "");
}

TEST(SelectTest, HostAgreesWithTheCompiler) {
  bool avx2 = false, avx512 = false, bf16 = false;
#if defined(__x86_64__)
  avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2");
  avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
  bf16 = avx512 && __builtin_cpu_supports("avx512bf16");
#endif
  char message[DN_MESSAGE_BYTES];
  for (auto [isa, expected] : {std::pair{DN_ISA_AVX2, avx2},
                               {DN_ISA_AVX512, avx512},
                               {DN_ISA_AVX512_BF16, bf16}})
    EXPECT_EQ(dn_isa_check(isa, message, sizeof message) == DN_OK, expected)
        << message;
}

TEST(SelectTest, LevelsHaveNames) {
  EXPECT_STREQ(dn_isa_name(DN_ISA_GENERIC), "generic");
  EXPECT_STREQ(dn_isa_name(DN_ISA_AVX2), "avx2");
  EXPECT_STREQ(dn_isa_name(DN_ISA_AVX512), "avx512");
  EXPECT_STREQ(dn_isa_name(DN_ISA_AVX512_BF16), "avx512_bf16");
  EXPECT_STREQ(dn_isa_name(DN_ISA_AMX), "amx");
  EXPECT_EQ(dn_isa_name(5), nullptr);
}

} // namespace
