//===- Disassembler.cpp - Instructions in memory --------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Disassembler.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::deltanet::emulation;

extern "C" void LLVMInitializeX86TargetInfo();
extern "C" void LLVMInitializeX86TargetMC();
extern "C" void LLVMInitializeX86Disassembler();

Disassembler::Disassembler() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86Disassembler();
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    llvm::reportFatalInternalError(error.c_str());
  registers.reset(target->createMCRegInfo(triple));
  assembly.reset(target->createMCAsmInfo(*registers, triple, targetOptions));
  // The decoder knows all instructions whatever the CPU.
  subtarget.reset(target->createMCSubtargetInfo(triple, "", ""));
  instructions.reset(target->createMCInstrInfo());
  context = std::make_unique<llvm::MCContext>(triple, assembly.get(),
                                              registers.get(), subtarget.get());
  decoder.reset(target->createMCDisassembler(*subtarget, *context));
  printer.reset(target->createMCInstPrinter(
      triple, /*SyntaxVariant=*/0, *assembly, *instructions, *registers));
}

std::optional<Disassembler::Instruction>
Disassembler::decode(uint64_t address, uint64_t available) const {
  constexpr uint64_t longest = 15;
  llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(address),
                                std::min(available, longest));
  Instruction instruction;
  if (decoder->getInstruction(instruction.operands, instruction.bytes, bytes,
                              address,
                              llvm::nulls()) != llvm::MCDisassembler::Success)
    return std::nullopt;
  instruction.name = instructions->getName(instruction.operands.getOpcode());
  return instruction;
}

std::string Disassembler::text(uint64_t address, uint64_t available) const {
  std::optional<Instruction> instruction = decode(address, available);
  if (!instruction)
    return "no instruction";
  std::string line;
  llvm::raw_string_ostream stream(line);
  printer->printInst(&instruction->operands, address, "", *subtarget, stream);
  // The printer sets mnemonic and prefixes off with tabs.
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(line, words);
  return llvm::join(words, " ");
}

llvm::StringRef
Disassembler::registerName(const llvm::MCOperand &operand) const {
  return operand.isReg() && operand.getReg()
             ? registers->getName(operand.getReg())
             : "";
}

unsigned Disassembler::registerNumber(const llvm::MCOperand &operand) const {
  return registers->getEncodingValue(operand.getReg());
}
