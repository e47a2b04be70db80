//===- Disassembler.h - Instructions in memory ------------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_X86_DISASSEMBLER_H
#define DELTANET_LIB_EMULATION_X86_DISASSEMBLER_H

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include <memory>
#include <optional>
#include <string>

namespace mlir::deltanet::emulation {

/// LLVM's decoder of x86-64 with all extensions.
class Disassembler {
public:
  struct Instruction {
    llvm::MCInst operands;
    llvm::StringRef name; ///< LLVM's, e.g. "VMOVUPSZmr"
    uint64_t bytes;
  };

  Disassembler();

  /// The instruction at an address of this process, of which at most
  /// `available` bytes may be read; none if there is no valid one.
  std::optional<Instruction> decode(uint64_t address, uint64_t available) const;

  /// The same in AT&T syntax: "vmovups %zmm0, (%rdi)".
  std::string text(uint64_t address, uint64_t available) const;

  /// The name of a register operand, "ZMM3", or "" for no register.
  llvm::StringRef registerName(const llvm::MCOperand &operand) const;

  /// Its number in instructions: 3 for ZMM3 and for RBX.
  unsigned registerNumber(const llvm::MCOperand &operand) const;

private:
  llvm::MCTargetOptions targetOptions;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembly;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> decoder;
  std::unique_ptr<llvm::MCInstPrinter> printer;
};

} // namespace mlir::deltanet::emulation

#endif // DELTANET_LIB_EMULATION_X86_DISASSEMBLER_H
