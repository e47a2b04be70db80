//===- MemoryOpsAsSubsets.cpp - Tensors whose content is one tile ---------===//
//
// Part of the Delta-Net project.
//
// Upstream's loop transformation then carries a tile in registers where a loop
// carries a tensor that it reads and writes as this tile alone; bufferization
// makes the operations work on memory.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Fragment/IR/Fragment.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::deltanet::fragment;
using namespace mlir::bufferization;

/// Whether the tile is all of the tensor: what is stored is what is loaded.
template <typename OpTy> static bool coversMemory(OpTy op) {
  return op.getMemoryType().hasStaticShape();
}

/// Both are the whole tensor, and one reads as tile what the other wrote.
template <typename OpTy>
static bool isSameTile(OpTy op, SubsetOpInterface candidate,
                       function_ref<bool(Value, Value)> areEquivalent) {
  if (!coversMemory(op) ||
      !areEquivalent(cast<SubsetOpInterface>(*op).getTensorContainer(),
                     candidate.getTensorContainer()))
    return false;
  auto isSame = [&](auto other) {
    return op.getTileType() == other.getTileType() &&
           op.getDimensionMap() == other.getDimensionMap() &&
           op.getSwizzled() == other.getSwizzled();
  };
  if (auto load = dyn_cast<LoadOp>(*candidate))
    return isSame(load);
  if (auto store = dyn_cast<StoreOp>(*candidate))
    return isSame(store);
  return false;
}

bool LoadOp::operatesOnEquivalentSubset(
    SubsetOpInterface candidate, function_ref<bool(Value, Value)> equivalence) {
  return isSameTile(*this, candidate, equivalence);
}
bool LoadOp::operatesOnDisjointSubset(SubsetOpInterface,
                                      function_ref<bool(Value, Value)>) {
  return false;
}
OpOperand &LoadOp::getSourceOperand() { return getSourceMutable(); }

bool StoreOp::operatesOnEquivalentSubset(
    SubsetOpInterface candidate, function_ref<bool(Value, Value)> equivalence) {
  return isSameTile(*this, candidate, equivalence);
}
bool StoreOp::operatesOnDisjointSubset(SubsetOpInterface,
                                       function_ref<bool(Value, Value)>) {
  return false;
}
OpOperand &StoreOp::getSourceOperand() { return getValueMutable(); }
Value StoreOp::buildSubsetExtraction(OpBuilder &builder, Location loc) {
  return LoadOp::create(builder, loc, getTileType(), getDest(), getDimsAttr(),
                        getAlignmentAttr(), getSwizzledAttr());
}
SmallVector<Value> StoreOp::getValuesNeededToBuildSubsetExtraction() {
  return {getDest()};
}

bool LoadOp::bufferizesToMemoryRead(OpOperand &, const AnalysisState &) {
  return true;
}
bool LoadOp::bufferizesToMemoryWrite(OpOperand &, const AnalysisState &) {
  return false;
}
AliasingValueList LoadOp::getAliasingValues(OpOperand &,
                                            const AnalysisState &) {
  return {};
}
LogicalResult LoadOp::bufferize(RewriterBase &rewriter,
                                const BufferizationOptions &options,
                                BufferizationState &state) {
  FailureOr<Value> buffer = getBuffer(rewriter, getSource(), options, state);
  if (failed(buffer))
    return failure();
  rewriter.modifyOpInPlace(*this, [&] { getSourceMutable().assign(*buffer); });
  return success();
}

bool StoreOp::bufferizesToMemoryRead(OpOperand &operand,
                                     const AnalysisState &) {
  return &operand == &getDestMutable() && !coversMemory(*this);
}
bool StoreOp::bufferizesToMemoryWrite(OpOperand &operand,
                                      const AnalysisState &) {
  return &operand == &getDestMutable();
}
AliasingValueList StoreOp::getAliasingValues(OpOperand &operand,
                                             const AnalysisState &) {
  if (&operand != &getDestMutable())
    return {};
  return {{getOperation()->getResult(0), BufferRelation::Equivalent}};
}
LogicalResult StoreOp::bufferize(RewriterBase &rewriter,
                                 const BufferizationOptions &options,
                                 BufferizationState &state) {
  FailureOr<Value> buffer = getBuffer(rewriter, getDest(), options, state);
  if (failed(buffer))
    return failure();
  StoreOp::create(rewriter, getLoc(), getValue(), *buffer, getDimsAttr(),
                  getAlignmentAttr(), getSwizzledAttr());
  replaceOpWithBufferizedValues(rewriter, *this, *buffer);
  return success();
}
