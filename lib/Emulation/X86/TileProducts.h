//===- TileProducts.h - Products of tiles -----------------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// A product adds to each 4-byte element of the sum the dot product of a row of
// the left tile and a column of the right one, whose elements are groups of 4
// bytes as well: two halves or four bytes.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_X86_TILEPRODUCTS_H
#define DELTANET_LIB_EMULATION_X86_TILEPRODUCTS_H

#include <cstdint>
#include <cstring>

namespace mlir::deltanet::emulation {

struct Tile {
  static constexpr unsigned maxRows = 16, maxRowBytes = 64;

  uint8_t rows = 0;
  uint8_t rowBytes = 0;
  alignas(64) uint8_t bytes[maxRows][maxRowBytes] = {};
};

/// Denormal numbers count as zero, in and out, and sums are rounded to nearest,
/// whatever MXCSR says.
void addProductBf16(Tile &sum, const Tile &left, const Tile &right);

/// The same, but for denormal factors, which count in full.
void addProductF16(Tile &sum, const Tile &left, const Tile &right);

template <typename Left, typename Right>
void addProductBytes(Tile &sum, const Tile &left, const Tile &right) {
  for (unsigned row = 0; row < sum.rows; ++row)
    for (unsigned column = 0; column < sum.rowBytes; column += 4) {
      uint32_t total;
      std::memcpy(&total, &sum.bytes[row][column], sizeof(total));
      for (unsigned k = 0; k < left.rowBytes; ++k)
        total += int32_t(Left(left.bytes[row][k])) *
                 int32_t(Right(right.bytes[k / 4][column + k % 4]));
      std::memcpy(&sum.bytes[row][column], &total, sizeof(total));
    }
}

} // namespace mlir::deltanet::emulation

#endif // DELTANET_LIB_EMULATION_X86_TILEPRODUCTS_H
