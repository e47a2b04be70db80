//===- SelectTest.cpp - Choice of a variant on mocked CPUs ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeKernel.h"
extern "C" {
#include "Select.h"
}

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace {

// Bits of CPUID.1:ECX and CPUID.7.0:EBX.
enum : uint32_t {
  FMA = 1u << 12,
  OSXSAVE = 1u << 27,
  AVX = 1u << 28,
  F16C = 1u << 29,
  AVX2 = 1u << 5,
  BMI2 = 1u << 8
};

/// A mocked CPU; the default has all of AVX2.
struct Cpu {
  uint32_t maxLeaf = 7;
  uint32_t leaf1 = FMA | OSXSAVE | AVX | F16C;
  uint32_t leaf7 = AVX2 | BMI2;
  uint64_t xcr0 = 0x7;
};

Cpu current;
bool xcr0Read;

const dn_cpu_source mock = {
    [](uint32_t leaf, uint32_t subleaf, uint32_t registers[4]) {
      EXPECT_LE(leaf, current.maxLeaf);
      EXPECT_EQ(subleaf, 0u);
      registers[0] = registers[1] = registers[2] = registers[3] = 0;
      if (leaf == 0)
        registers[0] = current.maxLeaf;
      if (leaf == 1)
        registers[2] = current.leaf1;
      if (leaf == 7)
        registers[1] = current.leaf7;
    },
    [] {
      // XGETBV without OSXSAVE is an invalid instruction.
      EXPECT_TRUE(current.leaf1 & OSXSAVE);
      xcr0Read = true;
      return current.xcr0;
    }};

struct Set {
  dn_kernel avx2 = makeFakeKernel(DN_ISA_AVX2);
  dn_kernel generic = makeFakeKernel(DN_ISA_GENERIC);
  const dn_kernel *variants[2] = {&avx2, &generic};
  dn_kernel_set set = {sizeof(dn_kernel_set), 2, "fake", variants};
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
     "DELTANET_ISA: expected generic or avx2, got 'AVX2'"},
};

class SelectTest : public testing::TestWithParam<Row> {};

TEST_P(SelectTest, PicksWithReason) {
  const Row &row = GetParam();
  current = row.cpu;
  Set fake;
  dn_selection chosen;
  EXPECT_EQ(dn_select_on(&mock, row.cap, &fake.set, &chosen), row.status);
  EXPECT_STREQ(chosen.reason, row.reason);
  if (row.isa < 0) {
    EXPECT_EQ(chosen.kernel, nullptr);
  } else {
    ASSERT_NE(chosen.kernel, nullptr);
    EXPECT_EQ(chosen.kernel->isa, uint32_t(row.isa));
  }
}

INSTANTIATE_TEST_SUITE_P(Mocked, SelectTest, testing::ValuesIn(rows),
                         [](const testing::TestParamInfo<Row> &info) {
                           return info.param.name;
                         });

TEST(SelectTest, NothingRunsHere) {
  current = without(0, AVX2);
  Set fake;
  fake.set.variant_count = 1;
  dn_selection chosen;
  EXPECT_EQ(dn_select_on(&mock, nullptr, &fake.set, &chosen), DN_ERROR_ISA);
  EXPECT_EQ(chosen.kernel, nullptr);
  EXPECT_STREQ(chosen.reason,
               "no variant runs here; avx2 skipped: CPU lacks AVX2");
}

TEST(SelectTest, LevelOfALaterRuntimeIsSkipped) {
  current = Cpu();
  Set fake;
  fake.avx2.isa = 77;
  dn_selection chosen;
  EXPECT_EQ(dn_select_on(&mock, nullptr, &fake.set, &chosen), DN_OK);
  EXPECT_EQ(chosen.kernel, &fake.generic);
  EXPECT_STREQ(chosen.reason,
               "generic chosen; level 77 skipped: unknown to this runtime");
}

TEST(SelectTest, GenericNeedsNothingFromTheSystem) {
  current = withMaxLeaf(0);
  xcr0Read = false;
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
  EXPECT_STREQ(message, "DELTANET_ISA: expected generic or avx2, got 'sse9'");
  unsetenv("DELTANET_ISA");
  EXPECT_EQ(dn_isa_check(DN_ISA_GENERIC, message, sizeof message), DN_OK);
  EXPECT_STREQ(message, "");
}

TEST(SelectTest, HostAgreesWithTheCompiler) {
#if defined(__x86_64__)
  bool expected =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2");
#else
  bool expected = false;
#endif
  char message[DN_MESSAGE_BYTES];
  EXPECT_EQ(dn_isa_check(DN_ISA_AVX2, message, sizeof message) == DN_OK,
            expected)
      << message;
}

TEST(SelectTest, LevelsHaveNames) {
  EXPECT_STREQ(dn_isa_name(DN_ISA_GENERIC), "generic");
  EXPECT_STREQ(dn_isa_name(DN_ISA_AVX2), "avx2");
  EXPECT_EQ(dn_isa_name(2), nullptr);
}

} // namespace
