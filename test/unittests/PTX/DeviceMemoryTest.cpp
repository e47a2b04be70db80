//===- DeviceMemoryTest.cpp - Global memory of a simulated GPU ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Emulation/PTX/DeviceMemory.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace mlir::deltanet::ptx;

static const char kBytes[] = {1, 2, 3, 4};

TEST(DeviceMemory, BuffersLieFarApart) {
  DeviceMemory memory;
  uint64_t first = memory.allocate("first", 100);
  uint64_t second = memory.allocate("second", 100);
  EXPECT_EQ(first % 256, 0u);
  EXPECT_EQ(second % 256, 0u);
  EXPECT_GE(second - (first + 100), uint64_t(1) << 32);
  EXPECT_EQ(memory.find(first + 96, 4)->name, "first");
  EXPECT_EQ(memory.find(second, 100)->name, "second");
  EXPECT_EQ(memory.find(first + 97, 4), nullptr);
  EXPECT_EQ(memory.find(first - 1, 1), nullptr);
}

TEST(DeviceMemory, WhatIsWrittenIsRead) {
  DeviceMemory memory;
  uint64_t buffer = memory.allocate("x", 16);
  EXPECT_TRUE(memory.write(buffer + 5, kBytes));
  char back[4] = {};
  EXPECT_TRUE(memory.read(buffer + 5, back));
  EXPECT_EQ(std::memcmp(back, kBytes, sizeof back), 0);
  EXPECT_FALSE(memory.write(buffer + 13, kBytes));
  EXPECT_FALSE(memory.read(buffer + 13, back));
  EXPECT_TRUE(memory.write(buffer + 16, {}));
}

TEST(DeviceMemory, NewBytesAreNoNumbers) {
  DeviceMemory memory;
  uint64_t buffer = memory.allocate("x", 8);
  float values[2];
  EXPECT_TRUE(
      memory.read(buffer, {reinterpret_cast<char *>(values), sizeof values}));
  EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[1]));
}

TEST(DeviceMemory, EveryByteIsInitialisedOnItsOwn) {
  DeviceMemory memory;
  uint64_t buffer = memory.allocate("x", 64);
  EXPECT_FALSE(memory.isInitialised(buffer, 1));
  EXPECT_TRUE(memory.isInitialised(buffer, 0));
  for (unsigned begin : {0, 3, 7, 8, 13, 30})
    for (unsigned bytes : {1, 2, 8, 9, 17, 30}) {
      memory.markUninitialised(buffer, 64);
      std::string zeros(bytes, 0);
      EXPECT_TRUE(memory.write(buffer + begin, zeros));
      for (unsigned byte = 0; byte < 64; ++byte)
        EXPECT_EQ(memory.isInitialised(buffer + byte, 1),
                  byte >= begin && byte < begin + bytes);
      EXPECT_TRUE(memory.isInitialised(buffer + begin, bytes));
      EXPECT_FALSE(memory.isInitialised(buffer + begin, bytes + 1));
    }
}

TEST(DeviceMemory, AHugeBufferTakesNoRoom) {
  DeviceMemory memory;
  uint64_t bytes = uint64_t(1) << 38;
  uint64_t buffer = memory.allocate("huge", bytes);
  uint64_t after = memory.allocate("after", 4);
  EXPECT_GE(after - (buffer + bytes), uint64_t(1) << 32);
  EXPECT_TRUE(memory.write(buffer + bytes - 4, kBytes));
  EXPECT_TRUE(memory.isInitialised(buffer + bytes - 4, 4));
  EXPECT_FALSE(memory.isInitialised(buffer + bytes - 5, 1));
}

TEST(DeviceMemory, AReleasedBufferIsGone) {
  DeviceMemory memory;
  uint64_t buffer = memory.allocate("x", 4);
  EXPECT_NE(memory.find(buffer, 4), nullptr);
  EXPECT_FALSE(memory.release(buffer + 1));
  EXPECT_TRUE(memory.release(buffer));
  EXPECT_EQ(memory.find(buffer, 4), nullptr);
  EXPECT_FALSE(memory.write(buffer, kBytes));
}

TEST(DeviceMemory, PlacesAreToldByTheNearestBuffer) {
  DeviceMemory memory;
  uint64_t first = memory.allocate("k", 100);
  uint64_t second = memory.allocate("o", 100);
  EXPECT_EQ(memory.describe(first + 8, 4), "in 'k' at byte 8");
  EXPECT_EQ(memory.describe(first + 100, 4), "0 bytes after 'k'");
  EXPECT_EQ(memory.describe(first + 101, 4), "1 byte after 'k'");
  EXPECT_EQ(memory.describe(first + 98, 4), "the last 2 bytes after 'k'");
  EXPECT_EQ(memory.describe(second - 4, 4), "4 bytes before 'o'");
  EXPECT_EQ(memory.describe(second + 104, 4), "4 bytes after 'o'");
  EXPECT_EQ(memory.describe(0x10, 4), "at address 0x10, far from every buffer");
}
