//===- FusedMultiplyAdd.h - Bochs' slowest operation, faster ----*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// Bochs computes fused multiply-adds in integer arithmetic, which is most of
// the time of any kernel. Where all numbers are normal and rounding is to
// nearest, IEEE 754 leaves one result, and this machine's instruction has it.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_X86_FUSEDMULTIPLYADD_H
#define DELTANET_LIB_EMULATION_X86_FUSEDMULTIPLYADD_H

#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstdint>
#include <optional>

namespace mlir::deltanet::emulation {

/// Bits of Bochs' argument `operation`.
enum : unsigned { NegateAddend = 1, NegateProduct = 2 };

inline bool isNormalOrZero(uint32_t bits) {
  return ((bits >> 23) & 0xFF) - 1 < 254 || bits << 1 == 0;
}

#ifdef __x86_64__
/// a * b + c on single precision bits, none where Bochs has to say.
__attribute__((target("fma"))) inline std::optional<uint32_t>
fuseMultiplyAdd(uint32_t a, uint32_t b, uint32_t c, unsigned operation) {
  if (!isNormalOrZero(a) || !isNormalOrZero(b) || !isNormalOrZero(c) ||
      operation > (NegateAddend | NegateProduct))
    return std::nullopt;
  constexpr uint32_t sign = 0x8000'0000;
  a ^= operation & NegateProduct ? sign : 0;
  c ^= operation & NegateAddend ? sign : 0;
  uint32_t result = llvm::bit_cast<uint32_t>(
      std::fma(llvm::bit_cast<float>(a), llvm::bit_cast<float>(b),
               llvm::bit_cast<float>(c)));
  // Infinity, zero and what might have been denormal are Bochs'.
  bool certain = ((result >> 23) & 0xFF) - 2 < 253;
  return certain ? std::optional(result) : std::nullopt;
}

inline bool hasFusedMultiplyAdd() {
  static const bool has = __builtin_cpu_supports("fma");
  return has;
}
#else
inline std::optional<uint32_t> fuseMultiplyAdd(uint32_t, uint32_t, uint32_t,
                                               unsigned) {
  return std::nullopt;
}
inline bool hasFusedMultiplyAdd() { return false; }
#endif

} // namespace mlir::deltanet::emulation

#endif // DELTANET_LIB_EMULATION_X86_FUSEDMULTIPLYADD_H
