//===- MockedCpu.h - CPUs and systems made up for tests -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_UNITTESTS_RUNTIME_MOCKEDCPU_H
#define DELTANET_UNITTESTS_RUNTIME_MOCKEDCPU_H

extern "C" {
#include "cpu/CpuFeatures.h"
}

#include <atomic>
#include <cstdint>

// Bits of CPUID.1:ECX, CPUID.7.0:EBX and EDX, and CPUID.7.1:EAX.
enum : uint32_t {
  FMA = 1u << 12,
  OSXSAVE = 1u << 27,
  AVX = 1u << 28,
  F16C = 1u << 29,

  AVX2 = 1u << 5,
  BMI2 = 1u << 8,
  AVX512F = 1u << 16,
  AVX512DQ = 1u << 17,
  AVX512BW = 1u << 30,
  AVX512VL = 1u << 31,

  AMX_BF16 = 1u << 22,
  AMX_TILE = 1u << 24,

  AVX512_BF16 = 1u << 5
};

/// What the system says of tile data.
enum class Tiles { UponRequest, Granted, Refused, UnknownToTheSystem };

/// A mocked CPU and its system; the default has everything.
struct Cpu {
  uint32_t maxLeaf = 0x1d;
  uint32_t leaf1 = FMA | OSXSAVE | AVX | F16C;
  uint32_t leaf7 = AVX2 | BMI2 | AVX512F | AVX512DQ | AVX512BW | AVX512VL;
  uint32_t leaf7Edx = AMX_BF16 | AMX_TILE;
  uint32_t maxSubleaf = 1; ///< of leaf 7
  uint32_t leaf7_1 = AVX512_BF16;
  uint32_t palettes = 1;
  uint64_t xcr0 = 0x600e7;
  Tiles tiles = Tiles::UponRequest;
};

/// The one that `mock` shows; also forgets what was counted.
void mockCpu(const Cpu &cpu);

extern const dn_cpu_source mock;

/// Since mockCpu: whether XCR0 was read, and how often tile data was asked for.
extern std::atomic<bool> xcr0Read;
extern std::atomic<int> tileRequests;

#endif // DELTANET_UNITTESTS_RUNTIME_MOCKEDCPU_H
