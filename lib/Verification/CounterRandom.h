//===- CounterRandom.h - Random numbers by index ----------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_VERIFICATION_COUNTERRANDOM_H
#define DELTANET_LIB_VERIFICATION_COUNTERRANDOM_H

#include <cstdint>
#include <initializer_list>

namespace mlir::deltanet::verification {

/// A stream of independent draws, addressed by index. Uses integers and exact
/// conversions only.
class CounterRandom {
public:
  CounterRandom(uint64_t seed, uint64_t stream)
      : key(mix(mix(seed) + stream)) {}

  /// 64 random bits.
  uint64_t bits(uint64_t index) const { return mix(key + mix(index)); }

  /// A multiple of 2^-53 in (0, 1).
  double uniform(uint64_t index) const {
    return (double(bits(index) >> 12) + 0.5) * 0x1p-52;
  }

  /// An integer in [0, bound), bound at most 2^32.
  uint64_t below(uint64_t index, uint64_t bound) const {
    return ((bits(index) >> 32) * bound) >> 32;
  }

  /// Mean 0, variance 1, bell-shaped within +-4.9: the sum of eight 16-bit
  /// uniforms, whose variance is 8 (2^32 - 1) / 12.
  double normal(uint64_t index) const {
    int64_t sum = 0;
    for (uint64_t word : {bits(2 * index), bits(2 * index + 1)})
      for (unsigned shift = 0; shift < 64; shift += 16)
        sum += int64_t(word >> shift & 0xFFFF);
    constexpr int64_t twiceMean = 8 * 0xFFFF;
    constexpr double perDeviation = 1.86881236501e-5; // 1 / sqrt(variance)
    return double(2 * sum - twiceMean) * 0.5 * perDeviation;
  }

private:
  /// A bijection of 64-bit words in which every input bit reaches every output
  /// bit: two rounds of xor-shift and multiplication by odd constants.
  static uint64_t mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93;
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93;
    return x ^ (x >> 32);
  }

  uint64_t key;
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_LIB_VERIFICATION_COUNTERRANDOM_H
