//===- AwaitCopies.cpp - Waits for asynchronous copies --------------------===//
//
// Part of the Delta-Net project.
//
// Copies of a block of code that nothing but views and numbers comes between
// are one group. The wait is in the same block, before what may touch the
// memory that one of them writes, or at the end.
//
//===----------------------------------------------------------------------===//

#include "StageFunctions.h"
#include "deltanet/Fragment/IR/Fragment.h"
#include "deltanet/Transforms/MemoryRanges.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_AWAITCOPIES
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

namespace {

using Group = SmallVector<CopyAsyncOp>;

/// The copies before this place are a group already: it is committed here, or
/// behind the branch that ends here.
bool isCommitted(Block::iterator place) {
  if (isa<CommitOp>(*place))
    return true;
  auto branch = dyn_cast<scf::IfOp>(place->getParentOp());
  return isa<scf::YieldOp>(*place) && branch &&
         isCommitted(std::next(branch->getIterator()));
}

/// The groups of a block that are not made yet.
SmallVector<Group> findGroups(Block &block) {
  SmallVector<Group> groups;
  Group current;
  for (Operation &op : block) {
    if (auto copy = dyn_cast<CopyAsyncOp>(op))
      current.push_back(copy);
    bool ends = !isMemoryEffectFree(&op) && !isa<CopyAsyncOp>(op);
    if (current.empty() || !(ends || op.hasTrait<OpTrait::IsTerminator>()))
      continue;
    if (!isCommitted(op.getIterator()))
      groups.push_back(current);
    current.clear();
  }
  return groups;
}

bool mayTouch(Operation *op, const Group &group) {
  auto isWritten = [&](Value memory) {
    return llvm::any_of(group, [&](CopyAsyncOp copy) {
      return mayOverlap(getByteRange(memory), getByteRange(copy.getDest()));
    });
  };
  WalkResult found = op->walk([&](Operation *inner) {
    bool touches =
        !isMemoryEffectFree(inner) &&
        llvm::any_of(inner->getOperands(), [&](Value operand) {
          return isa<BaseMemRefType>(operand.getType()) && isWritten(operand);
        });
    return touches ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

void await(const Group &group) {
  CopyAsyncOp last = group.back();
  OpBuilder builder(last->getContext());
  builder.setInsertionPointAfter(last);
  Operation *commit = CommitOp::create(builder, last.getLoc());
  Operation *place = commit->getNextNode();
  while (!place->hasTrait<OpTrait::IsTerminator>() && !mayTouch(place, group))
    place = place->getNextNode();
  builder.setInsertionPoint(place);
  WaitOp::create(builder, last.getLoc(), 0);
}

struct AwaitCopies : deltanet::impl::AwaitCopiesBase<AwaitCopies> {
  void runOnOperation() override {
    FailureOr<SmallVector<StageFunction>> stages =
        findStageFunctions(getOperation());
    if (failed(stages))
      return signalPassFailure();
    for (StageFunction stage : *stages)
      stage.function.walk([](Block *block) {
        for (const Group &group : findGroups(*block))
          await(group);
      });
  }
};

} // namespace
