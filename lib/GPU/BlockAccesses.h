//===- BlockAccesses.h - What the threads of a block read and write -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_BLOCKACCESSES_H
#define DELTANET_LIB_GPU_BLOCKACCESSES_H

#include "StageFunctions.h"
#include "deltanet/Transforms/MemoryRanges.h"

namespace mlir::deltanet {

/// What is known of the end of an access: an asynchronous copy begins, becomes
/// part of a group, and may go on after a wait for other groups.
enum class Progress { Done, Begun, Grouped, MayGoOn };

/// An operation reads or writes memory, all threads of the block together.
struct BlockAccess {
  Operation *op;
  Value memory;
  ByteRange range;
  bool isWrite;
  Progress progress = Progress::Done;
  /// The outermost loop of which an earlier turn did it; null: none.
  Operation *loop = nullptr;

  bool operator==(const BlockAccess &other) const {
    return op == other.op && memory == other.memory &&
           isWrite == other.isWrite && progress == other.progress &&
           loop == other.loop;
  }
};

/// What is known of the memory of a stage: arguments of a call overlap nothing,
/// but the final state may be the initial one, and work items are independent.
class BlockAccesses {
public:
  explicit BlockAccesses(StageFunction stage) : stage(stage) {}

  /// Adds those of an operation.
  /// Error: it does not tell all of them.
  LogicalResult collect(Operation *op, SmallVectorImpl<BlockAccess> &accesses);

  /// Whether a thread may meet in `now` what another one did in `earlier`.
  bool conflict(const BlockAccess &now, const BlockAccess &earlier);

private:
  bool isArgument(Value buffer);
  bool mayAlias(const ByteRange &a, const ByteRange &b);
  bool areOtherItems(const BlockAccess &now, const BlockAccess &earlier);
  bool isSamePlace(Value x, Value y, Operation *loop);
  bool areOfOneThread(const BlockAccess &now, const BlockAccess &earlier);

  StageFunction stage;
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_BLOCKACCESSES_H
