//===- MapToBlocks.cpp - A stage's function as code of a block ------------===//
//
// Part of the Delta-Net project.
//
// Memory spaces are those of NVVM. They begin at a function's arguments; a view
// of them, and a loop that carries one, has the space of what is viewed.
//
//===----------------------------------------------------------------------===//

#include "DeviceModule.h"
#include "StageFunctions.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_MAPTOBLOCKS
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

void setSpace(Value value, Attribute space) {
  auto type = cast<MemRefType>(value.getType());
  value.setType(MemRefType::get(type.getShape(), type.getElementType(),
                                type.getLayout(), space));
}

/// Gives `to` the space of `from`, where both are memory.
void follow(Value to, Value from) {
  if (auto type = dyn_cast<MemRefType>(from.getType()))
    setSpace(to, type.getMemorySpace());
}

/// Sets the spaces of what `op` makes of memory that has its own.
LogicalResult propagate(Operation &op);

LogicalResult propagate(Block &block) {
  for (Operation &op : block)
    if (failed(propagate(op)))
      return failure();
  return success();
}

LogicalResult propagate(Operation &op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, argument, result] : llvm::zip(
             loop.getInitArgs(), loop.getRegionIterArgs(), loop.getResults())) {
      follow(argument, init);
      follow(result, init);
    }
    return propagate(*loop.getBody());
  }
  if (auto view = dyn_cast<ViewLikeOpInterface>(op)) {
    Value source = view.getViewSource();
    if (op.getNumResults() == 1 && isa<MemRefType>(source.getType()) &&
        isa<MemRefType>(op.getResult(0).getType())) {
      follow(op.getResult(0), source);
      return success();
    }
  }
  for (Region &region : op.getRegions())
    for (Block &block : region)
      if (failed(propagate(block)))
        return failure();
  for (Value result : op.getResults())
    if (isa<BaseMemRefType>(result.getType()))
      return op.emitOpError("expected memory of a block as views of its "
                            "arguments, got another buffer");
  return success();
}

LogicalResult verifySchedule(func::FuncOp function) {
  auto schedule =
      function->getAttrOfType<ScheduleAttr>(DeltaNetDialect::kScheduleAttr);
  if (schedule && schedule.isForGpu())
    return success();
  InFlightDiagnostic error =
      function.emitError("expected a schedule with warps for a GPU, got ");
  return schedule ? error << schedule : error << "none";
}

LogicalResult map(StageFunction stage) {
  func::FuncOp function = stage.function;
  Builder builder(function.getContext());
  abi::StageMemory memory = getDeviceMemory(function.getContext());
  for (BlockArgument argument : function.getArguments())
    if (isa<MemRefType>(argument.getType()))
      setSpace(argument, argument == stage.getScratch() ? memory.scratch
                                                        : memory.tensors);
  Block &body = function.getBody().front();
  function.setType(builder.getFunctionType(body.getArgumentTypes(), {}));
  auto schedule =
      function->getAttrOfType<ScheduleAttr>(DeltaNetDialect::kScheduleAttr);
  function->setAttr(
      DeltaNetDialect::kThreadsAttr,
      builder.getI64IntegerAttr(kWarpThreads * schedule.getWarps()));
  return propagate(body);
}

struct MapToBlocks : deltanet::impl::MapToBlocksBase<MapToBlocks> {
  void runOnOperation() override {
    FailureOr<SmallVector<StageFunction>> stages =
        findStageFunctions(getOperation());
    if (failed(stages))
      return signalPassFailure();
    for (StageFunction stage : *stages)
      if (failed(verifySchedule(stage.function)))
        return signalPassFailure();
    for (StageFunction stage : *stages)
      if (failed(map(stage)))
        return signalPassFailure();
  }
};

} // namespace
