//===- InsertBarriers.cpp - Threads wait for what others write ------------===//
//
// Part of the Delta-Net project.
//
// Walks the code of a block as a thread goes through it and keeps what it has
// read and written since the last barrier. An operation that may touch bytes
// that another thread wrote since then, or write those that one read, comes
// after a barrier. Asynchronous copies are done where they are waited for.
// What one turn of a loop leaves meets the next one. Conditions are the same
// for all threads of a block, so that all of them or none come to a barrier.
//
//===----------------------------------------------------------------------===//

#include "BlockAccesses.h"
#include "deltanet/Fragment/IR/Fragment.h"
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

/// All threads of the block meet; copies go on.
void meet(Pending &pending) {
  llvm::erase_if(pending, [](const BlockAccess &access) {
    return access.progress == Progress::Done;
  });
}

void group(Pending &pending) {
  Pending after;
  for (BlockAccess access : pending) {
    if (access.progress == Progress::Begun)
      access.progress = Progress::Grouped;
    join(after, {access});
  }
  pending = after;
}

/// Any copy of a group may be done from here on, for the thread that began it;
/// all of them are, unless some groups are left.
void wait(Pending &pending, bool leavesSome) {
  Pending after;
  for (BlockAccess access : pending) {
    if (access.progress == Progress::Grouped ||
        access.progress == Progress::MayGoOn) {
      if (leavesSome) {
        access.progress = Progress::MayGoOn;
        join(after, {access});
      }
      access.progress = Progress::Done;
    }
    join(after, {access});
  }
  pending = after;
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
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return visitBranch(branch, pending);
    if (isa<scf::ForOp, scf::WhileOp>(op))
      return visitLoop(op, pending);
    auto barrier = dyn_cast<NVVM::BarrierOp>(op);
    if ((barrier && !barrier.getNumberOfThreads()) ||
        isa<fragment::BarrierOp>(op))
      return meet(pending), success();
    if (isa<fragment::CommitOp>(op))
      return group(pending), success();
    if (auto waiting = dyn_cast<fragment::WaitOp>(op))
      return wait(pending, waiting.getGroups() > 0), success();
    return visitAccesses(op, pending);
  }

  LogicalResult visitAccesses(Operation *op, Pending &pending) {
    Pending accesses;
    if (failed(rules.collect(op, accesses)))
      return failure();
    bool meetsOthers = false;
    for (const BlockAccess &access : accesses)
      for (const BlockAccess &earlier : pending) {
        if (!rules.conflict(access, earlier))
          continue;
        bool isCopy = access.progress != Progress::Done;
        if (!isCopy && (earlier.progress == Progress::Begun ||
                        earlier.progress == Progress::Grouped))
          return op->emitOpError("expected a fragment.wait before memory of a "
                                 "copy is touched");
        meetsOthers |= earlier.progress == Progress::Done;
      }
    if (meetsOthers) {
      OpBuilder builder(op);
      NVVM::BarrierOp::create(builder, op->getLoc());
      meet(pending);
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

  /// A loop ends after any of its regions, or before the first. Turns are
  /// walked until the next one begins with nothing else.
  LogicalResult visitLoop(Operation *loop, Pending &pending) {
    Pending after = pending, begin, next = pending;
    do {
      begin = next;
      Pending inside = begin;
      for (Region &region : loop->getRegions()) {
        if (failed(visit(region.front(), inside)))
          return failure();
        join(after, inside);
      }
      next = inNextTurn(after, loop);
    } while (!llvm::all_of(next, [&](const BlockAccess &access) {
      return llvm::is_contained(begin, access);
    }));
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
