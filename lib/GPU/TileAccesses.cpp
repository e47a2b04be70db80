//===- TileAccesses.cpp - Which elements a thread accesses at once --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "TileAccesses.h"
#include "SharedPlaces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

/// Whether all threads hold runs of so many neighbours, each at a multiple of
/// the length.
static bool hasRuns(const Spread &spread, int64_t length) {
  auto isMultiple = [&](int64_t step) { return step % length == 0; };
  if (!llvm::all_of(spread.laneSteps, isMultiple) ||
      !llvm::all_of(spread.warpSteps, isMultiple) ||
      !isMultiple(spread.offsets.size()))
    return false;
  for (auto [index, offset] : llvm::enumerate(spread.offsets)) {
    int64_t inRun = index % length;
    if (offset % length != inRun ||
        offset - inRun != spread.offsets[index - inRun])
      return false;
  }
  return true;
}

/// The dimension of the tile whose neighbours are neighbours in memory.
static std::optional<unsigned> findContiguous(MemRefType type,
                                              ArrayRef<int64_t> dimensionMap) {
  if (type.getRank() == 0 || !type.isLastDimUnitStride())
    return std::nullopt;
  return dimensionMap.back();
}

int64_t TileAccesses::findLength(int64_t alignment) const {
  std::optional<unsigned> along =
      findContiguous(cast<MemRefType>(memory.getType()), dimensionMap);
  if (!along || isBounded[*along])
    return 1;
  int64_t bytes = tile.getElementType().getIntOrFloatBitWidth() / 8;
  Spread spread = tile.getSpread(*along);
  int64_t longest = alignment / bytes;
  while (longest > 1 && !hasRuns(spread, longest))
    longest /= 2;
  return longest;
}

TileAccesses::TileAccesses(TileType tile, Value memory,
                           ArrayRef<int64_t> dimensionMap, int64_t alignment,
                           bool isSwizzled, ThreadPlace &place)
    : tile(tile), memory(memory), dimensionMap(dimensionMap),
      isSwizzled(isSwizzled), place(place) {
  auto type = cast<MemRefType>(memory.getType());
  for (auto [index, dimension] : llvm::enumerate(dimensionMap))
    isBounded[dimension] = type.isDynamicDim(index);
  length = findLength(alignment);
  std::array<int64_t, 2> lengths = {1, 1};
  if (length != 1)
    lengths[dimensionMap.back()] = length;
  Spread rows = tile.getSpread(0), columns = tile.getSpread(1);
  unsigned columnCount = columns.offsets.size();
  for (unsigned row = 0; row < rows.offsets.size(); row += lengths[0])
    for (unsigned column = 0; column < columnCount; column += lengths[1]) {
      TileAccess &access = accesses.emplace_back();
      access.offsets = {rows.offsets[row], columns.offsets[column]};
      for (unsigned i = 0; i < lengths[0]; ++i)
        for (unsigned j = 0; j < lengths[1]; ++j)
          access.registers.push_back((row + i) * columnCount + column + j);
    }
}

std::pair<int64_t, int64_t>
TileAccesses::getBoundedOffsets(const TileAccess &access) const {
  return {isBounded[0] ? access.offsets[0] : 0,
          isBounded[1] ? access.offsets[1] : 0};
}

std::array<Value, 2>
TileAccesses::locate(OpBuilder &builder, Location loc,
                     std::array<int64_t, 2> offsets) const {
  return locate(builder, loc,
                {arith::ConstantIndexOp::create(builder, loc, offsets[0]),
                 arith::ConstantIndexOp::create(builder, loc, offsets[1])});
}

std::array<Value, 2> TileAccesses::locate(OpBuilder &builder, Location loc,
                                          std::array<Value, 2> offsets) const {
  for (auto [dimension, offset] : llvm::enumerate(offsets))
    offset = builder.createOrFold<arith::AddIOp>(
        loc, place.getPosition(tile, dimension), offset);
  return offsets;
}

Value TileAccesses::isInMemory(OpBuilder &builder, Location loc,
                               std::array<Value, 2> place) const {
  Value all;
  for (auto [index, dimension] : llvm::enumerate(dimensionMap)) {
    if (!isBounded[dimension])
      continue;
    Value size = memref::DimOp::create(builder, loc, memory, index);
    Value is = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                     place[dimension], size);
    all = all ? arith::AndIOp::create(builder, loc, all, is) : is;
  }
  return all;
}

SmallVector<Value> TileAccesses::getIndices(OpBuilder &builder, Location loc,
                                            std::array<Value, 2> place) const {
  auto indices = llvm::map_to_vector(
      dimensionMap, [&](int64_t dimension) { return place[dimension]; });
  if (isSwizzled)
    indices[1] = swizzleColumn(builder, loc, memory, indices[0], indices[1]);
  return indices;
}

SmallVector<Value> TileAccesses::load(OpBuilder &builder, Location loc,
                                      std::array<Value, 2> place) const {
  SmallVector<Value> indices = getIndices(builder, loc, place);
  if (length == 1)
    return {memref::LoadOp::create(builder, loc, memory, indices)};
  Type element = tile.getElementType();
  llvm::Align alignment(length * element.getIntOrFloatBitWidth() / 8);
  Value vector = vector::LoadOp::create(
      builder, loc, VectorType::get(length, element), memory, indices,
      /*nontemporal=*/false, alignment);
  SmallVector<Value> elements;
  for (int64_t index : llvm::seq(length))
    elements.push_back(vector::ExtractOp::create(builder, loc, vector, index));
  return elements;
}

void TileAccesses::store(OpBuilder &builder, Location loc, ValueRange elements,
                         std::array<Value, 2> place) const {
  SmallVector<Value> indices = getIndices(builder, loc, place);
  if (length == 1) {
    memref::StoreOp::create(builder, loc, elements[0], memory, indices);
    return;
  }
  Type element = tile.getElementType();
  llvm::Align alignment(length * element.getIntOrFloatBitWidth() / 8);
  Value vector = vector::FromElementsOp::create(
      builder, loc, VectorType::get(length, element), elements);
  vector::StoreOp::create(builder, loc, vector, memory, indices,
                          /*nontemporal=*/false, alignment);
}
