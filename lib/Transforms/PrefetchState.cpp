//===- PrefetchState.cpp - Ask for the state ahead of its use -------------===//
//
// Part of the Delta-Net project.
//
// Decode streams through states that lie in memory, with loads in one loop and
// stores in the next. Hardware prefetching alone reaches about half of what the
// memory can do: it pauses when the loads pause. One prefetch beside every line
// that is read, in both loops, keeps the stream going.
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

constexpr int64_t kLineBytes = 64;

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
      auto schedule = forall->getAttrOfType<ScheduleAttr>("deltanet.schedule");
      if (!schedule || schedule.getPrefetch() == 0)
        return;
      forall.walk([&](vector::TransferReadOp read) {
        if (read->getParentOfType<scf::ForOp>() &&
            getRoot(read.getBase()) == state)
          prefetch(read, schedule.getPrefetch());
      });
    });
  }

  /// One prefetch for every line that `read` touches, `distance` bytes ahead.
  void prefetch(vector::TransferReadOp read, int64_t distance) {
    OpBuilder builder(read);
    Location loc = read.getLoc();
    VectorType type = read.getVectorType();
    int64_t bytes = type.getElementTypeBitWidth() / 8;
    for (int64_t at = 0; at < type.getNumElements() * bytes; at += kLineBytes) {
      SmallVector<Value> indices(read.getIndices());
      Value ahead =
          arith::ConstantIndexOp::create(builder, loc, (distance + at) / bytes);
      indices.back() =
          arith::AddIOp::create(builder, loc, indices.back(), ahead);
      memref::PrefetchOp::create(builder, loc, read.getBase(), indices,
                                 /*isWrite=*/false, /*localityHint=*/3,
                                 /*isDataCache=*/true);
    }
  }
};

} // namespace
