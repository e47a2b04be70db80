//===- TileInstruction.cpp - An AMX instruction, decoded ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "TileInstruction.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir::deltanet::emulation;

uint64_t TileInstruction::stride(const Bochs &bochs) const {
  return index ? bochs.getRegister(0, *index) * scale : 0;
}

uint64_t TileInstruction::address(const Bochs &bochs) const {
  uint64_t begin = base ? bochs.getRegister(0, *base) : next;
  return begin + displacement;
}

/// Reads the five operands of a memory reference; false if it is of a kind that
/// compilers do not make for tiles.
static bool decodeMemory(const Disassembler &disassembler,
                         llvm::ArrayRef<llvm::MCOperand> operands,
                         uint64_t next, TileInstruction &tile) {
  const llvm::MCOperand &base = operands[0], &index = operands[2],
                        &segment = operands[4];
  llvm::StringRef baseName = disassembler.registerName(base);
  llvm::StringRef indexName = disassembler.registerName(index);
  auto isWide = [](llvm::StringRef name) {
    return name.empty() || name.starts_with("R");
  };
  if (!isWide(baseName) || !isWide(indexName) ||
      !disassembler.registerName(segment).empty() || !operands[3].isImm())
    return false;
  if (baseName == "RIP")
    tile.next = next;
  else if (!baseName.empty())
    tile.base = disassembler.registerNumber(base);
  // RIZ stands for an index that is encoded as none.
  if (!indexName.empty() && indexName != "RIZ")
    tile.index = disassembler.registerNumber(index);
  tile.scale = operands[1].getImm();
  tile.displacement = operands[3].getImm();
  return true;
}

std::optional<TileInstruction>
TileInstruction::decode(const Disassembler &disassembler,
                        const Disassembler::Instruction &instruction,
                        uint64_t address) {
  using Operation = std::optional<TileOperation>;
  Operation operation = llvm::StringSwitch<Operation>(instruction.name)
                            .Case("LDTILECFG", TileOperation::LoadConfig)
                            .Case("STTILECFG", TileOperation::StoreConfig)
                            .Case("TILERELEASE", TileOperation::Release)
                            .Case("TILEZERO", TileOperation::Zero)
                            .Case("TILELOADD", TileOperation::Load)
                            .Case("TILELOADDT1", TileOperation::Load)
                            .Case("TILESTORED", TileOperation::Store)
                            .Case("TDPBF16PS", TileOperation::MultiplyBf16)
                            .Case("TDPFP16PS", TileOperation::MultiplyF16)
                            .Case("TDPBSSD", TileOperation::MultiplySS)
                            .Case("TDPBSUD", TileOperation::MultiplySU)
                            .Case("TDPBUSD", TileOperation::MultiplyUS)
                            .Case("TDPBUUD", TileOperation::MultiplyUU)
                            .Default(std::nullopt);
  if (!operation)
    return std::nullopt;
  TileInstruction tile;
  tile.operation = *operation;
  tile.bytes = instruction.bytes;
  tile.mnemonic = instruction.name.str();
  llvm::ArrayRef<llvm::MCOperand> operands(instruction.operands.begin(),
                                           instruction.operands.end());
  auto numberOf = [&](unsigned i) {
    return disassembler.registerNumber(operands[i]);
  };
  llvm::ArrayRef<llvm::MCOperand> memory;
  switch (*operation) {
  case TileOperation::LoadConfig:
  case TileOperation::StoreConfig:
    memory = operands;
    break;
  case TileOperation::Release:
    break;
  case TileOperation::Zero:
    tile.tile = numberOf(0);
    break;
  case TileOperation::Load:
    tile.tile = numberOf(0);
    memory = operands.drop_front();
    break;
  case TileOperation::Store:
    memory = operands;
    tile.tile = numberOf(5);
    break;
  default:
    // Destination, the same as a source, and the two factors.
    tile.tile = numberOf(0);
    tile.left = numberOf(2);
    tile.right = numberOf(3);
    break;
  }
  if (!memory.empty() &&
      !decodeMemory(disassembler, memory, address + instruction.bytes, tile))
    return std::nullopt;
  return tile;
}
