//===- MemoryFindingsTest.cpp - Accesses that are wrong -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MemoryKernel.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

/// The finding after its position and instruction.
static std::string findingOf(llvm::StringRef body, unsigned threads = 32,
                             unsigned blocks = 1) {
  MemoryOutcome outcome = runOnMemory(body, threads, blocks);
  EXPECT_EQ(outcome.error, "");
  if (outcome.findings.size() != 1)
    return outcome.finding();
  const Finding &finding = outcome.findings[0];
  std::string text = finding.text(), begin = finding.place + ": ";
  begin += finding.instruction + ": ";
  EXPECT_EQ(text.substr(0, begin.size()), begin);
  return text.substr(begin.size());
}

TEST(MemoryFindings, TheFirstWordAfterABuffer) {
  EXPECT_EQ(runOnMemory("st.global.u32 [%own+4096], %t;").finding(),
            "test.ptx:24: st.global.u32 [%own+4096], %t: out of bounds: write "
            "of 4 bytes, 0 bytes after 'o' (block 0,0,0, warp 0, lane 0)");
  EXPECT_EQ(findingOf("st.global.u32 [%own+4056], %t;"),
            "out of bounds: write of 4 bytes, 0 bytes after 'o' (block 0,0,0, "
            "warp 0, lane 10)");
  EXPECT_EQ(findingOf("ld.global.u32 %r0, [%in+-4];"),
            "out of bounds: read of 4 bytes, 4 bytes before 'in' (block 0,0,0, "
            "warp 0, lane 0)");
}

TEST(MemoryFindings, SharedMemoryHasBounds) {
  EXPECT_EQ(findingOf("st.shared.u32 [%mine+4092], %t;"),
            "out of bounds: write of 4 bytes, at byte 4096 of 4096 of shared "
            "memory (block 0,0,0, warp 0, lane 1)");
  EXPECT_EQ(findingOf("st.shared.v2.u32 [tile+4096], {%t, %t};", 1),
            "out of bounds: write of 8 bytes, at byte 4096 of 4096 of shared "
            "memory (block 0,0,0, warp 0, lane 0)");
  EXPECT_EQ(findingOf("ld.local.u32 %r0, [own+64];", 1),
            "out of bounds: read of 4 bytes, at byte 64 of 64 of local memory "
            "(block 0,0,0, warp 0, lane 0)");
}

TEST(MemoryFindings, LocalMemoryIsReadOnceItIsWritten) {
  EXPECT_EQ(findingOf("ld.local.u32 %r0, [own+8];", 1),
            "uninitialised: read of 4 bytes, at byte 8 of 64 of local memory "
            "(block 0,0,0, warp 0, lane 0)");
  EXPECT_EQ(findingOf("st.local.u32 [own+8], %t;\nld.local.u32 %r0, [own+8];"),
            "0 findings");
  EXPECT_EQ(
      findingOf("st.local.u16 [own+8], 1;\nld.local.u32 %r0, [own+8];", 1),
      "uninitialised: read of 4 bytes, at byte 8 of 64 of local memory "
      "(block 0,0,0, warp 0, lane 0)");
  EXPECT_EQ(findingOf("ld.local.u32 %r0, [own+-4];", 1),
            "out of bounds: read of 4 bytes, at byte -4 of 64 of local memory "
            "(block 0,0,0, warp 0, lane 0)");
}

TEST(MemoryFindings, AddressesAreMultiplesOfTheSize) {
  EXPECT_EQ(findingOf("ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%in+8];", 1),
            "misaligned: read of 16 bytes, in 'in' at byte 8, expected a "
            "multiple of 16 (block 0,0,0, warp 0, lane 0)");
  EXPECT_EQ(findingOf("st.shared.u16 [tile+3], 1;", 1),
            "misaligned: write of 2 bytes, in 'tile' at byte 3, expected a "
            "multiple of 2 (block 0,0,0, warp 0, lane 0)");
}

TEST(MemoryFindings, ReadOnlyBuffersAreNotWritten) {
  EXPECT_EQ(findingOf("st.global.u32 [%in+12], 1;", 1),
            "read only: write of 4 bytes, in 'in' at byte 12 (block 0,0,0, "
            "warp 0, lane 0)");
  EXPECT_EQ(findingOf("red.global.add.u32 [%in+12], 1;", 1),
            "read only: atomic access to 4 bytes, in 'in' at byte 12 (block "
            "0,0,0, warp 0, lane 0)");
}

TEST(MemoryFindings, NobodyReadsWhatNobodyWrote) {
  EXPECT_EQ(findingOf("ld.global.u32 %r0, [%own];"),
            "uninitialised: read of 4 bytes, in 'o' at byte 0: nothing has "
            "written byte 0 (block 0,0,0, warp 0, lane 0)");
  EXPECT_EQ(findingOf(R"(
    st.shared.u16 [%mine], 1;
    ld.shared.u32 %r0, [%mine];)"),
            "uninitialised: read of 4 bytes, in 'tile' at byte 0: nothing has "
            "written byte 2 (block 0,0,0, warp 0, lane 0)");
}

static constexpr const char *kReverse = R"(
    st.shared.u32 [%mine], %t;
    BARRIER
    mov.u32 %r0, tile;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r1, %r3, -4, %r0;
    ld.shared.u32 %r2, [%r1+252];
    st.global.u32 [%own], %r2;)";

static std::string reverse(llvm::StringRef barrier) {
  std::string body = kReverse;
  body.replace(body.find("BARRIER"), 7, barrier.str());
  return body;
}

TEST(MemoryFindings, ABarrierOrdersSharedMemory) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    LaunchOptions options;
    options.seed = seed;
    MemoryOutcome outcome = runOnMemory(reverse("bar.sync 0;"), 64, 2, options);
    EXPECT_EQ(outcome.finding(), "0 findings");
    for (unsigned t = 0; t < 64; ++t)
      EXPECT_EQ(outcome.o[t], 63 - t);
  }
}

TEST(MemoryFindings, AMissingBarrierIsARaceInEveryOrder) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    LaunchOptions options;
    options.seed = seed;
    MemoryOutcome outcome =
        runOnMemory(reverse("bar.warp.sync -1;"), 64, 1, options);
    bool isFound = false;
    for (const Finding &finding : outcome.findings)
      isFound |= finding.kind == FindingKind::DataRace;
    EXPECT_TRUE(isFound) << seed;
  }
}

TEST(MemoryFindings, LanesOfAWarpHaveNoOrder) {
  const char *body = R"(
    st.shared.u32 [%mine], %t;
    SYNC
    xor.b32 %r0, %mine, 4;
    ld.shared.u32 %r1, [%r0];)";
  std::string with = body, without = body;
  with.replace(with.find("SYNC"), 4, "bar.warp.sync -1;");
  without.replace(without.find("SYNC"), 4, "");
  EXPECT_EQ(findingOf(with), "0 findings");
  EXPECT_EQ(findingOf(without),
            "data race: read of 4 bytes, in 'tile' at byte 4: race with a "
            "write by warp 0, lane 1 (block 0,0,0, warp 0, lane 0)");
}

TEST(MemoryFindings, BlocksRaceInGlobalMemory) {
  EXPECT_EQ(findingOf("st.global.u32 [%o], 1;", 1, 2),
            "data race: write of 4 bytes, in 'o' at byte 0: race with a write "
            "by warp 0, lane 0, of block 0 (block 1,0,0, warp 0, lane 0)");
  EXPECT_EQ(findingOf("st.global.u32 [%own], 1;", 8, 2), "0 findings");
}

TEST(MemoryFindings, WithoutChecksOnlyFaultsAreFound) {
  LaunchOptions options;
  options.checks = false;
  EXPECT_EQ(runOnMemory("st.global.u32 [%o], %t;\nld.shared.u32 %r0, [tile];",
                        32, 1, options)
                .finding(),
            "0 findings");
  EXPECT_NE(
      runOnMemory("st.global.u32 [%o+4096], %t;", 1, 1, options).finding(),
      "0 findings");
}
