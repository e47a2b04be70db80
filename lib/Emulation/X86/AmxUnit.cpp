//===- AmxUnit.cpp - Tiles and what is done with them ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "AmxUnit.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace mlir::deltanet::emulation;

namespace {
/// The 64 bytes that LDTILECFG reads.
struct ConfigBytes {
  static constexpr unsigned named = 16; ///< tiles that the format has room for

  uint8_t palette = 0;
  uint8_t startRow = 0;
  uint8_t reserved[14] = {};
  uint16_t rowBytes[named] = {};
  uint8_t rows[named] = {};
};
static_assert(sizeof(ConfigBytes) == 64);
} // namespace

static AmxUnit::Result undefined(const char *why) {
  return {AmxUnit::Outcome::Undefined, why};
}

static AmxUnit::Result protection(const char *why) {
  return {AmxUnit::Outcome::Protection, why};
}

void AmxUnit::release() {
  configured = false;
  startRow = 0;
  for (Tile &tile : tiles)
    tile = Tile();
}

AmxUnit::Result AmxUnit::loadConfig(uint64_t address, TileMemory &memory) {
  ConfigBytes bytes;
  if (!memory.load(address,
                   {reinterpret_cast<uint8_t *>(&bytes), sizeof(bytes)}))
    return {Outcome::Ended};
  release();
  if (bytes.palette == 0)
    return {Outcome::Done};
  if (bytes.palette > 1)
    return protection("expected palette 0 or 1 of tiles");
  auto isSet = [](auto value) { return value != 0; };
  if (llvm::any_of(bytes.reserved, isSet) ||
      llvm::any_of(llvm::drop_begin(bytes.rowBytes, tileCount), isSet) ||
      llvm::any_of(llvm::drop_begin(bytes.rows, tileCount), isSet))
    return protection("expected reserved bytes of the tile configuration to "
                      "be 0");
  for (unsigned i = 0; i < tileCount; ++i) {
    if (bytes.rows[i] > Tile::maxRows || bytes.rowBytes[i] > Tile::maxRowBytes)
      return protection("expected tiles of at most 16 rows and 64 bytes a row");
    if (isSet(bytes.rows[i]) != isSet(bytes.rowBytes[i]))
      return protection("expected tiles with both rows and bytes, or neither");
  }
  for (unsigned i = 0; i < tileCount; ++i) {
    tiles[i].rows = bytes.rows[i];
    tiles[i].rowBytes = bytes.rowBytes[i];
  }
  startRow = bytes.startRow;
  configured = true;
  return {Outcome::Done};
}

AmxUnit::Result AmxUnit::storeConfig(uint64_t address,
                                     TileMemory &memory) const {
  ConfigBytes bytes;
  bytes.palette = configured;
  bytes.startRow = startRow;
  for (unsigned i = 0; i < tileCount; ++i) {
    bytes.rows[i] = tiles[i].rows;
    bytes.rowBytes[i] = tiles[i].rowBytes;
  }
  bool stored = memory.store(
      address, {reinterpret_cast<const uint8_t *>(&bytes), sizeof(bytes)});
  return {stored ? Outcome::Done : Outcome::Ended};
}

AmxUnit::Result AmxUnit::load(Tile &tile, uint64_t address, uint64_t stride,
                              TileMemory &memory) {
  if (startRow >= tile.rows)
    return undefined("expected a start row within the tile");
  // What lies beyond the tile's shape becomes zero.
  Tile loaded;
  loaded.rows = tile.rows;
  loaded.rowBytes = tile.rowBytes;
  for (unsigned row = startRow; row < tile.rows; ++row)
    if (!memory.load(address + row * stride,
                     {loaded.bytes[row], size_t(tile.rowBytes)}))
      return {Outcome::Ended};
  // Rows before the start row came with the load that was interrupted.
  std::memcpy(loaded.bytes, tile.bytes, startRow * Tile::maxRowBytes);
  tile = loaded;
  startRow = 0;
  return {Outcome::Done};
}

AmxUnit::Result AmxUnit::store(const Tile &tile, uint64_t address,
                               uint64_t stride, TileMemory &memory) {
  if (startRow >= tile.rows)
    return undefined("expected a start row within the tile");
  for (unsigned row = startRow; row < tile.rows; ++row)
    if (!memory.store(address + row * stride,
                      {tile.bytes[row], size_t(tile.rowBytes)}))
      return {Outcome::Ended};
  startRow = 0;
  return {Outcome::Done};
}

AmxUnit::Result AmxUnit::multiply(const TileInstruction &instruction) {
  if (instruction.tile == instruction.left ||
      instruction.tile == instruction.right ||
      instruction.left == instruction.right)
    return undefined("expected three different tiles");
  Tile &sum = tiles[instruction.tile];
  const Tile &left = tiles[instruction.left];
  const Tile &right = tiles[instruction.right];
  for (const Tile *tile :
       std::initializer_list<const Tile *>{&sum, &left, &right}) {
    if (!tile->rows)
      return undefined("expected configured tiles");
    if (tile->rowBytes % 4)
      return undefined("expected tiles with rows of whole 4-byte groups");
  }
  if (sum.rows != left.rows || sum.rowBytes != right.rowBytes ||
      left.rowBytes / 4 != right.rows)
    return undefined("expected tiles whose shapes fit");
  switch (instruction.operation) {
  case TileOperation::MultiplyBf16:
    addProductBf16(sum, left, right);
    break;
  case TileOperation::MultiplyF16:
    addProductF16(sum, left, right);
    break;
  case TileOperation::MultiplySS:
    addProductBytes<int8_t, int8_t>(sum, left, right);
    break;
  case TileOperation::MultiplySU:
    addProductBytes<int8_t, uint8_t>(sum, left, right);
    break;
  case TileOperation::MultiplyUS:
    addProductBytes<uint8_t, int8_t>(sum, left, right);
    break;
  default:
    addProductBytes<uint8_t, uint8_t>(sum, left, right);
    break;
  }
  startRow = 0;
  return {Outcome::Done};
}

AmxUnit::Result AmxUnit::execute(const TileInstruction &instruction,
                                 uint64_t address, uint64_t stride,
                                 TileMemory &memory) {
  switch (instruction.operation) {
  case TileOperation::LoadConfig:
    return loadConfig(address + stride, memory);
  case TileOperation::StoreConfig:
    return storeConfig(address + stride, memory);
  case TileOperation::Release:
    release();
    return {Outcome::Done};
  default:
    break;
  }
  if (!configured)
    return undefined("expected configured tiles");
  Tile &tile = tiles[instruction.tile];
  if (!tile.rows)
    return undefined("expected a configured tile");
  switch (instruction.operation) {
  case TileOperation::Zero:
    std::memset(tile.bytes, 0, sizeof(tile.bytes));
    startRow = 0;
    return {Outcome::Done};
  case TileOperation::Load:
    return load(tile, address, stride, memory);
  case TileOperation::Store:
    return store(tile, address, stride, memory);
  default:
    return multiply(instruction);
  }
}
