//===- CodePlaces.h - Names for addresses of code ---------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_X86_CODEPLACES_H
#define DELTANET_LIB_EMULATION_X86_CODEPLACES_H

#include "Disassembler.h"
#include "deltanet/Emulation/X86/GuestMemory.h"
#include "llvm/Support/Error.h"
#include <map>

namespace mlir::deltanet::emulation {

/// Code that may be executed, with the functions that it consists of.
class CodePlaces {
public:
  explicit CodePlaces(GuestMemory &memory) : memory(memory) {}

  /// Shares the segments of the loaded library that holds an address, and reads
  /// the names of its functions, hidden ones as well, from its file.
  llvm::Error addLibrary(const void *address);

  /// "function+0x1c", or the offset in the buffer of the code.
  std::string placeOf(uint64_t address) const;

  std::optional<Disassembler::Instruction> decode(uint64_t address) const;
  std::string textOf(uint64_t address) const;

  const Disassembler disassembler;

private:
  struct Function {
    std::string name;
    uint64_t bytes;
  };

  llvm::Error readFunctions(const std::string &path, uint64_t base);
  uint64_t availableAt(uint64_t address) const;

  GuestMemory &memory;
  std::map<uint64_t, Function> functions; ///< by their begin
};

} // namespace mlir::deltanet::emulation

#endif // DELTANET_LIB_EMULATION_X86_CODEPLACES_H
