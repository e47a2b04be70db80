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

#include "StageFunctions.h"
#include "deltanet/Fragment/IR/Fragment.h"
#include "deltanet/Transforms/MemoryRanges.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_INSERTBARRIERS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

struct Access {
  Operation *op;
  ByteRange range;
  bool isWrite;
};

/// What threads did since all of them were at one place.
using Pending = SmallVector<Access>;

class BarrierInserter {
public:
  explicit BarrierInserter(StageFunction stage) : stage(stage) {}

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
    if (isa<NVVM::BarrierOp>(op)) {
      pending.clear();
      return success();
    }
    if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
      return visitRegions(op, pending);
    SmallVector<Access> accesses;
    if (failed(collect(op, accesses)))
      return failure();
    bool waits = llvm::any_of(accesses, [&](const Access &access) {
      return llvm::any_of(pending, [&](const Access &earlier) {
        return conflict(access, earlier);
      });
    });
    if (waits) {
      OpBuilder builder(op);
      NVVM::BarrierOp::create(builder, op->getLoc());
      pending.clear();
    }
    pending.append(accesses);
    return success();
  }

  /// Each region may be passed by, and those of a loop come again.
  LogicalResult visitRegions(Operation *op, Pending &pending) {
    Pending before = pending;
    bool isLoop = !isa<scf::IfOp>(op);
    Pending after = before;
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      Pending inside = isLoop ? after : before;
      if (failed(visit(region.front(), inside)))
        return failure();
      join(after, inside);
    }
    if (isLoop)
      for (Region &region : op->getRegions()) {
        Pending inside = after;
        if (failed(visit(region.front(), inside)))
          return failure();
        join(after, inside);
      }
    pending = after;
    return success();
  }

  static void join(Pending &all, const Pending &more) {
    for (const Access &access : more) {
      bool known = llvm::any_of(all, [&](const Access &other) {
        return other.op == access.op && other.isWrite == access.isWrite &&
               other.range.buffer == access.range.buffer &&
               other.range.begin == access.range.begin;
      });
      if (!known)
        all.push_back(access);
    }
  }

  LogicalResult collect(Operation *op, SmallVectorImpl<Access> &accesses) {
    if (isMemoryEffectFree(op))
      return success();
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    if (!interface)
      return op->emitOpError("expected an operation whose effects on memory "
                             "are known in the code of a block");
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      Value memory = effect.getValue();
      if (!memory)
        return op->emitOpError("expected an operation that tells which memory "
                               "it touches in the code of a block");
      bool isWrite = isa<MemoryEffects::Write>(effect.getEffect());
      if (isWrite || isa<MemoryEffects::Read>(effect.getEffect()))
        accesses.push_back({op, getByteRange(memory), isWrite});
    }
    return success();
  }

  bool conflict(const Access &a, const Access &b) {
    if (!a.isWrite && !b.isWrite)
      return false;
    if (!mayAlias(a.range, b.range) || ofOneThread(a, b))
      return false;
    return true;
  }

  /// Arguments of a call overlap nothing, but the final state may be the
  /// initial one.
  bool mayAlias(const ByteRange &a, const ByteRange &b) {
    if (a.buffer == b.buffer || !isArgument(a.buffer) || !isArgument(b.buffer))
      return mayOverlap(a, b);
    return stage.isState(a.buffer) && stage.isState(b.buffer);
  }
  bool isArgument(Value buffer) {
    auto argument = dyn_cast<BlockArgument>(buffer);
    return argument && argument.getOwner() == &stage.function.getBody().front();
  }

  /// Tiles of one type and place: each thread meets its own elements.
  static bool ofOneThread(const Access &a, const Access &b) {
    auto tile = [](Operation *op) -> std::pair<Type, Attribute> {
      if (auto load = dyn_cast<fragment::LoadOp>(op))
        return {load.getTileType(), load.getDimsAttr()};
      if (auto store = dyn_cast<fragment::StoreOp>(op))
        return {store.getTileType(), store.getDimsAttr()};
      return {};
    };
    auto [aType, aDims] = tile(a.op);
    auto [bType, bDims] = tile(b.op);
    if (!aType || aType != bType || aDims != bDims)
      return false;
    // Several threads may read an element that one of them writes.
    auto type = cast<fragment::TileType>(aType);
    return type.getRows() > 1 && type.getColumns() > 1 && samePlace(a.op, b.op);
  }

  /// Of one buffer the same view; of the two states those of one item.
  static bool samePlace(Operation *a, Operation *b) {
    auto memory = [](Operation *op) {
      auto load = dyn_cast<fragment::LoadOp>(op);
      return load ? load.getSource() : cast<fragment::StoreOp>(op).getDest();
    };
    Value x = memory(a), y = memory(b);
    if (x == y)
      return true;
    auto xView = x.getDefiningOp<memref::SubViewOp>();
    auto yView = y.getDefiningOp<memref::SubViewOp>();
    while (xView && yView) {
      if (xView.getMixedOffsets() != yView.getMixedOffsets() ||
          xView.getMixedSizes() != yView.getMixedSizes() ||
          xView.getMixedStrides() != yView.getMixedStrides())
        return false;
      x = xView.getSource();
      y = yView.getSource();
      xView = x.getDefiningOp<memref::SubViewOp>();
      yView = y.getDefiningOp<memref::SubViewOp>();
    }
    return !xView && !yView;
  }

  StageFunction stage;
};

struct InsertBarriers : deltanet::impl::InsertBarriersBase<InsertBarriers> {
  void runOnOperation() override {
    for (StageFunction stage : findStageFunctions(getOperation()))
      if (failed(BarrierInserter(stage).run()))
        return signalPassFailure();
  }
};

} // namespace
