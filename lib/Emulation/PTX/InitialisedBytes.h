//===- InitialisedBytes.h - Which bytes of a memory were written ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_INITIALISEDBYTES_H
#define DELTANET_LIB_EMULATION_PTX_INITIALISEDBYTES_H

#include "SparsePages.h"
#include <cstring>

namespace mlir::deltanet::ptx {

/// One bit for each byte of a memory.
class InitialisedBytes {
public:
  /// Accesses look at eight bytes of bits at once, the last one beyond the end.
  explicit InitialisedBytes(uint64_t bytes) : bits(bytes / 8 + 9) {}

  /// Those of an access, which has at most 32 bytes; the first one is the
  /// lowest bit.
  uint64_t missing(uint64_t offset, unsigned bytes) const {
    uint64_t word;
    std::memcpy(&word, bits.data() + offset / 8, sizeof word);
    return ~(word >> offset % 8) & maskOf(bytes);
  }
  void mark(uint64_t offset, unsigned bytes) {
    uint64_t word;
    std::memcpy(&word, bits.data() + offset / 8, sizeof word);
    word |= maskOf(bytes) << offset % 8;
    std::memcpy(bits.data() + offset / 8, &word, sizeof word);
  }

  void setRange(uint64_t offset, uint64_t bytes, bool isInitialised);
  bool holdsRange(uint64_t offset, uint64_t bytes) const;

private:
  static uint64_t maskOf(unsigned bytes) { return (uint64_t(1) << bytes) - 1; }

  SparseArray<unsigned char> bits;
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_INITIALISEDBYTES_H
