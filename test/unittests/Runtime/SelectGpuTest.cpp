//===- SelectGpuTest.cpp - Variants for GPUs among those for CPUs ---------===//
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

namespace {

/// Two variants for GPUs, then one for CPUs.
struct MixedSet {
  dn_kernel sm90 = makeFakeKernel(DN_ISA_CUDA + 90);
  dn_kernel sm80 = makeFakeKernel(DN_ISA_CUDA + 80);
  dn_kernel avx2 = makeFakeKernel(DN_ISA_AVX2);
  const dn_kernel *variants[3] = {&sm90, &sm80, &avx2};
  dn_kernel_set set = {sizeof(dn_kernel_set), 3, "mixed", variants};
};

TEST(SelectGpuTest, ArePassedOver) {
  mockCpu(Cpu());
  MixedSet fake;
  dn_selection chosen;
  for (const char *cap : {"", "avx2", "amx"}) {
    EXPECT_EQ(dn_select_on(&mock, cap, &fake.set, &chosen), DN_OK);
    EXPECT_EQ(chosen.kernel, &fake.avx2);
    EXPECT_STREQ(chosen.reason, "avx2 chosen");
  }
  // The reasons are those of the variants for CPUs.
  EXPECT_EQ(dn_select_on(&mock, "generic", &fake.set, &chosen), DN_ERROR_ISA);
  EXPECT_EQ(chosen.kernel, nullptr);
  EXPECT_STREQ(chosen.reason, "no variant runs here; avx2 skipped: capped by "
                              "DELTANET_ISA=generic");
}

TEST(SelectGpuTest, AloneAreAnError) {
  mockCpu(Cpu());
  MixedSet fake;
  fake.set.variant_count = 2;
  dn_selection chosen;
  EXPECT_EQ(dn_select_on(&mock, nullptr, &fake.set, &chosen), DN_ERROR_ISA);
  EXPECT_EQ(chosen.kernel, nullptr);
  EXPECT_STREQ(chosen.reason,
               "expected a variant for CPUs, got variants for GPUs alone");
}

TEST(SelectGpuTest, LevelsAreNotOfThisMachine) {
  mockCpu(Cpu());
  char message[DN_MESSAGE_BYTES];
  EXPECT_EQ(dn_isa_check_on(&mock, nullptr, DN_ISA_CUDA + 90,
                            dn_message_begin(message, sizeof message)),
            DN_ERROR_ISA);
  EXPECT_STREQ(message, "for GPUs");
}

} // namespace
