//===- MatrixOps.cpp - Products of tiles: what they mean ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SwizzledMemory.h"
#include "deltanet/Fragment/IR/Fragment.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::deltanet::fragment;
using namespace mlir::bufferization;

// C42.
LogicalResult CastOp::verify() {
  TileType from = getTile().getType(), to = getResult().getType();
  if (from.getShape() != to.getShape() ||
      from.getElementType() != to.getElementType())
    return emitOpError("expected a tile with the shape and elements of ")
           << from << ", got " << to;
  bool isSame =
      from.getLayout().getLaneGrid() == to.getLayout().getLaneGrid() &&
      from.getLayout().getWarpGrid() == to.getLayout().getWarpGrid();
  for (unsigned dimension : {0, 1})
    isSame &= from.getSpread(dimension) == to.getSpread(dimension);
  if (!isSame)
    return emitOpError("expected layouts that give each thread the same "
                       "elements, got ")
           << from.getLayout() << " and " << to.getLayout();
  return success();
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getTile().getType() == getResult().getType())
    return getTile();
  return {};
}

bool MmaOp::isRightTransposed() {
  return getDims() && *getDims() == ArrayRef<int64_t>{1, 0};
}

// C43, C45 and C47.
LogicalResult MmaOp::verify() {
  TileType left = getLeft().getType(), sums = getAccumulator().getType();
  auto leftLayout = dyn_cast<LeftAttr>(left.getLayout());
  auto sumsLayout = dyn_cast<AccumulatorAttr>(sums.getLayout());
  if (!leftLayout || left.getRows() == 1 || left.getColumns() == 1)
    return emitOpError("expected a left operand in #fragment.left, got ")
           << left;
  if (!sumsLayout || sums.getRows() == 1 || sums.getColumns() == 1 ||
      !sums.getElementType().isF32())
    return emitOpError("expected an accumulator of f32 in "
                       "#fragment.accumulator, got ")
           << sums;
  if (leftLayout.getWarps() != sumsLayout.getWarps() ||
      left.getRows() != sums.getRows())
    return emitOpError("expected a left operand with the warps and rows of ")
           << sums << ", got " << left;
  if (getDims() && *getDims() != ArrayRef<int64_t>{0, 1} &&
      !isRightTransposed())
    return emitOpError("expected dims [0, 1] or [1, 0], got [")
           << *getDims() << "]";
  auto right = cast<ShapedType>(getRight().getType());
  SmallVector<int64_t> shape = {left.getColumns(), sums.getColumns()};
  if (isRightTransposed())
    std::swap(shape[0], shape[1]);
  auto expected = RankedTensorType::get(shape, left.getElementType());
  if (!right.hasRank() || right.getShape() != ArrayRef(shape) ||
      right.getElementType() != left.getElementType())
    return emitOpError("expected a right operand with the elements of ")
           << expected << ", got " << right;
  if (getCausal() && left.getColumns() != sums.getColumns())
    return emitOpError("expected a right operand with as many rows as columns, "
                       "since it is causal, got ")
           << right;
  if (getCausal() && sumsLayout.getWarps()[1] != 1)
    return emitOpError("expected an accumulator with one column of warps, "
                       "since the right operand is causal, got ")
           << sums;
  if ((getSplitLeft() || getSplitRight()) && !left.getElementType().isF32())
    return emitOpError("expected operands of f32, since one is split, got ")
           << left;
  return verifySwizzled(*this, right);
}

void MmaOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (isa<BaseMemRefType>(getRight().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &getRightMutable());
}

Speculation::Speculatability MmaOp::getSpeculatability() {
  return isa<TensorType>(getRight().getType()) ? Speculation::Speculatable
                                               : Speculation::NotSpeculatable;
}

bool MmaOp::bufferizesToMemoryRead(OpOperand &, const AnalysisState &) {
  return true;
}
bool MmaOp::bufferizesToMemoryWrite(OpOperand &, const AnalysisState &) {
  return false;
}
AliasingValueList MmaOp::getAliasingValues(OpOperand &, const AnalysisState &) {
  return {};
}
LogicalResult MmaOp::bufferize(RewriterBase &rewriter,
                               const BufferizationOptions &options,
                               BufferizationState &state) {
  FailureOr<Value> buffer = getBuffer(rewriter, getRight(), options, state);
  if (failed(buffer))
    return failure();
  rewriter.modifyOpInPlace(*this, [&] { getRightMutable().assign(*buffer); });
  return success();
}
