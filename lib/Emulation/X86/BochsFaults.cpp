//===- BochsFaults.cpp - Instructions that Bochs gets wrong ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "BochsFaults.h"
#include <cstring>

using namespace mlir::deltanet::emulation;

namespace {
/// An entry of Bochs' table of instructions.
struct OpcodeEntry {
  void *execute[2];
  uint8_t operands[4]; ///< kinds: destination, and sources
  uint8_t flags[4];
};
static_assert(sizeof(OpcodeEntry) == 24);
} // namespace

static llvm::Expected<OpcodeEntry *> findEntry(const Bochs &bochs,
                                               llvm::StringRef name) {
  llvm::Expected<unsigned> opcode = bochs.findOpcode(name);
  if (!opcode)
    return opcode.takeError();
  return reinterpret_cast<OpcodeEntry *>(bochs.opcodeTable.data()) + *opcode;
}

llvm::Error
mlir::deltanet::emulation::correctDotProductOperands(const Bochs &bochs) {
  constexpr unsigned memoryOperand = 2;
  for (llvm::StringRef suffix : {"", "_Kmask"}) {
    auto wrong =
        findEntry(bochs, ("BX_IA_EVEX_VDPBF16PS_VpsHdqWdq" + suffix).str());
    if (!wrong) {
      // Without a mask Bochs has no instruction of its own.
      llvm::consumeError(wrong.takeError());
      continue;
    }
    auto right =
        findEntry(bochs, ("BX_IA_EVEX_VPDPBUSD_VdqHdqWdq" + suffix).str());
    if (!right)
      return right.takeError();
    for (unsigned i = 0; i < std::size((*wrong)->operands); ++i)
      if (i != memoryOperand && (*wrong)->operands[i] != (*right)->operands[i])
        return llvm::createStringError("bochs: expected the operands of "
                                       "VDPBF16PS and VPDPBUSD to be alike");
    (*wrong)->operands[memoryOperand] = (*right)->operands[memoryOperand];
  }
  return llvm::Error::success();
}

/// Nearest, ties to even; denormal numbers become zero.
static uint16_t roundToBf16(uint32_t bits) {
  uint32_t magnitude = bits & 0x7FFF'FFFF;
  if (magnitude > 0x7F80'0000) // a NaN, which becomes a quiet one
    return uint16_t(bits >> 16) | 0x40;
  if (magnitude < 0x0080'0000)
    return uint16_t(bits >> 16) & 0x8000;
  return uint16_t((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

namespace {
union Vector {
  uint64_t words[8];
  uint32_t floats[16];
  uint16_t halves[32];
};

/// The operands of VCVTNE2PS2BF16, as registers of Bochs.
struct TwoSources {
  unsigned destination, first, second;
  unsigned mask = 0; ///< of no mask: 0
  bool zeroing;
  unsigned floats; ///< in a source
};
} // namespace

/// Bochs' number of the register that memory operands are loaded into.
static constexpr unsigned loadedMemory = 32;

static std::optional<TwoSources>
decodeTwoSources(const Disassembler &disassembler,
                 const Disassembler::Instruction &instruction) {
  llvm::StringRef name = instruction.name;
  if (!name.consume_front("VCVTNE2PS2BF16Z"))
    return std::nullopt;
  TwoSources sources;
  sources.floats = name.consume_front("128")   ? 4
                   : name.consume_front("256") ? 8
                                               : 16;
  bool inRegister = name.starts_with("rr");
  sources.zeroing = name.ends_with("kz");
  // Destination, [what it held,] [mask,] first source, second source.
  const llvm::MCInst &operands = instruction.operands;
  sources.destination = disassembler.registerNumber(operands.getOperand(0));
  unsigned next = 1;
  if (name.ends_with("k"))
    ++next;
  if (name.contains('k'))
    sources.mask = disassembler.registerNumber(operands.getOperand(next++));
  sources.first = disassembler.registerNumber(operands.getOperand(next++));
  sources.second = inRegister
                       ? disassembler.registerNumber(operands.getOperand(next))
                       : loadedMemory;
  return sources;
}

bool mlir::deltanet::emulation::convertTwoToBf16(
    const Bochs &bochs, const uint64_t *opmasks,
    const Disassembler &disassembler,
    const Disassembler::Instruction &instruction) {
  std::optional<TwoSources> sources =
      decodeTwoSources(disassembler, instruction);
  if (!sources)
    return false;
  Vector first, second, before, result = {};
  bochs.getVector(0, sources->first, first.words);
  bochs.getVector(0, sources->second, second.words);
  bochs.getVector(0, sources->destination, before.words);
  uint64_t mask = sources->mask ? opmasks[sources->mask] : ~uint64_t(0);
  for (unsigned i = 0; i < 2 * sources->floats; ++i) {
    // The second source makes the lower half.
    uint32_t value = i < sources->floats ? second.floats[i]
                                         : first.floats[i - sources->floats];
    if (mask >> i & 1)
      result.halves[i] = roundToBf16(value);
    else if (!sources->zeroing)
      result.halves[i] = before.halves[i];
  }
  bochs.setVector(0, sources->destination, result.words);
  continueAfterInstruction(bochs);
  return true;
}

void mlir::deltanet::emulation::continueAfterInstruction(const Bochs &bochs) {
  // The counter has advanced already. Setting it ends the trace of decoded
  // instructions that Bochs is in.
  bochs.setPc(0, bochs.getPc(0));
}
