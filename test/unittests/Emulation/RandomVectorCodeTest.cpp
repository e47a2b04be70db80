//===- RandomVectorCodeTest.cpp - AVX2 here, AVX-512 in the emulator ------===//
//
// Part of the Delta-Net project.
//
// LLVM compiles functions of random vector operations for this machine and for
// Sapphire Rapids. Both must give the same bits, NaNs being one value.
//
//===----------------------------------------------------------------------===//

#include "RandomVectorCode.h"
#include "AssembledCode.h"
#include "CompiledCode.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/LLVMContext.h"
#include <cmath>
#include <random>

using namespace mlir::deltanet::emulation;

using RVC = RandomVectorCode;

namespace {
constexpr unsigned functions = 40, runsOfEach = 2;

class RandomVectorCodeTest : public AssembledCodeTest,
                             public testing::WithParamInterface<uint32_t> {};

/// Numbers of moderate size, whatever the element.
void fill(std::vector<uint8_t> &bytes, std::mt19937 &random) {
  auto number = [&] { return (double(random() % 4001) - 2000) / 64; };
  for (unsigned line = 0; line < RVC::inBytes / RVC::lineBytes; ++line) {
    uint8_t *at = &bytes[line * RVC::lineBytes];
    auto fillLine = [&](auto make) {
      using Element = decltype(make());
      for (unsigned i = 0; i < RVC::lineBytes / sizeof(Element); ++i) {
        Element element = make();
        std::memcpy(at + i * sizeof(Element), &element, sizeof(Element));
      }
    };
    switch (line / RVC::linesPerElement) {
    case RVC::F32:
      fillLine([&] { return float(number()); });
      break;
    case RVC::F64:
      fillLine(number);
      break;
    case RVC::F16:
      // Both signs, 2^-7 to 2^8.
      fillLine([&] {
        return uint16_t((random() & 0x83FF) | (8 + random() % 15) << 10);
      });
      break;
    default:
      fillLine([&] { return uint8_t(random()); });
    }
  }
}

bool isNan(const uint8_t *at, unsigned element) {
  float f32;
  double f64;
  uint16_t f16;
  switch (element) {
  case RVC::F32:
    std::memcpy(&f32, at, sizeof(f32));
    return std::isnan(f32);
  case RVC::F64:
    std::memcpy(&f64, at, sizeof(f64));
    return std::isnan(f64);
  case RVC::F16:
    std::memcpy(&f16, at, sizeof(f16));
    return (f16 & 0x7FFF) > 0x7C00;
  default:
    return false;
  }
}

unsigned bytesOf(unsigned element) {
  switch (element) {
  case RVC::F64:
    return 8;
  case RVC::F16:
    return 2;
  default:
    return 4;
  }
}

/// The first byte in which outputs differ; -1 for none.
int findDifference(const uint8_t *x, const uint8_t *y) {
  for (unsigned at = 0; at < RVC::outBytes;) {
    unsigned element = at / RVC::lineBytes / RVC::linesPerElement;
    unsigned bytes = bytesOf(element);
    if (std::memcmp(x + at, y + at, bytes) != 0 &&
        !(isNan(x + at, element) && isNan(y + at, element)))
      return int(at);
    at += bytes;
  }
  return -1;
}
} // namespace

TEST_P(RandomVectorCodeTest, givesTheSameBits) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("bmi2"))
    GTEST_SKIP() << "expected a machine with AVX2";
  llvm::LLVMContext context;
  // The code generator changes a module: each has its own.
  auto nativeModule = RVC::make(context, GetParam(), functions);
  auto emulatedModule = RVC::make(context, GetParam(), functions);
  CompiledCode native(*nativeModule, "x86-64-v3", nullptr);
  CompiledCode emulated(*emulatedModule, "sapphirerapids", machine.get());
  std::mt19937 random(GetParam());
  std::vector<uint8_t> inputs(RVC::inBytes), expected;
  uint8_t *in = array("in", inputs, Permission::Read);
  uint8_t *out = array("out", std::vector<uint8_t>(RVC::outBytes));
  InstructionCounts counts;
  for (unsigned i = 0; i < functions; ++i) {
    std::string name = "f" + std::to_string(i);
    for (unsigned run = 0; run < runsOfEach; ++run) {
      fill(inputs, random);
      std::memcpy(in, inputs.data(), inputs.size());
      uint64_t count = random() % (RVC::lineBytes + 1);
      expected.assign(RVC::outBytes, 0);
      std::memset(out, 0, RVC::outBytes);
      using Function = void(const uint8_t *, uint8_t *, uint64_t);
      const void *address = native.find(name);
      reinterpret_cast<Function *>(reinterpret_cast<uintptr_t>(address))(
          in, expected.data(), count);
      CallResult result = machine->call(emulated.find(name),
                                        {argument(in), argument(out), count});
      ASSERT_EQ(textsOf(result), std::vector<std::string>()) << name;
      counts += result.counts;
      int difference = findDifference(out, expected.data());
      ASSERT_EQ(difference, -1)
          << name << ", line " << difference / int(RVC::lineBytes);
    }
  }
  // The test is about vectors of all kinds.
  EXPECT_GT(counts.mnemonics.size(), 150u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomVectorCodeTest, testing::Range(1u, 5u));
