//===- CudaArithmeticTest.cpp - Numbers and votes as nvcc uses them -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CudaLaunch.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "gtest/gtest.h"
#include <cmath>
#include <set>

using namespace mlir::deltanet::ptx;
using llvm::APFloat;
using llvm::APInt;

static APFloat rounded(float value, const llvm::fltSemantics &semantics) {
  APFloat number(value);
  bool isInexact;
  number.convert(semantics, APFloat::rmNearestTiesToEven, &isInexact);
  return number;
}

/// What the kernel computes of elements x and y, one of a pair; `others` are
/// the other element of x's pair, and the low one of y's.
static std::vector<APFloat> pairResults(const APFloat &x, const APFloat &y,
                                        float converted) {
  constexpr auto kRound = APFloat::rmNearestTiesToEven;
  std::vector<APFloat> results(9, x);
  results[0].add(y, kRound);
  results[1].subtract(y, kRound);
  results[2].multiply(y, kRound);
  results[3].fusedMultiplyAdd(y, x, kRound);
  results[4] = llvm::maxnum(x, y);
  results[5] = llvm::minnum(x, y);
  results[6].changeSign();
  results[7] = llvm::abs(y);
  results[8] = rounded(converted, x.getSemantics());
  return results;
}

static void testPairs(llvm::StringRef kernel,
                      const llvm::fltSemantics &semantics) {
  constexpr uint32_t pairs = 300;
  std::vector<uint16_t> a = randomIntegers<uint16_t>(2 * pairs, 0, 0xffff, 11);
  std::vector<uint16_t> b = randomIntegers<uint16_t>(2 * pairs, 0, 0xffff, 12);
  auto number = [&](uint16_t bits) {
    return APFloat(semantics, APInt(16, bits));
  };
  for (std::vector<uint16_t> *values : {&a, &b})
    for (uint16_t &value : *values)
      if (!number(value).isFinite())
        value = 0x3c01;
  std::vector<uint16_t> expected(18 * pairs);
  for (uint32_t i = 0; i < pairs; ++i) {
    APFloat x[] = {number(a[2 * i]), number(a[2 * i + 1])};
    APFloat y[] = {number(b[2 * i]), number(b[2 * i + 1])};
    float converted[] = {
        std::fma(x[1].convertToFloat(), 1.5f, y[0].convertToFloat()),
        x[0].convertToFloat() * 3};
    for (int half = 0; half < 2; ++half)
      for (auto [place, result] :
           llvm::enumerate(pairResults(x[half], y[half], converted[half])))
        expected[18 * i + 2 * place + half] =
            uint16_t(result.bitcastToAPInt().getZExtValue());
  }
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("HalfPairs");
    launch.input(a);
    launch.input(b);
    launch.output<uint16_t>(expected.size());
    launch.scalar(pairs);
    launch.runClean(kernel, {{5, 1, 1}, {64, 1, 1}}, seed);
    std::vector<uint16_t> results = launch.result<uint16_t>();
    for (size_t i = 0; i < results.size(); ++i)
      EXPECT_EQ(results[i], expected[i])
          << kernel.str() << " pair " << i / 18 << " result " << i % 18 / 2;
  }
}

TEST(CudaArithmetic, HalfPairs) {
  testPairs("half_pairs", APFloat::IEEEhalf());
}
TEST(CudaArithmetic, BfloatPairs) {
  testPairs("bfloat_pairs", APFloat::BFloat());
}

static uint32_t reverse(uint32_t value) {
  uint32_t reversed = 0;
  for (int bit = 0; bit < 32; ++bit)
    reversed |= (value >> bit & 1) << (31 - bit);
  return reversed;
}

static std::vector<uint32_t> integerResults(uint32_t x, uint32_t y) {
  const int32_t s = int32_t(x), t = int32_t(y);
  const uint64_t joined = uint64_t(y) << 32 | x;
  const uint32_t shift = std::min(y & 63, 32u);
  uint32_t bytes = 0;
  for (int i = 0; i < 4; ++i)
    bytes |= uint32_t(joined >> 8 * (x >> (7 + 4 * i) & 7) & 0xff) << 8 * i;
  auto low24 = [](uint32_t value) { return int32_t(value << 8) >> 8; };
  return {x / y,
          x % y,
          uint32_t(s / t),
          uint32_t(s % t),
          uint32_t(uint64_t(x) * y >> 32),
          uint32_t(int64_t(s) * t >> 32),
          uint32_t(__builtin_popcount(x)),
          uint32_t(x ? __builtin_clz(x) : 32),
          reverse(x),
          uint32_t(__builtin_ffs(s)),
          uint32_t(joined << (y & 31) >> 32),
          uint32_t(joined >> (y & 31)),
          shift == 32 ? x : uint32_t(joined << shift >> 32),
          shift == 32 ? y : uint32_t(joined >> shift),
          bytes,
          (x > y ? x - y : y - x) + 5,
          uint32_t(int64_t(low24(x)) * low24(y)),
          uint32_t(s >> (y & 31)),
          uint32_t(s / 7) + x % 10,
          (x & 0xffff) * (y & 0xffff) +
              uint32_t(int32_t(int16_t(x)) * int16_t(y)),
          uint32_t(int8_t(x) + uint8_t(y)),
          uint32_t(std::min(s, t)) ^ std::max(x, y),
          (x & y) | ((~x & 0x0f0f0f0f) ^ y),
          uint32_t(int32_t(std::nearbyint(double(s) / 3))) +
              uint32_t(float(y) / 5)};
}

static std::vector<uint64_t> wideResults(uint64_t x, uint64_t y) {
  const int64_t s = int64_t(x), t = int64_t(y);
  uint64_t count = uint64_t(__builtin_popcountll(x)) +
                   100 * uint64_t(y ? __builtin_clzll(y) : 64);
  return {x / y,
          x % y,
          uint64_t(s / t),
          uint64_t(s % t),
          x * y,
          uint64_t((unsigned __int128)(x)*y >> 64),
          uint64_t((__int128)(s)*t >> 64),
          count,
          uint64_t(reverse(uint32_t(x))) << 32 | reverse(uint32_t(x >> 32)),
          uint64_t(uint32_t(x)) * uint32_t(y),
          uint64_t(int64_t(int32_t(x)) * int32_t(y)) + y,
          uint64_t(s >> (y & 63)) ^ x << (y & 31),
          uint64_t(std::min(s, t)) + std::max(x, y)};
}

/// Runs a kernel on the edges of a type, each with each, and random numbers.
template <typename T>
static void testIntegers(llvm::StringRef kernel,
                         std::vector<T> (*compute)(T, T)) {
  constexpr T kSign = T(1) << (8 * sizeof(T) - 1);
  const T edges[] = {1, 2, 31, 32, 255, T(-2), kSign, kSign - 1, kSign + 1};
  std::vector<T> a, b, expected;
  for (T x : edges)
    for (T y : edges)
      a.push_back(x), b.push_back(y);
  for (T y : {T(-1), T(7)})
    a.push_back(0), b.push_back(y);
  for (T x : randomIntegers<T>(256 - a.size(), 0, T(-2), 13))
    a.push_back(x);
  // Divisors of all sizes.
  for (T y : randomIntegers<T>(256 - b.size(), 0, T(-2), 14))
    b.push_back((y >> (b.size() % (8 * sizeof(T) - 1))) | 1);
  for (size_t i = 0; i < a.size(); ++i)
    for (T result : compute(a[i], b[i]))
      expected.push_back(result);
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("IntegerBits");
    launch.input(a);
    launch.input(b);
    launch.output<T>(expected.size());
    launch.runClean(kernel, {{2, 1, 1}, {128, 1, 1}}, seed);
    std::vector<T> results = launch.result<T>();
    size_t each = expected.size() / a.size();
    for (size_t i = 0; i < results.size(); ++i)
      EXPECT_EQ(results[i], expected[i]) << "result " << i % each << " of "
                                         << a[i / each] << ", " << b[i / each];
  }
}

TEST(CudaArithmetic, Integers) {
  testIntegers<uint32_t>("integers_32", integerResults);
  testIntegers<uint64_t>("integers_64", wideResults);
}

/// As Cuda/LocalArray.cu numbers its operations.
static int runProgram(llvm::ArrayRef<uint8_t> program, int input) {
  std::vector<uint32_t> stack;
  for (size_t step = 0; step < program.size(); ++step) {
    uint8_t operation = program[step];
    if (operation >= 2 && operation <= 4) {
      uint32_t right = stack.back();
      stack.pop_back();
      uint32_t &left = stack.back();
      left = operation == 2   ? left + right
             : operation == 3 ? left - right
                              : left * right;
    } else if (operation == 6) {
      std::swap(stack.back(), stack[stack.size() - 2]);
    } else if (operation == 8) {
      stack.back() = uint32_t(int32_t(stack.back()) >> 1);
    } else if (operation == 9) {
      step += stack.back() & 1;
    } else {
      size_t below = operation == 7 ? size_t(input & 3) : 0;
      stack.push_back(operation == 0   ? uint32_t(input)
                      : operation == 1 ? 1
                                       : stack[stack.size() - 1 - below]);
    }
  }
  return int(stack.back());
}

TEST(CudaArithmetic, LocalArray) {
  std::vector<uint8_t> program = {0, 5, 1, 2, 5, 0, 7, 9, 8,
                                  4, 9, 6, 3, 8, 9, 6, 2, 4};
  std::vector<int> inputs = randomIntegers(64, -100000, 100000, 15), expected;
  for (int input : inputs)
    expected.push_back(runProgram(program, input));
  EXPECT_GT(std::set<int>(expected.begin(), expected.end()).size(), 30u);
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("LocalArray");
    launch.input(program);
    launch.scalar(int(program.size()));
    launch.input(inputs);
    launch.output<int>(inputs.size());
    launch.runClean("stack_machine", {{2, 1, 1}, {32, 1, 1}}, seed);
    EXPECT_EQ(launch.result<int>(), expected);
  }
}

/// The results of all threads of a warp with these values, one after the other.
static std::vector<uint32_t> votes(llvm::ArrayRef<int> values) {
  uint32_t sum = 0, greatest = 0, parity = 0, odd = 0, oddLanes = 0, odd2 = 0;
  int least = INT32_MAX;
  bool isAny = false, areAll = true, areSame = true;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    int value = values[lane];
    sum += uint32_t(value);
    least = std::min(least, value);
    greatest = std::max(greatest, uint32_t(value));
    parity ^= uint32_t(value);
    isAny |= value == 7;
    areAll &= value > -100;
    areSame &= value / 1000 == values[0] / 1000;
    if (value & 1) {
      odd |= 1u << lane;
      oddLanes += lane;
      odd2 |= uint32_t(value >> 1 & 1) << lane;
    }
  }
  std::vector<uint32_t> results;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t same = 0;
    for (uint32_t other = 0; other < 32; ++other)
      same |= uint32_t(values[other] == values[lane]) << other;
    bool isOdd = values[lane] & 1;
    for (uint32_t result :
         {sum, uint32_t(least), greatest, parity, odd,
          uint32_t(isAny) + 2 * uint32_t(areAll), same, areSame ? ~0u : 0u,
          uint32_t(areSame), uint32_t(values[size_t(values[lane] & 31)]),
          uint32_t(values[lane % 16 < 13 ? lane + 3 : lane]),
          uint32_t(values[lane ^ 5]),
          isOdd ? oddLanes + 1000 * uint32_t(__builtin_popcount(odd)) : 0,
          isOdd ? odd2 : 0})
      results.push_back(result);
  }
  return results;
}

TEST(CudaArithmetic, WarpVotes) {
  // The last two warps are ones whose threads agree.
  std::vector<int> in = randomIntegers(128, -3000, 3000, 16);
  for (int value : randomIntegers(32, 0, 9, 17))
    in.push_back(value);
  in.insert(in.end(), 32, 7001);
  std::vector<uint32_t> expected;
  for (size_t first = 0; first < in.size(); first += 32)
    for (uint32_t result : votes(llvm::ArrayRef(in).slice(first, 32)))
      expected.push_back(result);
  for (uint64_t seed : kSeeds) {
    CudaLaunch launch("WarpVotes");
    launch.input(in);
    launch.output<uint32_t>(expected.size());
    launch.runClean("warp_votes", {{3, 1, 1}, {64, 1, 1}}, seed);
    std::vector<uint32_t> results = launch.result<uint32_t>();
    for (size_t i = 0; i < results.size(); ++i)
      EXPECT_EQ(results[i], expected[i])
          << "thread " << i / 14 << " result " << i % 14;
  }
}
