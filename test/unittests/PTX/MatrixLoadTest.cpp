//===- MatrixLoadTest.cpp - Matrices in shared memory ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MemoryKernel.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

/// Puts 2 t and 2 t + 1 into word t of the tile, of which lane l then has row l
/// as its address: the elements of the tile are their indices.
static const std::string kFillTile = R"(
    shl.b32 %r0, %t, 1;
    add.u32 %r1, %r0, 1;
    shl.b32 %r1, %r1, 16;
    or.b32 %r0, %r0, %r1;
    st.shared.u32 [%mine], %r0;
    bar.sync 0;
    and.b32 %r8, %t, 31;
    mul.lo.u32 %r8, %r8, 16;
    mov.u32 %r9, tile;
    add.u32 %r8, %r8, %r9;
    mad.wide.u32 %l0, %t, 12, %own;
    setp.lt.u32 %p0, %t, 32;
    @!%p0 exit;
)";

/// Four registers of each lane after the instructions.
static MemoryOutcome registersAfter(const std::string &instructions) {
  return runOnMemory(kFillTile + instructions +
                         "st.global.v4.u32 [%l0], {%r4, %r5, %r6, %r7};",
                     128);
}

static uint32_t pair(unsigned low, unsigned high) { return low | high << 16; }

TEST(MatrixLoad, FourMatrices) {
  MemoryOutcome outcome = registersAfter(
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r8];");
  EXPECT_EQ(outcome.finding(), "0 findings");
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned matrix = 0; matrix < 4; ++matrix) {
      unsigned first = matrix * 64 + lane / 4 * 8 + lane % 4 * 2;
      EXPECT_EQ(outcome.o[lane * 4 + matrix], pair(first, first + 1));
    }
}

TEST(MatrixLoad, TransposedMatrices) {
  MemoryOutcome outcome =
      registersAfter("mov.u32 %r6, 6;\nmov.u32 %r7, 7;\n"
                     "ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 "
                     "{%r4, %r5}, [%r8];");
  EXPECT_EQ(outcome.finding(), "0 findings");
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned matrix = 0; matrix < 2; ++matrix) {
      unsigned first = matrix * 64 + lane % 4 * 2 * 8 + lane / 4;
      EXPECT_EQ(outcome.o[lane * 4 + matrix], pair(first, first + 8));
    }
    EXPECT_EQ(outcome.o[lane * 4 + 2], 6u);
  }
}

TEST(MatrixLoad, OnlyAddressLanesNeedAddresses) {
  MemoryOutcome outcome =
      registersAfter("setp.ge.u32 %p1, %t, 8;\n@%p1 mov.u32 %r8, 0xFFFFFFF0;\n"
                     "mov.u32 %r5, 5;\nmov.u32 %r6, 6;\nmov.u32 %r7, 7;\n"
                     "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r8];");
  EXPECT_EQ(outcome.finding(), "0 findings");
  EXPECT_EQ(outcome.o[31 * 4], pair(62, 63));
}

TEST(MatrixLoad, StoresAreTheInverse) {
  for (const char *transposed : {"", ".trans"}) {
    std::string load = "ldmatrix.sync.aligned.m8n8.x4", store = "stmatrix";
    load +=
        std::string(transposed) + ".shared.b16 {%r4, %r5, %r6, %r7}, [%r8];\n";
    store += ".sync.aligned.m8n8.x4" + std::string(transposed) +
             ".shared.b16 [%r8+1024], {%r4, %r5, %r6, %r7};\n";
    MemoryOutcome outcome =
        registersAfter(load + store +
                       "bar.warp.sync -1;\n"
                       "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r8+1024];");
    EXPECT_EQ(outcome.finding(), "0 findings");
    for (unsigned word = 0; word < 128; ++word)
      EXPECT_EQ(outcome.o[word], pair(2 * word, 2 * word + 1));
  }
}

TEST(MatrixLoad, RowsAreAligned) {
  MemoryOutcome outcome = registersAfter(
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r8+8];");
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].kind, FindingKind::Misaligned);
}

TEST(MatrixLoad, AllThreadsTakePart) {
  MemoryOutcome outcome = registersAfter(
      "setp.lt.u32 %p1, %t, 8;\n"
      "@%p1 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r8];");
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].kind, FindingKind::Divergence);
}

TEST(MatrixLoad, LanesOfOtherWarpsAreARace) {
  MemoryOutcome outcome = runOnMemory(R"(
    st.shared.u32 [%mine], %t;
    mov.u32 %r8, tile;
    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r8];)",
                                      64);
  ASSERT_FALSE(outcome.findings.empty());
  EXPECT_EQ(outcome.findings[0].kind, FindingKind::DataRace);
}

TEST(MatrixLoad, WhatIsNotKnownIsAnError) {
  for (const char *body :
       {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r4}, [%r8];",
        "ldmatrix.aligned.m8n8.x1.shared.b16 {%r4}, [%r8];",
        "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r4}, [%r8];",
        "ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r4}, [%r8];",
        "stmatrix.sync.aligned.m8n8.x1.shared.b8 [%r8], {%r4};"})
    EXPECT_NE(runOnMemory(body).error, "") << body;
}
