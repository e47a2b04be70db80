//===- Finding.h - What an emulated function did wrong ----------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_EMULATION_X86_FINDING_H
#define DELTANET_EMULATION_X86_FINDING_H

#include <cstdint>
#include <string>

namespace mlir::deltanet::emulation {

enum class FindingKind {
  OutOfBounds,        ///< an access that no buffer holds entirely
  ReadOnly,           ///< a write into a buffer that may only be read
  Uninitialised,      ///< a read of bytes that nothing has written
  CalleeSaved,        ///< a register or flag that the caller relied on
  StackDepth,         ///< more stack than the call allows
  TilesConfigured,    ///< a return without TILERELEASE
  InstructionLimit,   ///< more instructions than the call allows
  IllegalInstruction, ///< one that the CPU model lacks, or wrong operands
  Exception           ///< any other exception of the processor
};

/// One finding and where it was made. Those about a return have no instruction.
struct Finding {
  FindingKind kind;
  std::string what;        ///< "out of bounds: write of 4 bytes, 0 after 'o'"
  std::string place;       ///< "gdn_run+0x1c", or an address
  std::string instruction; ///< "vmovups %zmm0, (%rdi)"

  /// All of it in one line.
  std::string text() const;
};

} // namespace mlir::deltanet::emulation

#endif // DELTANET_EMULATION_X86_FINDING_H
