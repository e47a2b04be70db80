//===- MemoryRanges.h - Which bytes operations read and write -------------===//
//
// Part of the Delta-Net project.
//
// Told apart are allocations, tensors and bytes of a work item's arena, and
// views of each whose places in it are constants.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TRANSFORMS_MEMORYRANGES_H
#define DELTANET_TRANSFORMS_MEMORYRANGES_H

#include "mlir/IR/Operation.h"

namespace mlir::deltanet {

/// Bytes of a buffer; of all of it unless told.
struct ByteRange {
  Value buffer;
  int64_t begin = 0, end = INT64_MAX;
};

/// The bytes that `memory` is a view of, or more.
ByteRange getByteRange(Value memory);

/// Whether the two may have bytes in common.
bool mayOverlap(const ByteRange &a, const ByteRange &b);

/// Whether `memory` may hold something else at `place` than at `from`, which
/// dominates it: an operation between them may write it, or one of another turn
/// of a loop that has `place` inside and `from` outside. Other paths than
/// through one block and what is nested in it are not followed: it may.
bool mayBeWrittenBetween(Operation *from, Operation *place, Value memory);

} // namespace mlir::deltanet

#endif // DELTANET_TRANSFORMS_MEMORYRANGES_H
