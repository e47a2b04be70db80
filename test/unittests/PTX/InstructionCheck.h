//===- InstructionCheck.h - An instruction beside a function ----*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_UNITTESTS_PTX_INSTRUCTIONCHECK_H
#define DELTANET_TEST_UNITTESTS_PTX_INSTRUCTIONCHECK_H

#include "KernelText.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>
#include <tuple>
#include <type_traits>

namespace mlir::deltanet::ptx::test {

/// Numbers of 16 bits, as their bits, with samples of their own.
struct Half {
  uint16_t bits;
};
struct Brain {
  uint16_t bits;
};

template <typename T> uint64_t bitsOfValue(const T &value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <typename T> T valueOfBits(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The only NaN of f32, or the float itself.
inline float oneNaN(float value) {
  return std::isnan(value) ? valueOfBits<float>(0x7FFFFFFF) : value;
}

/// Where the fraction of a float of so many bits begins.
template <typename T> constexpr unsigned fractionBits() {
  return std::is_same_v<T, Half>    ? 10
         : std::is_same_v<T, Brain> ? 7
         : std::is_same_v<T, float> ? 23
                                    : 52;
}

/// A value: often a small or an extreme one, or one of moderate size.
template <typename T> T sample(std::mt19937_64 &random) {
  constexpr unsigned bits = 8 * sizeof(T);
  const uint64_t any = random(), top = uint64_t(1) << (bits - 1);
  if constexpr (std::is_integral_v<T>) {
    switch (random() % 5) {
    case 0:
      return T(any % 70);
    case 1:
      return T(top + any % 5 - 2);
    case 2:
      return T(0 - any % 4);
    case 3:
      return T(any >> (64 - bits) >> random() % bits);
    default:
      return T(any);
    }
  } else {
    constexpr unsigned fraction = fractionBits<T>();
    const uint64_t infinity = (top - 1) >> fraction << fraction;
    const uint64_t one = (infinity / 2) >> fraction << fraction;
    const uint64_t sign = random() % 2 ? top : 0;
    const uint64_t step = uint64_t(1) << fraction;
    switch (random() % 8) {
    case 0: // zero and the smallest ones
      return valueOfBits<T>(sign | any % 3);
    case 1: // around the smallest normal one
      return valueOfBits<T>(sign | (step + any % 3 - 1));
    case 2: // around infinity
      return valueOfBits<T>(sign | (infinity + any % 3 - 1));
    case 3: // small integers and their halves
      return valueOfBits<T>(sign | (one + (any % 8 << (fraction - 2))));
    case 4:
    case 5: // near one
      return valueOfBits<T>(sign | (one - 4 * step + any % (8 * step)));
    default:
      return valueOfBits<T>(any);
    }
  }
}

template <typename T>
std::vector<T> samples(size_t count, std::mt19937_64 &random) {
  std::vector<T> values;
  while (values.size() < count)
    values.push_back(sample<T>(random));
  return values;
}

/// Compares the register %w after a body with a function of %a, %b and so on.
template <typename Result, typename... Sources>
void check(llvm::StringRef body, Result (*expected)(Sources...)) {
  constexpr size_t count = 4096;
  std::mt19937_64 random(body.size() + sizeof...(Sources));
  std::tuple<std::vector<Sources>...> columns{
      samples<Sources>(count, random)...};
  std::apply(
      [&](const auto &...column) {
        Outcome outcome =
            run(body, {valuesOf(column)...}, {unsigned(sizeof(Result))});
        ASSERT_EQ(outcome.error, "") << body.str();
        ASSERT_TRUE(outcome.findings.empty()) << outcome.findings[0].text();
        const std::vector<uint64_t> &results = outcome.results[0].bits;
        for (size_t i = 0; i < count; ++i)
          ASSERT_EQ(bitsOfValue(expected(column[i]...)), results[i])
              << body.str() << " of " << std::hex << std::showbase
              << ::testing::PrintToString(
                     std::vector<uint64_t>{bitsOfValue(column[i])...});
      },
      columns);
}

} // namespace mlir::deltanet::ptx::test

#endif // DELTANET_TEST_UNITTESTS_PTX_INSTRUCTIONCHECK_H
