//===- FragmentPlaces.cpp - Which tensors are tiles, and how they lie -----===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "FragmentPlaces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::deltanet;

FragmentPlace FragmentPlace::through(AffineMap map) const {
  FragmentPlace place{layout, {}};
  size_t units = map.getNumDims() - dims.size();
  for (AffineExpr result : map.getResults()) {
    size_t position = cast<AffineDimExpr>(result).getPosition();
    if (position >= units)
      place.dims.push_back(dims[position - units]);
  }
  return place;
}

static bool isElement(Type type) {
  return type.isF32() || type.isBF16() || type.isF16();
}

/// Arithmetic on elements and scalars, which a `fragment.map` may have.
static bool isArithmetic(Block &body) {
  return llvm::all_of(body, [](Operation &op) {
    return op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
           llvm::none_of(op.getOperandTypes(), llvm::IsaPred<ShapedType>);
  });
}

/// Static tensors, or a scalar.
static bool isTileOrScalar(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return !isa<ShapedType>(type);
  return tensor.hasStaticShape() && isElement(tensor.getElementType());
}

bool mlir::deltanet::isElementwise(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumParallelLoops() != linalgOp.getNumLoops() ||
      !isArithmetic(*linalgOp.getBlock()))
    return false;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    AffineMap map = linalgOp.getMatchingIndexingMap(&operand);
    bool isOut = linalgOp.isDpsInit(&operand);
    return isTileOrScalar(operand.get().getType()) &&
           (isOut ? map.isIdentity() : map.isProjectedPermutation());
  });
}

bool mlir::deltanet::isElementwiseOfOneShape(Operation *op) {
  if (!isElementwise(op))
    return false;
  auto linalgOp = cast<linalg::LinalgOp>(op);
  return !linalgOp.hasIndexSemantics() &&
         llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
           return !isa<RankedTensorType>(operand.get().getType()) ||
                  linalgOp.getMatchingIndexingMap(&operand).isIdentity();
         });
}

bool mlir::deltanet::isReduction(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumLoops() != 2 ||
      generic.getNumReductionLoops() != 1 || generic.getNumDpsInputs() != 1 ||
      generic.getNumDpsInits() != 1 || generic.hasIndexSemantics() ||
      !isArithmetic(*generic.getBlock()) ||
      !llvm::all_of(op->getOperandTypes(), isTileOrScalar))
    return false;
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  if (!maps[0].isIdentity() || maps[1].getNumResults() != 1 ||
      !maps[1].isProjectedPermutation())
    return false;
  Value result = generic.getBlock()->getArgument(1);
  Operation *last =
      generic.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_present<arith::AddFOp, arith::MaxNumFOp>(last) &&
         result.getType().isF32() && result.hasOneUse() &&
         llvm::is_contained(last->getOperands(), result);
}

/// Operands as they lie or transposed, and sums as they lie.
static bool hasPlainMaps(linalg::MatmulOp product) {
  AffineExpr m, n, k;
  bindDims(product.getContext(), m, n, k);
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  auto is = [&](AffineMap map, AffineExpr first, AffineExpr second) {
    return map == AffineMap::get(3, 0, {first, second}, product.getContext());
  };
  return (is(maps[0], m, k) || is(maps[0], k, m)) &&
         (is(maps[1], k, n) || is(maps[1], n, k)) && is(maps[2], m, n);
}

bool mlir::deltanet::isTensorCoreProduct(Operation *op) {
  auto product = dyn_cast<linalg::MatmulOp>(op);
  if (!product || !hasPlainMaps(product) ||
      !llvm::all_of(op->getOperandTypes(), isTileOrScalar))
    return false;
  Type left = getElementTypeOrSelf(product.getInputs()[0].getType());
  Type right = getElementTypeOrSelf(product.getInputs()[1].getType());
  if (left != right ||
      !getElementTypeOrSelf(product.getOutputs()[0].getType()).isF32())
    return false;
  return left.isF32() ? op->hasAttr(DeltaNetDialect::kTf32Attr) : true;
}

bool mlir::deltanet::isFromOutside(Value tensor, scf::ForallOp loop) {
  while (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    tensor = slice.getSource();
  return !loop->isAncestor(tensor.getParentBlock()->getParentOp());
}

tensor::ExtractSliceOp
mlir::deltanet::getStoredRows(tensor::InsertSliceOp insert) {
  auto rows = insert.getSource().getDefiningOp<tensor::ExtractSliceOp>();
  // A store leaves out rows that memory of dynamic size does not have.
  auto isStored = [](int64_t part, int64_t whole) {
    return part == whole || ShapedType::isDynamic(part);
  };
  if (!rows || rows.getSourceType().getRank() != 2 ||
      rows.getType().getRank() != 2 || insert.getDestType().getRank() != 2 ||
      !isTileOrScalar(rows.getSourceType()) || !rows.hasUnitStride() ||
      !insert.hasUnitStride() ||
      !llvm::all_of(rows.getMixedOffsets(), isZeroInteger) ||
      !isStored(rows.getType().getDimSize(0),
                rows.getSourceType().getDimSize(0)) ||
      rows.getType().getDimSize(1) != rows.getSourceType().getDimSize(1))
    return {};
  return rows;
}

LogicalResult mlir::deltanet::walkCarried(
    Value tensor, function_ref<LogicalResult(Value, Operation *)> visit) {
  auto visitAll = [&](scf::ForOp carrier, unsigned number) {
    for (Value value : {carrier.getInitArgs()[number],
                        Value(carrier.getRegionIterArgs()[number]),
                        carrier.getYieldedValues()[number],
                        Value(carrier.getResults()[number])})
      if (failed(visit(value, carrier)))
        return failure();
    return success();
  };
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    auto carrier = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (carrier && failed(visitAll(carrier, argument.getArgNumber() - 1)))
      return failure();
  }
  if (auto carrier = tensor.getDefiningOp<scf::ForOp>())
    if (failed(visitAll(carrier, cast<OpResult>(tensor).getResultNumber())))
      return failure();
  for (OpOperand &use : tensor.getUses()) {
    auto carrier = dyn_cast<scf::ForOp>(use.getOwner());
    if (carrier && use.getOperandNumber() >= carrier.getNumControlOperands() &&
        failed(visitAll(carrier, use.getOperandNumber() -
                                     carrier.getNumControlOperands())))
      return failure();
  }
  return success();
}

FailureOr<FragmentPlan> mlir::deltanet::planFragments(scf::ForallOp loop,
                                                      ScheduleAttr schedule) {
  if (schedule.getState() == Residency::Registers)
    return planTokenSteps(loop, schedule);
  if (schedule.getMatrix() == MatrixUnit::Mma)
    return planChunkProducts(loop, schedule);
  return FragmentPlan();
}
