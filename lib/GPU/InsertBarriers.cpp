//===- InsertBarriers.cpp - Threads wait for what others write ------------===//
//
// Part of the Delta-Net project.
//
// Walks the code of a block as a thread goes through it and keeps what it has
// read and written since the last barrier. An operation that may touch bytes
// that another thread wrote since then, or write those that one read, comes
// after a barrier. Loops are walked twice: what one turn leaves meets the next
// one. Conditions are the same for all threads of a block, so that all of them
// or none come to a barrier.
//
//===----------------------------------------------------------------------===//

#include "BlockAccesses.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_INSERTBARRIERS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// What threads did since all of them were at one place.
using Pending = SmallVector<BlockAccess>;

void join(Pending &all, const Pending &more) {
  for (const BlockAccess &access : more)
    if (!llvm::is_contained(all, access))
      all.push_back(access);
}

/// What was pending at the end of a turn of a loop, at the begin of the next.
Pending inNextTurn(const Pending &pending, Operation *loop) {
  Pending next;
  for (BlockAccess access : pending) {
    bool isOfOuter = access.loop && access.loop->isProperAncestor(loop);
    if (loop->isProperAncestor(access.op) && !isOfOuter)
      access.loop = loop;
    join(next, {access});
  }
  return next;
}

class BarrierInserter {
public:
  explicit BarrierInserter(StageFunction stage) : stage(stage), rules(stage) {}

  LogicalResult run() {
    Pending pending;
    return visit(stage.function.getBody().front(), pending);
  }

private:
  LogicalResult visit(Block &block, Pending &pending) {
    // Barriers are put before the operation at hand.
    for (Operation &op : block)
      if (failed(visit(&op, pending)))
        return failure();
    return success();
  }

  LogicalResult visit(Operation *op, Pending &pending) {
    if (auto barrier = dyn_cast<NVVM::BarrierOp>(op);
        barrier && !barrier.getNumberOfThreads()) {
      pending.clear();
      return success();
    }
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return visitBranch(branch, pending);
    if (isa<scf::ForOp, scf::WhileOp>(op))
      return visitLoop(op, pending);
    SmallVector<BlockAccess> accesses;
    if (failed(rules.collect(op, accesses)))
      return failure();
    bool waits = llvm::any_of(accesses, [&](const BlockAccess &access) {
      return llvm::any_of(pending, [&](const BlockAccess &earlier) {
        return rules.conflict(access, earlier);
      });
    });
    if (waits) {
      OpBuilder builder(op);
      NVVM::BarrierOp::create(builder, op->getLoc());
      pending.clear();
    }
    join(pending, accesses);
    return success();
  }

  LogicalResult visitBranch(scf::IfOp branch, Pending &pending) {
    Pending after;
    for (Region &region : branch->getRegions()) {
      Pending inside = pending;
      if (!region.empty() && failed(visit(region.front(), inside)))
        return failure();
      join(after, inside);
    }
    pending = after;
    return success();
  }

  /// A loop ends after any of its regions, or before the first.
  LogicalResult visitLoop(Operation *loop, Pending &pending) {
    Pending after = pending, inside = pending;
    for (int turn = 0; turn < 2; ++turn) {
      for (Region &region : loop->getRegions()) {
        if (failed(visit(region.front(), inside)))
          return failure();
        join(after, inside);
      }
      inside = inNextTurn(after, loop);
    }
    pending = after;
    return success();
  }

  StageFunction stage;
  BlockAccesses rules;
};

struct InsertBarriers : deltanet::impl::InsertBarriersBase<InsertBarriers> {
  void runOnOperation() override {
    FailureOr<SmallVector<StageFunction>> stages =
        findStageFunctions(getOperation());
    if (failed(stages))
      return signalPassFailure();
    for (StageFunction stage : *stages)
      if (failed(BarrierInserter(stage).run()))
        return signalPassFailure();
  }
};

} // namespace
