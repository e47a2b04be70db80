//===- VersionByAlignment.cpp - Stages for aligned and for all calls ------===//
//
// Part of the Delta-Net project.
//
// A call promises that its pointers have the alignment of an element, no more;
// nearly all have that of 16 bytes, rows and states too, and threads then take
// 16 bytes at once. Which version a call takes is decided once, where it is
// launched.
//
//===----------------------------------------------------------------------===//

#include "StageFunctions.h"
#include "deltanet/Fragment/IR/Fragment.h"
#include "deltanet/Transforms/MemoryRanges.h"
#include "deltanet/Transforms/Passes.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_VERSIONBYALIGNMENT
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

namespace {

/// Loads and stores of tensors of the call. Their views begin at whole rows, or
/// at columns in multiples of 16.
SmallVector<Operation *> findAccesses(StageFunction stage) {
  auto ofCall = [&](Value memory) {
    auto argument = dyn_cast<BlockArgument>(getByteRange(memory).buffer);
    return argument && argument.getOwner()->isEntryBlock() &&
           argument.getArgNumber() < stage.kernel.getNumArguments();
  };
  SmallVector<Operation *> accesses;
  stage.function.walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op); load && ofCall(load.getSource()))
      accesses.push_back(op);
    if (auto store = dyn_cast<StoreOp>(op); store && ofCall(store.getDest()))
      accesses.push_back(op);
  });
  return accesses;
}

void version(StageFunction stage, ArrayRef<Operation *> accesses) {
  OpBuilder builder(stage.function);
  builder.setInsertionPointAfter(stage.function);
  auto copy = cast<func::FuncOp>(builder.clone(*stage.function));
  copy.setSymName((stage.function.getSymName() + ".unaligned").str());
  stage.function->setAttr(DeltaNetDialect::kUnalignedAttr,
                          FlatSymbolRefAttr::get(copy));
  for (Operation *op : accesses)
    op->setAttr("alignment", builder.getI64IntegerAttr(kMaxAccessBytes));
}

struct VersionByAlignment
    : deltanet::impl::VersionByAlignmentBase<VersionByAlignment> {
  void runOnOperation() override {
    FailureOr<SmallVector<StageFunction>> stages =
        findStageFunctions(getOperation());
    if (failed(stages))
      return signalPassFailure();
    for (StageFunction stage : *stages) {
      SmallVector<Operation *> accesses = findAccesses(stage);
      if (!accesses.empty())
        version(stage, accesses);
    }
  }
};

} // namespace
