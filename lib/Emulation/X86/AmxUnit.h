//===- AmxUnit.h - Tiles and what is done with them -------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_X86_AMXUNIT_H
#define DELTANET_LIB_EMULATION_X86_AMXUNIT_H

#include "TileInstruction.h"
#include "TileProducts.h"

namespace mlir::deltanet::emulation {

/// Memory as an instruction sees it. False: the execution has ended.
class TileMemory {
public:
  virtual ~TileMemory() = default;
  virtual bool load(uint64_t address, llvm::MutableArrayRef<uint8_t> to) = 0;
  virtual bool store(uint64_t address, llvm::ArrayRef<uint8_t> from) = 0;
};

/// The matrix unit of Sapphire Rapids: eight tiles of 16 rows of 64 bytes.
/// Follows Intel's Software Developer's Manual.
class AmxUnit {
public:
  enum class Outcome {
    Done,
    Undefined,  ///< an exception: undefined instruction
    Protection, ///< an exception: general protection
    Ended       ///< by a memory access
  };
  struct Result {
    Outcome outcome;
    const char *why = "";
  };

  bool isConfigured() const { return configured; }

  /// `address` and `stride` are those of the memory operand.
  Result execute(const TileInstruction &instruction, uint64_t address,
                 uint64_t stride, TileMemory &memory);

private:
  Result loadConfig(uint64_t address, TileMemory &memory);
  Result storeConfig(uint64_t address, TileMemory &memory) const;
  Result load(Tile &tile, uint64_t address, uint64_t stride,
              TileMemory &memory);
  Result store(const Tile &tile, uint64_t address, uint64_t stride,
               TileMemory &memory);
  Result multiply(const TileInstruction &instruction);
  void release();

  static constexpr unsigned tileCount = 8;
  bool configured = false;
  uint8_t startRow = 0; ///< where an interrupted load or store goes on
  Tile tiles[tileCount];
};

} // namespace mlir::deltanet::emulation

#endif // DELTANET_LIB_EMULATION_X86_AMXUNIT_H
