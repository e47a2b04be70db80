//===- MemoryTest.cpp - Loads and stores ----------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MemoryKernel.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

/// What thread 0 has stored at the beginning of 'o'.
static std::vector<uint32_t> firstWords(llvm::StringRef body, size_t count) {
  MemoryOutcome outcome = runOnMemory(body, 1);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.finding(), "0 findings");
  outcome.o.resize(count);
  return outcome.o;
}

static std::string errorOf(llvm::StringRef body) {
  return runOnMemory(body).error;
}

using Words = std::vector<uint32_t>;

TEST(Memory, EveryThreadHasItsOwn) {
  MemoryOutcome outcome = runOnMemory(R"(
    mad.wide.u32 %l0, %t, 4, %in;
    ld.global.u32 %r0, [%l0+8];
    st.global.u32 [%own], %r0;)",
                                      48, 2);
  EXPECT_EQ(outcome.finding(), "0 findings");
  for (unsigned t = 0; t < 96; ++t)
    EXPECT_EQ(outcome.o[t], t + 3);
  EXPECT_EQ(outcome.o[96], ~0u);
}

TEST(Memory, AGuardChoosesThreads) {
  MemoryOutcome outcome = runOnMemory(R"(
    setp.lt.u32 %p0, %t, 3;
    @%p0 st.global.u32 [%own], %t;)");
  EXPECT_EQ(outcome.finding(), "0 findings");
  EXPECT_EQ(outcome.o[2], 2u);
  EXPECT_EQ(outcome.o[3], ~0u);
}

TEST(Memory, NarrowTypesAreExtended) {
  EXPECT_EQ(firstWords(R"(
    st.shared.b32 [tile], 0x8182F384;
    ld.shared.s8 %r0, [tile+1];
    ld.shared.u8 %r1, [tile+1];
    ld.shared.s16 %r2, [tile];
    ld.shared.u16 %r3, [tile];
    ld.shared.b8 %r4, [tile+3];
    ld.shared.s32 %l0, [tile];
    ld.shared.u32 %l1, [tile];
    ld.shared.s8 %h0, [tile];
    cvt.u32.u16 %r5, %h0;
    st.global.v4.b32 [%o], {%r0, %r1, %r2, %r3};
    st.global.v2.b32 [%o+16], {%r4, %r5};
    st.global.v2.b64 [%o+32], {%l0, %l1};)",
                       12),
            Words({0xFFFFFFF3, 0xF3, 0xFFFFF384, 0xF384, 0x81, 0xFF84, ~0u, ~0u,
                   0x8182F384, ~0u, 0x8182F384, 0}));
}

TEST(Memory, StoresTakeTheLowBits) {
  EXPECT_EQ(firstWords(R"(
    mov.u32 %r0, 0x11223344;
    mov.u64 %l0, 0x5566778899AABBCC;
    st.global.u8 [%o+3], %r0;
    st.global.u8 [%o+2], 7;
    st.global.u16 [%o], %r0;
    st.global.u32 [%o+4], %l0;
    mov.b16 %h0, 0xABCD;
    st.global.v2.b16 [%o+8], {%h0, %h0};)",
                       3),
            Words({0x44073344, 0x99AABBCC, 0xABCDABCD}));
}

TEST(Memory, VectorsAreInOrder) {
  EXPECT_EQ(firstWords(R"(
    ld.global.nc.v4.u32 {%r0, %r1, _, %r3}, [%in+16];
    ld.global.v8.b32 {%r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11}, [%in+64];
    st.global.v4.u32 [%o], {%r3, %r1, %r0, %r11};)",
                       4),
            Words({8, 6, 5, 24}));
}

TEST(Memory, FloatsAreBits) {
  EXPECT_EQ(firstWords(R"(
    st.global.f32 [%o], 0f3FC00000;
    ld.global.f32 %f0, [%o];
    st.global.f64 [%o+8], 0d4000000000000000;
    ld.global.f64 %d0, [%o+8];
    st.global.f64 [%o+16], %d0;
    st.global.f32 [%o+4], %f0;)",
                       6),
            Words({0x3FC00000, 0x3FC00000, 0, 0x40000000, 0, 0x40000000}));
}

TEST(Memory, LocalMemoryIsOfAThread) {
  MemoryOutcome outcome = runOnMemory(R"(
    st.local.u32 [own+4], %t;
    mov.u64 %l0, own;
    cvta.local.u64 %l0, %l0;
    ld.u32 %r0, [%l0+4];
    st.global.u32 [%own], %r0;)");
  EXPECT_EQ(outcome.finding(), "0 findings");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(outcome.o[t], t);
}

TEST(Memory, GenericAddressesAreOfAllSpaces) {
  MemoryOutcome outcome = runOnMemory(R"(
    cvt.u64.u32 %l0, %mine;
    cvta.shared.u64 %l0, %l0;
    st.u32 [%l0], %t;
    ld.shared::cta.u32 %r0, [%mine];
    mad.wide.u32 %l1, %t, 4, %in;
    ld.u32 %r1, [%l1];
    add.u32 %r0, %r0, %r1;
    isspacep.shared %p0, %l0;
    isspacep.global %p1, %l1;
    isspacep.local %p2, %l0;
    isspacep.global %p3, %l0;
    @%p0 add.u32 %r0, %r0, 100;
    @%p1 add.u32 %r0, %r0, 1000;
    @%p2 add.u32 %r0, %r0, 10000;
    @%p3 add.u32 %r0, %r0, 10000;
    st.u32 [%own], %r0;)");
  EXPECT_EQ(outcome.finding(), "0 findings");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(outcome.o[t], 2 * t + 1101);
}

TEST(Memory, HintsChangeNothing) {
  EXPECT_EQ(firstWords(R"(
    ld.global.ca.u32 %r0, [%in];
    ld.global.nc.L1::no_allocate.L2::128B.u32 %r1, [%in];
    ld.volatile.global.u32 %r2, [%in];
    ld.relaxed.gpu.global.L1::evict_last.u32 %r3, [%in];
    ld.global.L2::cache_hint.u32 %r4, [%in], 0;
    st.release.sys.global.u32 [%o], %r0;
    st.global.wt.u32 [%o+4], %r3;
    prefetch.global.L2 [%in];
    prefetchu.L1 [%in];)",
                       2),
            Words({1, 1}));
}

TEST(Memory, WhatIsNotKnownIsAnError) {
  EXPECT_EQ(errorOf("ld.global.fancy.u32 %r0, [%in];"),
            "test.ptx:24:1: expected a form of 'ld' that is known here, got "
            "'.fancy' in it");
  for (const char *body :
       {"ld.global.nc.ca.cg.u32 %r0, [%in];", "ld.const.u32 %r0, [%in];",
        "ld.global.f16 %h0, [%in];", "ld.global.v3.u32 %r0, [%in];",
        "ld.global.v2.u32 %r0, [%in];", "ld.global.u32 {%r0, %r1}, [%in];",
        "ld.shared.v4.u64 {%l0, %l1, %l2, %l3}, [tile];",
        "ld.global.v8.u16 {%h0,%h1,%h2,%h3,%h4,%h5,%h6,%h7}, [%in];",
        "ld.global.u64 %r0, [%in];", "st.param.u32 [in], %r0;",
        "st.global.u32 [%o], %p0;", "ld.global.u32 %r0, [%in], 5;",
        "isspacep.const %p0, %l0;", "prefetch.global.L3 [%in];"})
    EXPECT_NE(errorOf(body), "") << body;
}
