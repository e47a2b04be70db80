//===- InitialisedBytes.cpp - Which bytes of a memory were written --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "InitialisedBytes.h"
#include <algorithm>

using namespace mlir::deltanet::ptx;

namespace {
constexpr unsigned kAllBits = 0xFF;

/// A range as whole bytes of bits between two parts of one.
struct BitRange {
  uint64_t firstWhole, endWhole;       ///< bytes of bits
  unsigned headMask = 0, tailMask = 0; ///< of the bytes before and after

  BitRange(uint64_t offset, uint64_t bytes) {
    uint64_t end = offset + bytes;
    firstWhole = (offset + 7) / 8;
    endWhole = end / 8;
    if (offset % 8)
      headMask = kAllBits << offset % 8 & kAllBits;
    unsigned beforeEnd = kAllBits >> (8 - end % 8);
    if (firstWhole > endWhole)
      headMask &= beforeEnd;
    else
      tailMask = beforeEnd;
  }
};
} // namespace

void InitialisedBytes::setRange(uint64_t offset, uint64_t bytes,
                                bool isInitialised) {
  if (!bytes)
    return;
  BitRange range(offset, bytes);
  auto set = [&](uint64_t index, unsigned mask) {
    if (mask)
      bits[index] = isInitialised ? bits[index] | mask : bits[index] & ~mask;
  };
  set(range.firstWhole - 1, range.headMask);
  if (range.firstWhole < range.endWhole)
    std::memset(bits.data() + range.firstWhole, isInitialised ? kAllBits : 0,
                range.endWhole - range.firstWhole);
  set(range.endWhole, range.tailMask);
}

bool InitialisedBytes::holdsRange(uint64_t offset, uint64_t bytes) const {
  if (!bytes)
    return true;
  BitRange range(offset, bytes);
  auto has = [&](uint64_t index, unsigned mask) {
    return !mask || (bits[index] & mask) == mask;
  };
  return has(range.firstWhole - 1, range.headMask) &&
         has(range.endWhole, range.tailMask) &&
         (range.firstWhole >= range.endWhole ||
          std::all_of(bits.data() + range.firstWhole,
                      bits.data() + range.endWhole,
                      [](unsigned char byte) { return byte == kAllBits; }));
}
