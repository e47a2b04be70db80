//===- MockedCpu.cpp - CPUs and systems made up for tests -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "MockedCpu.h"

#include <gtest/gtest.h>

std::atomic<bool> xcr0Read;
std::atomic<int> tileRequests;

namespace {

Cpu current;
/// What the system has granted the process so far.
std::atomic<bool> tilesGranted;

void cpuid(uint32_t leaf, uint32_t subleaf, uint32_t registers[4]) {
  EXPECT_LE(leaf, current.maxLeaf);
  EXPECT_LE(subleaf, leaf == 7 ? current.maxSubleaf : 0u);
  registers[0] = registers[1] = registers[2] = registers[3] = 0;
  if (leaf == 0)
    registers[0] = current.maxLeaf;
  if (leaf == 1)
    registers[2] = current.leaf1;
  if (leaf == 7 && subleaf == 0) {
    registers[0] = current.maxSubleaf;
    registers[1] = current.leaf7;
    registers[3] = current.leaf7Edx;
  }
  if (leaf == 7 && subleaf == 1)
    registers[0] = current.leaf7_1;
  if (leaf == 0x1d)
    registers[0] = current.palettes;
}

uint64_t xcr0() {
  // XGETBV without OSXSAVE is an invalid instruction.
  EXPECT_TRUE(current.leaf1 & OSXSAVE);
  xcr0Read = true;
  return current.xcr0;
}

/// Linux: 0x1022 tells what the process may use, 0x1023 asks for a component.
long archPrctl(int code, unsigned long argument) {
  // Before the CPU and XCR0 have it, there is nothing to ask for.
  EXPECT_EQ(current.xcr0 & 0x60000, 0x60000u);
  if (current.tiles == Tiles::UnknownToTheSystem)
    return -1;
  if (code == 0x1022) {
    *reinterpret_cast<uint64_t *>(argument) = tilesGranted ? 0x600e7 : 0xe7;
    return 0;
  }
  EXPECT_EQ(code, 0x1023);
  EXPECT_EQ(argument, 18u);
  ++tileRequests;
  if (current.tiles == Tiles::Refused)
    return -1;
  tilesGranted = true;
  return 0;
}

} // namespace

const dn_cpu_source mock = {cpuid, xcr0, archPrctl};

void mockCpu(const Cpu &cpu) {
  current = cpu;
  xcr0Read = false;
  tileRequests = 0;
  tilesGranted = cpu.tiles == Tiles::Granted;
}
