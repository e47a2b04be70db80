//===- MemoryShadowTest.cpp - Races between threads -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "ShadowThread.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

TEST(MemoryShadow, AWriteRacesWithAWriteOfAnotherWarp) {
  ShadowThreads threads;
  EXPECT_EQ(threads.write(threads.by(0, 5)), "");
  EXPECT_EQ(threads.write(threads.by(1, 6)),
            "race with a write by warp 0, lane 5");
}

TEST(MemoryShadow, LanesOfOneInstructionRace) {
  ShadowThreads threads;
  EXPECT_EQ(threads.write(threads.by(0, 0)), "");
  EXPECT_EQ(threads.write(threads.by(0, 1)),
            "race with a write by warp 0, lane 0");
}

TEST(MemoryShadow, AThreadIsInOrderWithItself) {
  ShadowThreads threads;
  Accessor thread = threads.by(0, 3);
  EXPECT_EQ(threads.write(thread), "");
  EXPECT_EQ(threads.write(thread), "");
  EXPECT_EQ(threads.read(thread), "");
  EXPECT_EQ(threads.atomic(thread), "");
  EXPECT_EQ(threads.write(thread), "");
}

TEST(MemoryShadow, ABarrierOrders) {
  ShadowThreads threads;
  EXPECT_EQ(threads.write(threads.by(0, 5)), "");
  threads.barrier();
  EXPECT_EQ(threads.read(threads.by(1, 6)), "");
  EXPECT_EQ(threads.read(threads.by(0, 7)), "");
  EXPECT_EQ(threads.write(threads.by(0, 7)),
            "race with a read by warp 1, lane 6");
  threads.barrier();
  EXPECT_EQ(threads.write(threads.by(1, 1)), "");
}

TEST(MemoryShadow, ReadsAreInNoNeedOfOrder) {
  ShadowThreads threads;
  for (unsigned warp = 0; warp < 2; ++warp)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      EXPECT_EQ(threads.read(threads.by(warp, lane)), "");
}

TEST(MemoryShadow, EveryReaderIsRemembered) {
  // Whichever single reader is not in order with the write, it is found.
  for (unsigned left = 0; left < 4; ++left) {
    ShadowThreads threads;
    for (unsigned lane = 0; lane < 4; ++lane)
      EXPECT_EQ(threads.read(threads.by(0, lane)), "");
    threads.syncWarp(0, 0b11111 & ~(1u << left));
    EXPECT_EQ(threads.write(threads.by(0, 4)),
              "race with a read by warp 0, lane " + std::to_string(left));
  }
}

TEST(MemoryShadow, ReadersOfAllTimesAreRemembered) {
  ShadowThreads threads;
  EXPECT_EQ(threads.read(threads.by(0, 0)), "");
  threads.syncWarp(0, 0b0110);
  EXPECT_EQ(threads.read(threads.by(0, 1)), "");
  threads.syncWarp(0, 0b1010);
  // Lane 3 knows lane 1, but not lane 0, which read earlier.
  EXPECT_EQ(threads.write(threads.by(0, 3)),
            "race with a read by warp 0, lane 0");
}

TEST(MemoryShadow, AReaderThatIsKnownByAnotherIsNoRace) {
  ShadowThreads threads;
  EXPECT_EQ(threads.read(threads.by(0, 0)), "");
  threads.syncWarp(0, 0b0011);
  EXPECT_EQ(threads.read(threads.by(0, 1)), "");
  threads.syncWarp(0, 0b1010);
  EXPECT_EQ(threads.write(threads.by(0, 3)), "");
}

TEST(MemoryShadow, TimesOfOneWarpAreKeptApart) {
  ShadowThreads threads;
  EXPECT_EQ(threads.read(threads.by(0, 3)), "");
  threads.syncWarp(0, 0b101000);
  EXPECT_EQ(threads.read(threads.by(0, 4)), "");
  threads.syncWarp(0, 0b110000);
  EXPECT_EQ(threads.write(threads.by(0, 5)), "");
}

TEST(MemoryShadow, WarpsBehindEachOtherAreRemembered) {
  ShadowThreads threads;
  EXPECT_EQ(threads.read(threads.by(0, 0)), "");
  EXPECT_EQ(threads.read(threads.by(1, 0)), "");
  EXPECT_EQ(threads.read(threads.by(0, 1)), "");
  threads.syncWarp(0, kAllLanes);
  EXPECT_EQ(threads.write(threads.by(0, 2)),
            "race with a read by warp 1, lane 0");
}

TEST(MemoryShadow, AtomicsDoNotRaceWithEachOther) {
  ShadowThreads threads;
  EXPECT_EQ(threads.atomic(threads.by(0, 0)), "");
  EXPECT_EQ(threads.atomic(threads.by(0, 1)), "");
  EXPECT_EQ(threads.atomic(threads.by(1, 0)), "");
  EXPECT_EQ(threads.atomic(threads.by(0, 0, 1)), "");
}

TEST(MemoryShadow, AtomicsRaceWithPlainAccesses) {
  ShadowThreads threads;
  EXPECT_EQ(threads.atomic(threads.by(0, 0)), "");
  EXPECT_EQ(threads.atomic(threads.by(0, 1)), "");
  threads.syncWarp(0, 0b101);
  EXPECT_EQ(threads.read(threads.by(0, 2)),
            "race with an atomic access by warp 0, lane 1");
  EXPECT_EQ(threads.write(threads.by(1, 0), 4), "");
  EXPECT_EQ(threads.atomic(threads.by(0, 0), 4),
            "race with a write by warp 1, lane 0");
  EXPECT_EQ(threads.read(threads.by(1, 0), 8), "");
  EXPECT_EQ(threads.atomic(threads.by(0, 0), 8),
            "race with a read by warp 1, lane 0");
}

TEST(MemoryShadow, BlocksOfALaunchHaveNoOrder) {
  ShadowThreads threads;
  EXPECT_EQ(threads.write(threads.by(0, 0)), "");
  threads.barrier();
  threads.barrier(1);
  EXPECT_EQ(threads.read(threads.by(0, 0, 1)),
            "race with a write by warp 0, lane 0, of block 0");
}

TEST(MemoryShadow, ReadersOfEarlierBlocksAreRemembered) {
  ShadowThreads threads;
  EXPECT_EQ(threads.read(threads.by(1, 3)), "");
  for (unsigned lane = 0; lane < 2; ++lane)
    EXPECT_EQ(threads.read(threads.by(0, lane, 1)), "");
  threads.barrier(1);
  EXPECT_EQ(threads.write(threads.by(0, 0, 1)),
            "race with a read by warp 1, lane 3, of block 0");
}

TEST(MemoryShadow, LaunchesAreInOrder) {
  ShadowThreads threads;
  EXPECT_EQ(threads.write(threads.by(0, 0)), "");
  EXPECT_EQ(threads.read(threads.by(0, 0, 1), 4), "");
  EXPECT_EQ(threads.atomic(threads.by(1, 9), 8), "");
  threads.firstBlock = 3;
  EXPECT_EQ(threads.read(threads.by(0, 1)), "");
  EXPECT_EQ(threads.write(threads.by(0, 1), 4), "");
  EXPECT_EQ(threads.write(threads.by(1, 1), 8), "");
  EXPECT_EQ(threads.write(threads.by(1, 1)),
            "race with a read by warp 0, lane 1");
}

TEST(MemoryShadow, PartsOfAWordAreNeighbours) {
  ShadowThreads threads;
  EXPECT_EQ(threads.write(threads.by(0, 0), 0, 2), "");
  EXPECT_EQ(threads.write(threads.by(0, 1), 2, 2), "");
  EXPECT_EQ(threads.read(threads.by(0, 1), 2, 1), "");
  EXPECT_EQ(threads.read(threads.by(0, 0), 1, 1), "");
  EXPECT_EQ(threads.write(threads.by(0, 2), 1, 1),
            "race with a read by warp 0, lane 0");
}

TEST(MemoryShadow, AWordMeetsItsParts) {
  ShadowThreads threads;
  for (unsigned byte = 0; byte < 4; ++byte)
    EXPECT_EQ(threads.write(threads.by(1, byte), byte, 1), "");
  EXPECT_NE(threads.read(threads.by(0, 0)), "");
  threads.barrier();
  EXPECT_EQ(threads.read(threads.by(0, 0)), "");
  EXPECT_EQ(threads.write(threads.by(1, 0), 3, 1),
            "race with a read by warp 0, lane 0");
}

TEST(MemoryShadow, AWholeWriteForgetsTheParts) {
  ShadowThreads threads;
  EXPECT_EQ(threads.write(threads.by(0, 0), 0, 2), "");
  EXPECT_EQ(threads.write(threads.by(0, 1), 2, 2), "");
  threads.barrier();
  EXPECT_EQ(threads.write(threads.by(1, 4)), "");
  EXPECT_EQ(threads.read(threads.by(0, 0), 0, 2),
            "race with a write by warp 1, lane 4");
}

TEST(MemoryShadow, AccessesOfSeveralWordsMeetInOne) {
  ShadowThreads threads;
  EXPECT_EQ(threads.write(threads.by(0, 0), 0, 16), "");
  EXPECT_EQ(threads.write(threads.by(0, 1), 16, 16), "");
  EXPECT_EQ(threads.read(threads.by(1, 0), 12, 4),
            "race with a write by warp 0, lane 0");
  EXPECT_EQ(threads.write(threads.by(1, 2), 14, 4),
            "race with a write by warp 0, lane 0");
}

TEST(MemoryShadow, ClearForgetsEverything) {
  ShadowThreads threads;
  EXPECT_EQ(threads.write(threads.by(0, 0), 8), "");
  EXPECT_EQ(threads.read(threads.by(0, 0), 12), "");
  EXPECT_EQ(threads.read(threads.by(1, 0), 12), "");
  threads.shadow.clear();
  EXPECT_FALSE(threads.shadow.isInitialised(8, 1));
  EXPECT_EQ(threads.write(threads.by(1, 1), 8), "");
  EXPECT_EQ(threads.write(threads.by(1, 1), 12), "");
}
