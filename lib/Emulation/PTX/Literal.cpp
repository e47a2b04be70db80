//===- Literal.cpp - The values of numbers in PTX -------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Literal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace mlir::deltanet;

std::optional<uint64_t> ptx::integerOf(llvm::StringRef text) {
  text.consume_back("U");
  unsigned radix = 10;
  if (text.consume_front_insensitive("0x"))
    radix = 16;
  else if (text.consume_front_insensitive("0b"))
    radix = 2;
  else if (text.size() > 1 && text.consume_front("0"))
    radix = 8;
  uint64_t value;
  if (!llvm::all_of(text, llvm::isHexDigit) || text.getAsInteger(radix, value))
    return std::nullopt;
  return value;
}

std::optional<ptx::FloatBits> ptx::floatOf(llvm::StringRef text) {
  bool isSingle = text.starts_with_insensitive("0f");
  if (isSingle || text.starts_with_insensitive("0d")) {
    unsigned bits = isSingle ? 32 : 64;
    uint64_t value;
    text = text.drop_front(2);
    if (text.size() != bits / 4 || !llvm::all_of(text, llvm::isHexDigit) ||
        text.getAsInteger(16, value))
      return std::nullopt;
    return FloatBits{value, bits};
  }
  // Longer ones have more digits than any value needs.
  constexpr size_t longest = 64;
  double value;
  if (!text.contains('.') || text.size() > longest || text.getAsDouble(value))
    return std::nullopt;
  return FloatBits{llvm::bit_cast<uint64_t>(value), 64};
}
