//===- Literal.h - The values of numbers in PTX ---------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_LITERAL_H
#define DELTANET_LIB_EMULATION_PTX_LITERAL_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace mlir::deltanet::ptx {

/// 31, 0x1F, 037 or 0b11111, with a U behind it or not. Nothing if the text is
/// no integer of 64 bits.
std::optional<uint64_t> integerOf(llvm::StringRef text);

struct FloatBits {
  uint64_t value;
  unsigned bits;
};

/// 0f and 8 digits, 0d and 16 digits, or a number with a point, which has 64
/// bits. Nothing if the text is none of them.
std::optional<FloatBits> floatOf(llvm::StringRef text);

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_LITERAL_H
