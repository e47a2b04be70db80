//===- PrefetchState.cpp - Ask for the state ahead of its use -------------===//
//
// Part of the Delta-Net project.
//
// A kv state is read from memory once as a whole, then updated from the L2
// cache. Meanwhile memory would rest; a quarter of the next state (with four
// rows a turn) keeps it busy, and more would keep too many misses pending.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_PREFETCHSTATE
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// The memory that a chain of views starts from.
Value getRoot(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return memory;
}

struct PrefetchState : deltanet::impl::PrefetchStateBase<PrefetchState> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    Value state;
    for (BlockArgument argument : function.getArguments()) {
      auto role = function.getArgAttrOfType<RoleAttr>(
          argument.getArgNumber(), DeltaNetDialect::kRoleAttr);
      if (role && role.getValue() == Role::StateIn)
        state = argument;
    }
    if (!state)
      return;
    function.walk([&](scf::ForallOp forall) {
      auto schedule =
          forall->getAttrOfType<ScheduleAttr>(DeltaNetDialect::kScheduleAttr);
      if (!schedule || schedule.getPrefetch() == 0)
        return;
      forall.walk([&](scf::ForOp loop) {
        if (loop->hasAttr(DeltaNetDialect::kPrefetchHereAttr))
          prefetch(loop, state, schedule);
      });
    });
  }

  /// At the first row that a turn of `loop` reads, a line of the next state.
  void prefetch(scf::ForOp loop, Value state, ScheduleAttr schedule) {
    for (auto read : loop.getOps<vector::TransferReadOp>()) {
      if (getRoot(read.getBase()) != state)
        continue;
      OpBuilder builder(read);
      Location loc = read.getLoc();
      auto constant = [&](int64_t value) {
        return arith::ConstantIndexOp::create(builder, loc, value);
      };
      auto memory = cast<MemRefType>(read.getBase().getType());
      int64_t parts = schedule.getRows();
      int64_t rowsOfPart = memory.getShape().drop_back().back() / parts;
      SmallVector<Value> indices(read.getIndices());
      Value &row = indices[indices.size() - 2], &column = indices.back();
      // Turn number t reads rows of `parts` neighbours; it asks for row t /
      // parts of part t % parts, so that the streams of the next state go ahead
      // together.
      Value turn = arith::DivUIOp::create(builder, loc, row, constant(parts));
      Value inPart =
          arith::DivUIOp::create(builder, loc, turn, constant(parts));
      Value part = arith::RemUIOp::create(builder, loc, turn, constant(parts));
      Value begin =
          arith::MulIOp::create(builder, loc, part, constant(rowsOfPart));
      row = arith::AddIOp::create(builder, loc, begin, inPart);
      column = arith::AddIOp::create(
          builder, loc, column,
          constant(schedule.getPrefetch() /
                   (memory.getElementTypeBitWidth() / 8)));
      memref::PrefetchOp::create(builder, loc, read.getBase(), indices,
                                 /*isWrite=*/false, /*localityHint=*/2,
                                 /*isDataCache=*/true);
      return;
    }
  }
};

} // namespace
