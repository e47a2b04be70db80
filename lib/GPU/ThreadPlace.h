//===- ThreadPlace.h - Where a thread stands in its block -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_THREADPLACE_H
#define DELTANET_LIB_GPU_THREADPLACE_H

#include "deltanet/Fragment/IR/Fragment.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::deltanet {

/// Makes, at the begin of a function, what depends on the thread alone: each
/// value once.
class ThreadPlace {
public:
  /// A function that blocks of so many threads run, along x.
  ThreadPlace(func::FuncOp function, int64_t threads);

  int64_t getThreads() const { return threads; }

  /// The number of the thread in its block, an i32.
  Value getThread() const { return thread; }

  /// (thread / divisor) mod modulus, an i32.
  Value getDigit(int64_t divisor, int64_t modulus);

  /// One of these as an index.
  Value getIndex(Value number);

  /// Row or column of the thread among the lanes of its warp, an i32.
  Value getLane(fragment::LayoutAttr layout, unsigned axis);
  /// Row or column of the thread's warp among those of the block, an i32.
  Value getWarp(fragment::LayoutAttr layout, unsigned axis);

  /// Whether a bit of the lane's number is set.
  Value hasLaneBit(int64_t bit);

  /// The row or column of the first element that the thread holds, an index.
  Value getPosition(fragment::TileType tile, unsigned dimension) {
    return getPosition(tile, dimension, /*ofWarp=*/false);
  }
  /// That of the first element that the thread's warp holds.
  Value getWarpPosition(fragment::TileType tile, unsigned dimension) {
    return getPosition(tile, dimension, /*ofWarp=*/true);
  }

private:
  Value getPosition(fragment::TileType tile, unsigned dimension, bool ofWarp);
  Value constant(int64_t value);
  /// Where the next value goes: behind the last one.
  OpBuilder makeBuilder() const;

  Location location;
  int64_t threads;
  Value thread, last;
  DenseMap<std::pair<int64_t, int64_t>, Value> digits;
  DenseMap<int64_t, Value> constants, laneBits;
  DenseMap<Value, Value> indices;
  DenseMap<std::tuple<fragment::TileType, unsigned, unsigned>, Value> positions;
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_THREADPLACE_H
