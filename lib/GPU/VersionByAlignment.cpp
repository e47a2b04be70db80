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

/// Loads, stores and copies of a stage, by where the memory is whose alignment
/// they tell.
struct Accesses {
  /// Of tensors of the call. Their views begin at whole rows, or at columns in
  /// multiples of 16.
  SmallVector<Operation *> call;
  /// Of the workspace and the scratch, which are ours: all rows are multiples
  /// of 16 elements.
  SmallVector<Operation *> own;
};

/// The memory of an access that tells its alignment.
Value getMemory(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return load.getSource();
  if (auto store = dyn_cast<StoreOp>(op))
    return store.getDest();
  if (auto copy = dyn_cast<CopyAsyncOp>(op))
    return copy.getSource();
  return {};
}

Accesses findAccesses(StageFunction stage) {
  Accesses accesses;
  stage.function.walk([&](Operation *op) {
    Value memory = getMemory(op);
    if (!memory)
      return;
    auto argument = dyn_cast<BlockArgument>(getByteRange(memory).buffer);
    if (!argument || !argument.getOwner()->isEntryBlock())
      return;
    bool isOfCall = argument.getArgNumber() < stage.kernel.getNumArguments();
    (isOfCall ? accesses.call : accesses.own).push_back(op);
  });
  return accesses;
}

void setAligned(ArrayRef<Operation *> accesses) {
  for (Operation *op : accesses)
    op->setAttr("alignment",
                Builder(op->getContext()).getI64IntegerAttr(kMaxAccessBytes));
}

void version(StageFunction stage, ArrayRef<Operation *> accesses) {
  OpBuilder builder(stage.function);
  builder.setInsertionPointAfter(stage.function);
  auto copy = cast<func::FuncOp>(builder.clone(*stage.function));
  copy.setSymName((stage.function.getSymName() + ".unaligned").str());
  stage.function->setAttr(DeltaNetDialect::kUnalignedAttr,
                          FlatSymbolRefAttr::get(copy));
  setAligned(accesses);
}

struct VersionByAlignment
    : deltanet::impl::VersionByAlignmentBase<VersionByAlignment> {
  void runOnOperation() override {
    FailureOr<SmallVector<StageFunction>> stages =
        findStageFunctions(getOperation());
    if (failed(stages))
      return signalPassFailure();
    for (StageFunction stage : *stages) {
      Accesses accesses = findAccesses(stage);
      setAligned(accesses.own);
      if (!accesses.call.empty())
        version(stage, accesses.call);
    }
  }
};

} // namespace
