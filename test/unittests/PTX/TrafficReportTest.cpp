//===- TrafficReportTest.cpp - What accesses cost in a launch -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MemoryKernel.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

TEST(TrafficReport, CountsRequestsAndBytes) {
  MemoryOutcome outcome = runOnMemory(R"(
    setp.lt.u32 %p0, %t, 40;
    @%p0 st.global.u32 [%own], %t;)",
                                      64);
  EXPECT_EQ(outcome.finding(), "0 findings");
  const AccessCounts *store = nullptr;
  for (const AccessCounts &counts : outcome.report.accesses)
    if (counts.instruction == "st.global.u32 [%own], %t")
      store = &counts;
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(store->line, 26u);
  EXPECT_EQ(store->space, Space::Global);
  EXPECT_EQ(store->requests, 2u);
  EXPECT_EQ(store->bytes, 160u);
  EXPECT_EQ(store->parts, 5u);
  EXPECT_EQ(store->idealParts, 5u);
}

TEST(TrafficReport, CountsBankConflicts) {
  MemoryOutcome outcome = runOnMemory(R"(
    mov.u32 %r0, tile;
    mad.lo.u32 %r1, %t, 128, %r0;
    st.shared.u32 [%r1], %t;
    ld.shared.u32 %r2, [%r1];
    cvt.u64.u32 %l0, %r1;
    cvta.shared.u64 %l0, %l0;
    ld.u32 %r2, [%l0];)");
  EXPECT_EQ(outcome.finding(), "0 findings");
  EXPECT_EQ(outcome.traffic("st.shared"), "32 of 1");
  EXPECT_EQ(outcome.traffic("ld.shared"), "32 of 1");
  EXPECT_EQ(outcome.traffic("ld.u32"), "32 of 1");
}

TEST(TrafficReport, CountsSectorsOfLoadsAndCopies) {
  MemoryOutcome outcome = runOnMemory(R"(
    mad.wide.u32 %l0, %t, 64, %in;
    ld.global.u32 %r0, [%l0];
    mad.lo.u32 %r1, %t, 12, %mine;
    cp.async.cg.shared.global [%r1], [%l0], 16;
    cp.async.wait_all;)");
  EXPECT_EQ(outcome.finding(), "0 findings");
  EXPECT_EQ(outcome.traffic("ld.global"), "32 of 4");
  EXPECT_EQ(outcome.traffic("cp.async"), "32 of 16");
}
