//===- MemoryRanges.h - What may be written between two places ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_MEMORYRANGES_H
#define DELTANET_LIB_TRANSFORMS_MEMORYRANGES_H

#include "mlir/IR/Operation.h"

namespace mlir::deltanet {

/// Whether `memory` may hold something else at `place` than at `from`, which
/// dominates it: an operation between them may write it, or one of another turn
/// of a loop that has `place` inside and `from` outside. Other paths than
/// through one block and what is nested in it are not followed: it may. Told
/// apart are allocations, tensors and bytes of a work item's arena, and views
/// of each whose places in it are constants.
bool mayBeWrittenBetween(Operation *from, Operation *place, Value memory);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_MEMORYRANGES_H
