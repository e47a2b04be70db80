//===- ControlTest.cpp - Threads that go different ways -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MemoryKernel.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

TEST(Control, ThreadsThatPartMeetAgain) {
  MemoryOutcome outcome = runOnMemory(R"(
    setp.lt.u32 %p0, %t, 10;
    mov.u32 %r0, 0;
    @%p0 bra small;
    add.u32 %r0, %r0, 100;
    bra.uni end;
  small:
    add.u32 %r0, %r0, 1;
  end:
    activemask.b32 %r1;
    add.u32 %r0, %r0, %t;
    setp.eq.u32 %p1, %r1, -1;
    @%p1 add.u32 %r0, %r0, 1000;
    st.global.u32 [%own], %r0;
  )");
  EXPECT_EQ(outcome.finding(), "0 findings");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(outcome.o[t], (t < 10 ? 1 : 100) + t + 1000) << t;
}

TEST(Control, WhatTheyMeetAfterMayComeBeforeInTheText) {
  // As compilers put what few threads do behind a loop.
  MemoryOutcome outcome = runOnMemory(R"(
    mov.u32 %r0, 0;
    mov.u32 %r2, 0;
    setp.lt.u32 %p0, %t, 8;
    bra.uni body;
  next:
    activemask.b32 %r1;
    setp.eq.u32 %p1, %r1, -1;
    @%p1 add.u32 %r2, %r2, 1;
    add.u32 %r0, %r0, 1;
    setp.lt.u32 %p2, %r0, 5;
    @%p2 bra body;
    bra.uni end;
  body:
    @!%p0 bra next;
    add.u32 %r2, %r2, 100;
    bra.uni next;
  end:
    st.global.u32 [%own], %r2;
  )");
  EXPECT_EQ(outcome.finding(), "0 findings");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(outcome.o[t], (t < 8 ? 505u : 5u)) << t;
}

TEST(Control, EachThreadLoopsAsOftenAsItWants) {
  MemoryOutcome outcome = runOnMemory(R"(
    mov.u32 %r0, 0;
    mov.u32 %r1, %t;
  again:
    setp.eq.u32 %p0, %r1, 0;
    @%p0 bra done;
    add.u32 %r0, %r0, %r1;
    sub.u32 %r1, %r1, 1;
    bra again;
  done:
    st.global.u32 [%own], %r0;
  )",
                                      70);
  EXPECT_EQ(outcome.finding(), "0 findings");
  for (unsigned t = 0; t < 70; ++t)
    EXPECT_EQ(outcome.o[t], t * (t + 1) / 2) << t;
  EXPECT_EQ(outcome.o[70], ~0u);
}

TEST(Control, ThreadsEndOnTheirOwn) {
  MemoryOutcome outcome = runOnMemory(R"(
    and.b32 %r0, %t, 1;
    setp.eq.u32 %p0, %r0, 1;
    @!%p0 st.global.u32 [%own], 7;
    @!%p0 exit;
    st.global.u32 [%own], 8;
  )");
  EXPECT_EQ(outcome.finding(), "0 findings");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(outcome.o[t], t % 2 ? 8u : 7u) << t;
}

TEST(Control, EndlessLoopsEnd) {
  LaunchOptions options;
  options.instructionLimit = 1000;
  EXPECT_EQ(runOnMemory("again: bra again;", 32, 1, options).finding(),
            "test.ptx:24: bra again: instruction limit: expected at most 1000 "
            "instructions (block 0,0,0, warp 0, lane 0)");
}

TEST(Control, TrapsAreFindings) {
  EXPECT_EQ(runOnMemory("setp.eq.u32 %p0, %t, 5;\n@%p0 trap;").finding(),
            "test.ptx:25: trap: illegal instruction: a trap (block 0,0,0, warp "
            "0, lane 5)");
}

TEST(Control, UnknownInstructionsAreErrors) {
  EXPECT_EQ(runOnMemory("vabsdiff.s32.s32.s32 %r0, %r1, %r2, %r3;").error,
            "test.ptx:24:1: expected an instruction that is known here, got "
            "'vabsdiff.s32.s32.s32 %r0, %r1, %r2, %r3'");
  EXPECT_EQ(runOnMemory("add.wrong.u32 %r0, %r1, %r2;").error,
            "test.ptx:24:1: expected a form of 'add' that is known here, got "
            "'.wrong' in it");
  EXPECT_EQ(runOnMemory("add.u32 %r0, %r1, %r2, %r3;").error,
            "test.ptx:24:1: expected 3 operands, got 4");
  EXPECT_EQ(runOnMemory("add.u32 %r0, %r1;").error,
            "test.ptx:24:1: expected more operands than 2");
  EXPECT_EQ(runOnMemory("add.u64 %l0, %l1, %r2;").error,
            "test.ptx:24:1: expected a register of 64 bits, got '%r2' of 32");
  EXPECT_EQ(runOnMemory("add.f32 %f0, %f1, 5;").error,
            "test.ptx:24:1: expected a number with a fraction, as 0f3F800000, "
            "got '5'");
  EXPECT_EQ(runOnMemory("add.u32 %r0, %r1, 1.5;").error,
            "test.ptx:24:1: expected an integer, got '1.5'");
  EXPECT_EQ(runOnMemory("mov.b32 %r0, 0f3F800000;").error, "");
  EXPECT_EQ(runOnMemory("add.u32 %r0, %r1, %clock;").error,
            "test.ptx:24:1: expected a special register that is known here, "
            "got '%clock'");
}
