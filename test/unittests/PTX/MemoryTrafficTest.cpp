//===- MemoryTrafficTest.cpp - Waves and sectors of accesses --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MemoryTraffic.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

static Lanes<uint64_t> spread(uint64_t stride, uint64_t first = 0) {
  Lanes<uint64_t> addresses;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    addresses[lane] = first + lane * stride;
  return addresses;
}

static void expectTraffic(Traffic traffic, unsigned parts, unsigned ideal) {
  EXPECT_EQ(traffic.parts, parts);
  EXPECT_EQ(traffic.ideal, ideal);
}

TEST(MemoryTraffic, WavesOfWords) {
  expectTraffic(countWaves(spread(4), kAllLanes, 4), 1, 1);
  expectTraffic(countWaves(spread(2), kAllLanes, 2), 1, 1);
  expectTraffic(countWaves(spread(0, 64), kAllLanes, 4), 1, 1);
  expectTraffic(countWaves(spread(8), kAllLanes, 4), 2, 1);
  expectTraffic(countWaves(spread(128), kAllLanes, 4), 32, 1);
  expectTraffic(countWaves(spread(132), kAllLanes, 4), 1, 1);
  expectTraffic(countWaves(spread(128), 0b1011, 4), 3, 1);
}

TEST(MemoryTraffic, TheSameWordIsServedOnce) {
  Lanes<uint64_t> addresses = spread(0);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    addresses[lane] = lane % 2 * 128;
  expectTraffic(countWaves(addresses, kAllLanes, 4), 2, 1);
}

TEST(MemoryTraffic, LongAccessesHavePhases) {
  expectTraffic(countWaves(spread(8), kAllLanes, 8), 2, 2);
  expectTraffic(countWaves(spread(16), kAllLanes, 16), 4, 4);
  expectTraffic(countWaves(spread(16), 0xFF, 16), 1, 1);
  // Rows of 128 bytes: eight of them in the same four banks.
  expectTraffic(countWaves(spread(128), kAllLanes, 16), 32, 4);
  expectTraffic(countWaves(spread(144), kAllLanes, 16), 4, 4);
}

TEST(MemoryTraffic, SectorsOfGlobalMemory) {
  expectTraffic(countSectors(spread(4), kAllLanes, 4), 4, 4);
  expectTraffic(countSectors(spread(4, 16), kAllLanes, 4), 5, 4);
  expectTraffic(countSectors(spread(16), kAllLanes, 16), 16, 16);
  expectTraffic(countSectors(spread(128), kAllLanes, 4), 32, 4);
  expectTraffic(countSectors(spread(0), kAllLanes, 4), 1, 1);
  expectTraffic(countSectors(spread(32), 0b101, 4), 2, 1);
}
