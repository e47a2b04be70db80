//===- AsyncCopyTest.cpp - Copies into shared memory ----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MemoryKernel.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

/// Copies word t of 'in', runs the instructions, and stores word t ^ 1 of the
/// tile.
static MemoryOutcome copyAndExchange(const std::string &instructions) {
  return runOnMemory("mad.wide.u32 %l0, %t, 4, %in;\n"
                     "cp.async.ca.shared.global [%mine], [%l0], 4;\n" +
                         instructions +
                         "xor.b32 %r0, %mine, 4;\n"
                         "ld.shared.u32 %r1, [%r0];\n"
                         "st.global.u32 [%own], %r1;",
                     64);
}

TEST(AsyncCopy, AWaitAndABarrierShowACopyToAll) {
  for (const char *wait :
       {"cp.async.wait_all;\n",
        "cp.async.commit_group;\ncp.async.wait_group 0;\n"}) {
    MemoryOutcome outcome =
        copyAndExchange(wait + std::string("bar.sync 0;\n"));
    EXPECT_EQ(outcome.finding(), "0 findings");
    for (unsigned t = 0; t < 64; ++t)
      EXPECT_EQ(outcome.o[t], (t ^ 1) + 1);
  }
}

TEST(AsyncCopy, ABarrierIsNoWait) {
  MemoryOutcome outcome = copyAndExchange("bar.sync 0;\n");
  ASSERT_EQ(outcome.findings.size(), 2u);
  EXPECT_EQ(outcome.findings[0].what,
            "read of 4 bytes, in 'tile' at byte 4: nobody has waited for the "
            "asynchronous copy by warp 0, lane 1");
  EXPECT_EQ(outcome.findings[1].what,
            "expected a wait for all copies before the thread ends, got 1 "
            "without one");
  // The copy has not happened.
  EXPECT_EQ(outcome.o[0], ~0u);
}

TEST(AsyncCopy, AWaitIsNoBarrier) {
  EXPECT_EQ(copyAndExchange("cp.async.wait_all;\n").finding(),
            "test.ptx:28: ld.shared.u32 %r1, [%r0]: data race: read of 4 "
            "bytes, in 'tile' at byte 4: race with a write by warp 0, lane 1 "
            "(block 0,0,0, warp 0, lane 0)");
}

TEST(AsyncCopy, ABarrierBeforeTheWaitIsNotEnough) {
  MemoryOutcome outcome = copyAndExchange("bar.sync 0;\ncp.async.wait_all;\n");
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].kind, FindingKind::DataRace);
}

TEST(AsyncCopy, OnlyTheLatestGroupsAreLeft) {
  const std::string copies = R"(
    cp.async.ca.shared.global [tile], [%in], 4;
    cp.async.commit_group;
    cp.async.cg.shared.global [tile+16], [%in+16], 16;
    cp.async.commit_group;
    cp.async.wait_group 1;
    ld.shared.u32 %r0, [tile];
    st.global.u32 [%o], %r0;
    )";
  MemoryOutcome outcome =
      runOnMemory(copies + "cp.async.wait_group 0;\nld.shared.u32 %r1, "
                           "[tile+28];\nst.global.u32 [%o+4], %r1;",
                  1);
  EXPECT_EQ(outcome.finding(), "0 findings");
  EXPECT_EQ(outcome.o[0], 1u);
  EXPECT_EQ(outcome.o[1], 8u);
  outcome = runOnMemory(copies + "ld.shared.u32 %r1, [tile+28];\n"
                                 "cp.async.wait_all;",
                        1);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].kind, FindingKind::UnwaitedCopy);
}

TEST(AsyncCopy, CopiesWithoutAGroupAreNotWaitedForByGroup) {
  MemoryOutcome outcome = runOnMemory(R"(
    cp.async.ca.shared.global [tile], [%in], 4;
    cp.async.wait_group 0;
    ld.shared.u32 %r0, [tile];
    cp.async.wait_all;)",
                                      1);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].kind, FindingKind::UnwaitedCopy);
}

TEST(AsyncCopy, MissingBytesOfTheSourceAreZero) {
  // Without bytes the source may lie anywhere.
  MemoryOutcome outcome = runOnMemory(R"(
    mul.lo.u32 %r0, %t, 4;
    mul.lo.u32 %r1, %t, 16;
    mov.u32 %r2, tile;
    add.u32 %r2, %r2, %r1;
    mad.wide.u32 %l0, %t, 16, %in;
    setp.eq.u32 %p0, %t, 0;
    @%p0 mov.u64 %l0, 0;
    cp.async.cg.shared.global.L2::128B [%r2], [%l0], 16, %r0;
    cp.async.wait_all;
    bar.sync 0;
    mad.wide.u32 %l1, %t, 12, %own;
    ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r2];
    st.global.v4.u32 [%l1], {%r3, %r4, %r5, %r6};)",
                                      4);
  EXPECT_EQ(outcome.finding(), "0 findings");
  outcome.o.resize(16);
  EXPECT_EQ(outcome.o, std::vector<uint32_t>({0, 0, 0, 0, 5, 0, 0, 0, 9, 10, 0,
                                              0, 13, 14, 15, 0}));
}

TEST(AsyncCopy, BothSidesAreChecked) {
  auto kindOf = [](const char *body) {
    MemoryOutcome outcome = runOnMemory(body, 1);
    EXPECT_EQ(outcome.findings.size(), 1u) << body << outcome.error;
    return outcome.findings.empty() ? FindingKind::Deadlock
                                    : outcome.findings[0].kind;
  };
  EXPECT_EQ(kindOf("cp.async.cg.shared.global [tile+4096], [%in], 16;"),
            FindingKind::OutOfBounds);
  EXPECT_EQ(kindOf("cp.async.cg.shared.global [tile], [%in+4096], 16;"),
            FindingKind::OutOfBounds);
  EXPECT_EQ(kindOf("cp.async.cg.shared.global [tile+8], [%in], 16;"),
            FindingKind::Misaligned);
  EXPECT_EQ(kindOf("cp.async.cg.shared.global [tile], [%in+8], 16, 8;"),
            FindingKind::Misaligned);
  EXPECT_EQ(kindOf("cp.async.cg.shared.global [tile], [%in], 16, 17;"),
            FindingKind::IllegalInstruction);
  EXPECT_EQ(kindOf("cp.async.cg.shared.global [tile], [%o], 16;\n"
                   "cp.async.wait_all;"),
            FindingKind::Uninitialised);
}

TEST(AsyncCopy, TheSourceIsReadAtTheWait) {
  MemoryOutcome outcome = runOnMemory(R"(
    setp.eq.u32 %p0, %t, 0;
    setp.eq.u32 %p1, %t, 32;
    @%p0 st.global.u32 [%o], 1;
    @%p0 cp.async.ca.shared.global [tile], [%o], 4;
    bar.sync 0;
    @%p1 st.global.u32 [%o], 2;
    @%p0 cp.async.wait_all;)",
                                      64);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].kind, FindingKind::DataRace);
}

TEST(AsyncCopy, WhatIsNotKnownIsAnError) {
  for (const char *body :
       {"cp.async.cg.shared.global [tile], [%in], 8;",
        "cp.async.ca.shared.global [tile], [%in], 2;",
        "cp.async.ca.shared.global [tile], [%in], 4, %p0;",
        "cp.async.wait_group -1;", "cp.async.wait_group %r0;",
        "cp.async.bulk.commit_group;", "cp.async.mbarrier.arrive.b64 [tile];",
        "cp.async.ca.global.shared [%in], [tile], 4, 4, 4;"})
    EXPECT_NE(runOnMemory(body).error, "") << body;
}
