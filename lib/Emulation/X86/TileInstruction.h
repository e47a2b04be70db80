//===- TileInstruction.h - An AMX instruction, decoded ----------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_X86_TILEINSTRUCTION_H
#define DELTANET_LIB_EMULATION_X86_TILEINSTRUCTION_H

#include "Bochs.h"
#include "Disassembler.h"

namespace mlir::deltanet::emulation {

enum class TileOperation {
  LoadConfig,
  StoreConfig,
  Release,
  Zero,
  Load,
  Store,
  MultiplyBf16,
  MultiplyF16,
  MultiplySS, ///< bytes: signed times signed, and so on
  MultiplySU,
  MultiplyUS,
  MultiplyUU
};

struct TileInstruction {
  TileOperation operation;
  uint64_t bytes;
  std::string mnemonic; ///< "TILELOADDT1"

  /// The destination, or the tile stored.
  unsigned tile = 0;
  /// Factors of a multiplication.
  unsigned left = 0, right = 0;

  /// Memory operands: rows lie at address() + r * stride().
  std::optional<unsigned> base, index;
  uint64_t scale = 1, displacement = 0;
  uint64_t next = 0; ///< address after the instruction, of relative operands

  uint64_t address(const Bochs &bochs) const;
  uint64_t stride(const Bochs &bochs) const;

  /// None if the instruction is no AMX instruction known here.
  static std::optional<TileInstruction>
  decode(const Disassembler &disassembler,
         const Disassembler::Instruction &instruction, uint64_t address);
};

} // namespace mlir::deltanet::emulation

#endif // DELTANET_LIB_EMULATION_X86_TILEINSTRUCTION_H
