//===- LaneShuffles.h - Shuffles that lanes of 128 bits are made for ------===//
//
// Part of the Delta-Net project.
//
// A machine has one instruction for each of these shuffles of two registers,
// and needs no register of indices for it. A transposition is made of them:
//
//   r0: 0 1 2 3 | 4 5 6 7      once r0 … r3 are interleaved, lane L of the
//   r1: 0 1 2 3 | 4 5 6 7  →   c-th result holds their column 4L + c;
//
// exchanging lanes puts those of the same column of more rows together.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TRANSFORMS_LANESHUFFLES_H
#define DELTANET_TRANSFORMS_LANESHUFFLES_H

#include "mlir/IR/Builders.h"

namespace mlir::deltanet {

/// Shuffles of registers of one type, in order of the elements.
class LaneShuffles {
public:
  LaneShuffles(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// In each lane by itself, groups of `width` elements of all rows in turn:
  /// the c-th result has the c-th group of each row. There are as many rows as
  /// groups in a lane.
  SmallVector<Value> interleave(ArrayRef<Value> rows, int64_t width);

  /// For each c, the even lanes of upper[c] and then of lower[c]; and then for
  /// each c the odd ones.
  SmallVector<Value> exchangeLanes(ArrayRef<Value> upper,
                                   ArrayRef<Value> lower);

private:
  Value shuffle(Value a, Value b, ArrayRef<int64_t> mask);
  Value interleaveHalves(Value a, Value b, int64_t width, int64_t half);
  Value lanes(Value a, Value b, int64_t first);

  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::deltanet

#endif // DELTANET_TRANSFORMS_LANESHUFFLES_H
