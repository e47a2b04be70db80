//===- TileProducts.cpp - Products of tiles -------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "TileProducts.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir::deltanet::emulation;

static constexpr unsigned maxColumns = Tile::maxRowBytes / 4;

static float flushDenormal(float value) {
  return std::fabs(value) < 0x1p-126f ? std::copysign(0.0f, value) : value;
}

static float fromBf16(uint16_t bits) {
  return flushDenormal(llvm::bit_cast<float>(uint32_t(bits) << 16));
}

static float fromF16(uint16_t bits) {
  unsigned exponent = bits >> 10 & 0x1F;
  float value;
  if (exponent == 0x1F)
    value = llvm::bit_cast<float>(0x7F800000u | (bits & 0x3FFu) << 13);
  else if (exponent == 0)
    value = std::ldexp(float(bits & 0x3FF), -24);
  else
    value = std::ldexp(float(0x400 | (bits & 0x3FF)), int(exponent) - 25);
  return std::copysign(value, bits & 0x8000 ? -1.0f : 1.0f);
}

/// Factors in single precision, even and odd elements of the groups apart.
namespace {
struct Factors {
  float even[Tile::maxRows][maxColumns] = {};
  float odd[Tile::maxRows][maxColumns] = {};

  Factors(const Tile &tile, float (*convert)(uint16_t)) {
    for (unsigned row = 0; row < tile.rows; ++row)
      for (unsigned i = 0; i < tile.rowBytes / 4u; ++i) {
        uint16_t halves[2];
        std::memcpy(halves, &tile.bytes[row][4 * i], sizeof(halves));
        even[row][i] = convert(halves[0]);
        odd[row][i] = convert(halves[1]);
      }
  }
};
} // namespace

/// The manual gives each element two sums, of even and of odd factors, each a
/// chain of fused multiply-adds, which are added last.
[[gnu::always_inline]] static inline void addProduct(Tile &sum,
                                                     const Factors &left,
                                                     const Factors &right,
                                                     unsigned depth) {
  for (unsigned row = 0; row < sum.rows; ++row) {
    float even[maxColumns] = {}, odd[maxColumns] = {};
    for (unsigned k = 0; k < depth; ++k)
      for (unsigned i = 0; i < maxColumns; ++i) {
        even[i] = flushDenormal(
            std::fma(left.even[row][k], right.even[k][i], even[i]));
        odd[i] =
            flushDenormal(std::fma(left.odd[row][k], right.odd[k][i], odd[i]));
      }
    for (unsigned i = 0; i < sum.rowBytes / 4u; ++i) {
      float total;
      std::memcpy(&total, &sum.bytes[row][4 * i], sizeof(total));
      total =
          flushDenormal(flushDenormal(total) + flushDenormal(even[i] + odd[i]));
      std::memcpy(&sum.bytes[row][4 * i], &total, sizeof(total));
    }
  }
}

#ifdef __x86_64__
/// For machines with an instruction for std::fma: twenty times as fast.
__attribute__((target("avx2,fma"))) static void
addProductFused(Tile &sum, const Factors &left, const Factors &right,
                unsigned depth) {
  addProduct(sum, left, right, depth);
}
#endif

static void addProductAnywhere(Tile &sum, const Factors &left,
                               const Factors &right, unsigned depth) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return addProductFused(sum, left, right, depth);
#endif
  addProduct(sum, left, right, depth);
}

void mlir::deltanet::emulation::addProductBf16(Tile &sum, const Tile &left,
                                               const Tile &right) {
  addProductAnywhere(sum, Factors(left, fromBf16), Factors(right, fromBf16),
                     right.rows);
}

void mlir::deltanet::emulation::addProductF16(Tile &sum, const Tile &left,
                                              const Tile &right) {
  addProductAnywhere(sum, Factors(left, fromF16), Factors(right, fromF16),
                     right.rows);
}
