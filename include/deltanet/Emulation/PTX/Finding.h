//===- Finding.h - What a simulated kernel did wrong ------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_EMULATION_PTX_FINDING_H
#define DELTANET_EMULATION_PTX_FINDING_H

#include <array>
#include <cstdint>
#include <string>

namespace mlir::deltanet::ptx {

enum class FindingKind {
  OutOfBounds,       ///< an access that no buffer holds entirely
  Misaligned,        ///< an address that is no multiple of the access's size
  ReadOnly,          ///< a write into a buffer that may only be read
  Uninitialised,     ///< a read of bytes that nothing has written
  DataRace,          ///< two accesses without order, one of them a write
  UnwaitedCopy,      ///< bytes of an asynchronous copy before its wait
  Divergence,        ///< a barrier or collective that not all threads execute
  Deadlock,          ///< every thread that is left waits
  InstructionLimit,  ///< more instructions than the launch allows
  IllegalInstruction ///< operands that the instruction does not allow
};

/// The threads of a warp that a finding is about: its first one is named.
struct ThreadPlace {
  std::array<uint32_t, 3> block = {}; ///< %ctaid
  uint32_t warp = 0, lane = 0;
};

/// One finding and where it was made.
struct Finding {
  FindingKind kind;
  std::string what;        ///< "read of 4 bytes, 0 bytes after 'o'"
  std::string place;       ///< "gdn.ptx:120"
  std::string instruction; ///< "ld.global.f32 %f1, [%rd4]"
  ThreadPlace thread;

  /// All of it in one line.
  std::string text() const;
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_EMULATION_PTX_FINDING_H
