//===- TileAccesses.h - Which elements a thread accesses at once ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_TILEACCESSES_H
#define DELTANET_LIB_GPU_TILEACCESSES_H

#include "ThreadPlace.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::deltanet {

/// One access of memory by a thread: neighbours in memory, each a register.
struct TileAccess {
  /// Row and column of the first element, from the thread's position.
  std::array<int64_t, 2> offsets;
  SmallVector<unsigned> registers;
};

/// What a load or store of a tile does in each thread.
class TileAccesses {
public:
  TileAccesses(fragment::TileType tile, Value memory,
               ArrayRef<int64_t> dimensionMap, int64_t alignment,
               bool isSwizzled, ThreadPlace &place);

  ArrayRef<TileAccess> get() const { return accesses; }
  /// Elements of one access.
  int64_t getLength() const { return length; }
  /// Whether memory may end before the tile does.
  bool hasBounds() const { return isBounded[0] || isBounded[1]; }
  /// Of an access's offsets, those that memory has bounds for; accesses that
  /// agree in them are in memory together or not at all.
  std::pair<int64_t, int64_t> getBoundedOffsets(const TileAccess &access) const;

  /// Row and column of an access.
  std::array<Value, 2> locate(OpBuilder &builder, Location loc,
                              std::array<int64_t, 2> offsets) const;
  std::array<Value, 2> locate(OpBuilder &builder, Location loc,
                              std::array<Value, 2> offsets) const;
  /// Whether a row and column are in memory; they are bounded.
  Value isInMemory(OpBuilder &builder, Location loc,
                   std::array<Value, 2> place) const;

  SmallVector<Value> load(OpBuilder &builder, Location loc,
                          std::array<Value, 2> place) const;
  void store(OpBuilder &builder, Location loc, ValueRange elements,
             std::array<Value, 2> place) const;

private:
  int64_t findLength(int64_t alignment) const;
  SmallVector<Value> getIndices(OpBuilder &builder, Location loc,
                                std::array<Value, 2> place) const;

  fragment::TileType tile;
  Value memory;
  SmallVector<int64_t, 2> dimensionMap;
  bool isSwizzled;
  ThreadPlace &place;
  std::array<bool, 2> isBounded = {false, false};
  int64_t length = 1;
  SmallVector<TileAccess> accesses;
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_TILEACCESSES_H
