//===- AtomicTest.cpp - Atomic changes of memory --------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MemoryKernel.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

/// The old value and the new one of an operation on a word in one thread.
static void expectChange(const std::string &operation,
                         const std::string &operands, uint32_t old,
                         uint32_t changed) {
  for (const char *space : {"global", "shared"}) {
    std::string place = space == std::string("global") ? "%o+64" : "tile+64";
    std::string text = "st.";
    text += space;
    text += ".b32 [" + place + "], " + std::to_string(old) + ";\natom.";
    text += space;
    text += "." + operation + " %r0, [" + place + "], " + operands + ";\nld.";
    text += space;
    text += ".b32 %r1, [" + place + "];\n";
    text += "st.global.v2.b32 [%o], {%r0, %r1};";
    MemoryOutcome outcome = runOnMemory(text, 1);
    EXPECT_EQ(outcome.finding(), "0 findings") << text;
    if (!outcome.error.empty())
      continue;
    EXPECT_EQ(outcome.o[0], old) << text;
    EXPECT_EQ(outcome.o[1], changed) << text;
  }
}

TEST(Atomic, OperationsOnWords) {
  expectChange("add.u32", "5", 7, 12);
  expectChange("add.s32", "-8", 7, ~0u);
  expectChange("min.u32", "0xFFFFFFFF", 7, 7);
  expectChange("min.s32", "-1", 7, ~0u);
  expectChange("max.u32", "0xFFFFFFFF", 7, ~0u);
  expectChange("max.s32", "-1", 7, 7);
  expectChange("exch.b32", "3", 7, 3);
  expectChange("cas.b32", "7, 9", 7, 9);
  expectChange("cas.b32", "8, 9", 7, 7);
  expectChange("and.b32", "6", 3, 2);
  expectChange("or.b32", "6", 3, 7);
  expectChange("xor.b32", "6", 3, 5);
  expectChange("inc.u32", "9", 8, 9);
  expectChange("inc.u32", "9", 9, 0);
  expectChange("dec.u32", "9", 8, 7);
  expectChange("dec.u32", "9", 0, 9);
  expectChange("dec.u32", "9", 10, 9);
  expectChange("add.f32", "0f3F800000", 0x40000000, 0x40400000);
}

TEST(Atomic, PairsOfHalves) {
  // 1 + 2 and -1 + 0.5; subnormal numbers are kept.
  expectChange("add.noftz.f16x2", "0x38004000", 0xBC003C00, 0xB8004200);
  expectChange("add.noftz.f16x2", "0x00018001", 0x00020001, 0x00030000);
  expectChange("add.noftz.bf16x2", "0x3F004000", 0xBF803F80, 0xBF004040);
  expectChange("add.noftz.bf16x2", "0x00018000", 0x00023F80, 0x00033F80);
}

TEST(Atomic, Halves) {
  MemoryOutcome outcome = runOnMemory(R"(
    st.global.b32 [%o], 0x3C003F80;
    mov.b16 %h1, 0x4000;
    red.global.add.noftz.bf16 [%o], %h1;
    atom.global.add.noftz.f16 %h0, [%o+2], %h1;
    cvt.u32.u16 %r0, %h0;
    st.global.b32 [%o+4], %r0;)",
                                      1);
  EXPECT_EQ(outcome.finding(), "0 findings");
  EXPECT_EQ(outcome.o[0], 0x42004040u);
  EXPECT_EQ(outcome.o[1], 0x3C00u);
}

TEST(Atomic, GlobalMemoryFlushesSubnormalNumbers) {
  MemoryOutcome outcome = runOnMemory(R"(
    st.global.b32 [%o], 0x80000001;
    red.global.add.f32 [%o], 0f80000000;
    st.shared.b32 [tile], 0x00000001;
    red.shared.add.f32 [tile], 0f00000001;
    ld.shared.b32 %r0, [tile];
    st.global.b32 [%o+4], %r0;)",
                                      1);
  EXPECT_EQ(outcome.finding(), "0 findings");
  EXPECT_EQ(outcome.o[0], 0x80000000u);
  EXPECT_EQ(outcome.o[1], 2u);
}

TEST(Atomic, OperationsOnDoubleWords) {
  MemoryOutcome outcome = runOnMemory(R"(
    st.global.u64 [%o], 0xFFFFFFFF;
    atom.relaxed.gpu.global.add.u64 %l0, [%o], 1;
    st.global.u64 [%o+8], %l0;
    st.global.f64 [%o+16], 0d3FF0000000000000;
    red.global.add.f64 [%o+16], 0d3FF0000000000000;
    st.global.u64 [%o+24], 5;
    atom.global.min.s64 %l1, [%o+24], -1;
    atom.global.cas.b64 _, [%o+24], -1, 6;)",
                                      1);
  EXPECT_EQ(outcome.finding(), "0 findings");
  outcome.o.resize(8);
  EXPECT_EQ(outcome.o,
            std::vector<uint32_t>({0, 1, ~0u, 0, 0, 0x40000000, 6, 0}));
}

TEST(Atomic, AllThreadsOfAllBlocksCount) {
  MemoryOutcome outcome = runOnMemory(R"(
    and.b32 %r2, %t, 63;
    setp.eq.u32 %p0, %r2, 0;
    @%p0 st.shared.u32 [tile], 0;
    bar.sync 0;
    red.shared.add.u32 [tile], 1;
    bar.sync 0;
    ld.shared.u32 %r0, [tile];
    st.global.u32 [%own], %r0;)",
                                      64, 3);
  EXPECT_EQ(outcome.finding(), "0 findings");
  for (unsigned t = 0; t < 192; ++t)
    EXPECT_EQ(outcome.o[t], 64u);
}

TEST(Atomic, APlainReadIsARace) {
  MemoryOutcome outcome = runOnMemory(R"(
    setp.eq.u32 %p0, %t, 0;
    @%p0 st.shared.u32 [tile], 0;
    bar.sync 0;
    red.shared.add.u32 [tile], 1;
    ld.shared.u32 %r0, [tile];)",
                                      64);
  ASSERT_EQ(outcome.findings.size(), 2u);
  for (const Finding &finding : outcome.findings)
    EXPECT_EQ(finding.kind, FindingKind::DataRace);
}

TEST(Atomic, WhatIsNotKnownIsAnError) {
  for (const char *body :
       {"atom.global.add.f16x2 %r0, [%o], %r1;",
        "atom.global.max.noftz.f16x2 %r0, [%o], %r1;",
        "atom.global.add.noftz.f32 %f0, [%o], %f1;",
        "atom.global.add.s64 %l0, [%o], %l1;",
        "atom.global.inc.u64 %l0, [%o], %l1;",
        "atom.global.add.b32 %r0, [%o], %r1;",
        "atom.global.cas.b32 %r0, [%o], %r1;",
        "atom.local.add.u32 %r0, [own], %r1;", "red.global.exch.b32 [%o], %r1;",
        "red.global.mul.u32 [%o], %r1;",
        "red.global.add.v2.f32 [%o], {%f0, %f1};"})
    EXPECT_NE(runOnMemory(body).error, "") << body;
}
