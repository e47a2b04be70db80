//===- WarpClockTest.cpp - Order of accesses in a block -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "WarpClock.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

TEST(WarpClock, ALaneKnowsItself) {
  WarpClock clock(0);
  EXPECT_TRUE(clock.happenedBefore(0, 5, clock.time(), 5));
  EXPECT_FALSE(clock.happenedBefore(0, 5, clock.time(), 6));
}

TEST(WarpClock, LanesThatWaitedKnowEachOther) {
  WarpClock clock(0);
  uint32_t before = clock.time();
  clock.waitForEachOther(0b0011);
  EXPECT_TRUE(clock.happenedBefore(0, 0, before, 1));
  EXPECT_FALSE(clock.happenedBefore(0, 0, before, 2));
  EXPECT_FALSE(clock.happenedBefore(0, 0, clock.time(), 1));
}

TEST(WarpClock, KnowledgeIsPassedOn) {
  WarpClock clock(0);
  uint32_t before = clock.time();
  clock.waitForEachOther(0b0011);
  clock.waitForEachOther(0b0110);
  EXPECT_TRUE(clock.happenedBefore(0, 0, before, 2));
}

TEST(WarpClock, WarpsKnowEachOtherAfterABarrier) {
  WarpClock first(0), second(1), third(2);
  uint32_t before = first.time();
  for (WarpClock *clock : {&first, &second, &third})
    clock->waitForEachOther(kAllLanes);
  EXPECT_FALSE(second.happenedBefore(0, 7, before, 7));
  WarpClock::meet({&first, &second});
  EXPECT_TRUE(second.happenedBefore(0, 7, before, 8));
  EXPECT_FALSE(second.happenedBefore(0, 7, first.time(), 8));
  EXPECT_FALSE(third.happenedBefore(0, 7, before, 7));
  WarpClock::meet({&second, &third});
  EXPECT_TRUE(third.happenedBefore(0, 7, before, 7));
}
