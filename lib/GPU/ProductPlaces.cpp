//===- ProductPlaces.cpp - The tiles of products by tensor cores ----------===//
//
// Part of the Delta-Net project.
//
// The sums of a product are an accumulator. Of its operands, one comes from
// shared memory; the other one is made in registers where the first comes from
// another work item's memory: the product then is computed transposed, so that
// the operand in registers is the left one. Rows of keys and queries, which are
// read for themselves, lie as they do in memory.
//
//===----------------------------------------------------------------------===//

#include "FragmentPlaces.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

namespace {

/// Rows and columns that one warp multiplies at once.
constexpr int64_t kPieceRows = 16, kPieceColumns = 8;

/// Zeros below and nothing else, as a tile of what is padded: a load makes them
/// of rows that memory of dynamic size does not have.
bool isPaddedBelow(tensor::PadOp pad) {
  Value value = pad.getConstantPaddingValue();
  RankedTensorType source = pad.getSourceType();
  return value && matchPattern(value, m_PosZeroFloat()) &&
         pad.getType().hasStaticShape() && source.getRank() == 2 &&
         source.isDynamicDim(0) && !source.isDynamicDim(1) &&
         llvm::all_of(pad.getMixedLowPad(), isZeroInteger) &&
         isZeroInteger(pad.getMixedHighPad()[1]);
}

class Planner {
public:
  Planner(scf::ForallOp loop, int64_t warps, FragmentPlan &plan)
      : loop(loop), warps(warps), plan(plan) {}

  LogicalResult run() {
    SmallVector<linalg::MatmulOp> products;
    SmallVector<tensor::PadOp> padded;
    loop.walk([&](Operation *op) {
      if (isTensorCoreProduct(op))
        products.push_back(cast<linalg::MatmulOp>(op));
      if (auto pad = dyn_cast<tensor::PadOp>(op); pad && isPaddedBelow(pad))
        padded.push_back(pad);
    });
    for (linalg::MatmulOp product : products)
      if (failed(start(product)) || failed(spreadAll()))
        return failure();
    for (tensor::PadOp pad : padded)
      if (!plan.places.contains(pad) &&
          (failed(start(pad)) || failed(spreadAll())))
        return failure();
    for (linalg::MatmulOp product : products)
      for (Value operand : product.getInputs())
        if (failed(verifyOperand(product, operand)))
          return failure();
    loop.walk([&](Operation *op) {
      if (taken.contains(op))
        plan.operations.push_back(op);
    });
    return success();
  }

private:
  /// What is no tile and was made here goes to shared memory by rows.
  LogicalResult verifyOperand(linalg::MatmulOp product, Value operand) {
    if (plan.places.contains(operand) || isFromOutside(operand, loop))
      return success();
    auto type = cast<RankedTensorType>(operand.getType());
    return TileType::verify([&] { return product.emitOpError(); },
                            type.getShape(), type.getElementType(),
                            getRowPlace(type, warps).layout);
  }

  LogicalResult start(linalg::MatmulOp product) {
    Value left = product.getInputs()[0], right = product.getInputs()[1];
    bool isTransposed =
        isFromOutside(left, loop) && !isFromOutside(right, loop);
    SmallVector<int64_t, 2> dims{0, 1};
    if (isTransposed)
      std::swap(dims[0], dims[1]);
    auto type = cast<RankedTensorType>(product.getResult(0).getType());
    int64_t rows = type.getDimSize(dims[0]), columns = type.getDimSize(dims[1]);
    // An operand in registers has whole rows in a warp.
    int64_t rowWarps = warps;
    while (rowWarps > 1 && rows % (kPieceRows * rowWarps))
      rowWarps /= 2;
    int64_t columnWarps = warps / rowWarps;
    if (failed(verifySplit(product)))
      return failure();
    if (rows % (kPieceRows * rowWarps) || warps % rowWarps ||
        columns % (kPieceColumns * columnWarps) ||
        (isTransposed && columnWarps > 1))
      return product.emitOpError("expected sums of ")
             << (isTransposed ? "a multiple of 16 columns"
                              : "multiples of 16 rows and 8 columns")
             << " for each of " << warps << " warps, got " << type;
    FragmentPlace sums{
        AccumulatorAttr::get(loop.getContext(), {rowWarps, columnWarps}), dims};
    if (failed(verifyTiles(product, {rows, columns}, sums.layout)))
      return failure();
    taken.insert(product);
    if (failed(set(product.getOutputs()[0], sums, product)) ||
        failed(set(product.getResult(0), sums, product)))
      return failure();
    if (!isTransposed)
      return success();
    // Its columns are the rows of the tile.
    auto place = sums;
    AffineMap map = product.getIndexingMapsArray()[1];
    place.dims.clear();
    for (AffineExpr result : map.getResults())
      place.dims.push_back(result == getAffineDimExpr(2, loop.getContext()));
    return set(right, place, product);
  }

  LogicalResult verifySplit(linalg::MatmulOp product) {
    auto split = product->getAttrOfType<DenseBoolArrayAttr>(
        DeltaNetDialect::kSplitOperandsAttr);
    Type type = getElementTypeOrSelf(product.getInputs()[0].getType());
    if (split && !type.isF32() && llvm::is_contained(split.asArrayRef(), true))
      return product.emitOpError("expected operands of f32, since one is "
                                 "split, got ")
             << type;
    return success();
  }

  /// The sums, and the operand with as many rows, which has whole pieces.
  LogicalResult verifyTiles(linalg::MatmulOp product,
                            std::array<int64_t, 2> shape, LayoutAttr sums) {
    auto left = cast<RankedTensorType>(product.getInputs()[0].getType());
    bool isCausal = product->hasAttr(DeltaNetDialect::kCausalAttr);
    if (isCausal && left.getDimSize(0) != left.getDimSize(1))
      return product.emitOpError("expected a left operand with as many rows as "
                                 "columns, since it is causal, got ")
             << left;
    AffineExpr terms = getAffineDimExpr(2, loop.getContext());
    bool hasTermsFirst =
        product.getIndexingMapsArray()[0].getResult(0) == terms;
    int64_t count = left.getDimSize(hasTermsFirst ? 0 : 1);
    Type type = left.getElementType();
    auto layout = LeftAttr::get(loop.getContext(), sums.getWarpGrid());
    if (count % layout.getStep(1, type))
      return product.emitOpError("expected sums of multiples of ")
             << layout.getStep(1, type) << " terms, got " << count;
    auto report = [&] { return product.emitOpError(); };
    if (failed(TileType::verify(report, shape,
                                Float32Type::get(loop.getContext()), sums)))
      return failure();
    return TileType::verify(report, {shape[0], count}, type, layout);
  }

  LogicalResult start(tensor::PadOp pad) {
    FragmentPlace place = getRowPlace(pad.getType(), warps);
    if (failed(TileType::verify([&] { return pad.emitOpError(); },
                                pad.getType().getShape(),
                                pad.getType().getElementType(), place.layout)))
      return failure();
    return set(pad, place, pad);
  }

  LogicalResult set(Value tensor, const FragmentPlace &place, Operation *user) {
    auto [entry, isNew] = plan.places.try_emplace(tensor, place);
    if (isNew)
      pending.push_back(tensor);
    if (entry->second == place)
      return success();
    return user->emitOpError("expected each tensor of a work item to lie in "
                             "one way, got one that lies in two");
  }

  LogicalResult spreadAll() {
    while (!pending.empty())
      if (failed(spread(pending.pop_back_val())))
        return failure();
    return success();
  }

  /// To the operations that make or read the tensor.
  LogicalResult spread(Value tensor) {
    FragmentPlace place = plan.places.lookup(tensor);
    auto setCarried = [&](Value value, Operation *carrier) {
      return loop->isProperAncestor(carrier) ? set(value, place, carrier)
                                             : success();
    };
    if (failed(walkCarried(tensor, setCarried)))
      return failure();
    if (Operation *maker = tensor.getDefiningOp();
        maker && loop->isProperAncestor(maker)) {
      if (auto pad = dyn_cast<tensor::PadOp>(maker); pad && isPaddedBelow(pad))
        taken.insert(pad);
      if (isElementwise(maker) && failed(take(maker, place)))
        return failure();
    }
    for (OpOperand &use : tensor.getUses())
      if (loop->isProperAncestor(use.getOwner()) && failed(spread(use, place)))
        return failure();
    return success();
  }

  LogicalResult spread(OpOperand &use, const FragmentPlace &place) {
    Operation *op = use.getOwner();
    if (auto rows = dyn_cast<tensor::ExtractSliceOp>(op)) {
      for (Operation *user : rows->getUsers())
        if (auto insert = dyn_cast<tensor::InsertSliceOp>(user);
            insert && getStoredRows(insert) == rows)
          taken.insert(insert);
      return success();
    }
    if (isReduction(op) && use.getOperandNumber() == 0)
      return takeReduction(cast<linalg::GenericOp>(op), place);
    if (!isElementwise(op))
      return success();
    AffineMap map = cast<linalg::LinalgOp>(op).getMatchingIndexingMap(&use);
    // A vector does not tell how the rows that it belongs to lie, nor are
    // others computed as it is, unless they come from tiles, too.
    if (!map.isPermutation() || (place.dims.size() == 1 && !comesFromTiles(op)))
      return success();
    return take(op, place.through(inversePermutation(map)));
  }

  bool comesFromTiles(Operation *op) {
    return llvm::all_of(cast<linalg::LinalgOp>(op).getDpsInputs(),
                        [&](Value input) {
                          return !isa<RankedTensorType>(input.getType()) ||
                                 plan.places.contains(input);
                        });
  }

  /// An elementwise operation whose results lie so, as do the operands of all
  /// its dimensions. Others are read as they are needed.
  LogicalResult take(Operation *op, const FragmentPlace &place) {
    taken.insert(op);
    auto linalgOp = cast<linalg::LinalgOp>(op);
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = linalgOp.getMatchingIndexingMap(&operand);
      if (isa<RankedTensorType>(operand.get().getType()) &&
          map.isPermutation() &&
          failed(set(operand.get(), place.through(map), op)))
        return failure();
    }
    for (Value result : op->getResults())
      if (failed(set(result, place, op)))
        return failure();
    return success();
  }

  /// One that every warp has all elements of; other ones go through memory.
  LogicalResult takeReduction(linalg::GenericOp op, FragmentPlace place) {
    FragmentPlace kept = place.through(op.getIndexingMapsArray()[1]);
    if (place.layout.getWarpGrid()[1 - kept.dims[0]] != 1)
      return success();
    taken.insert(op);
    if (failed(set(op.getDpsInits()[0], kept, op)))
      return failure();
    return set(op.getResult(0), kept, op);
  }

  scf::ForallOp loop;
  int64_t warps;
  FragmentPlan &plan;
  SmallPtrSet<Operation *, 16> taken;
  SmallVector<Value> pending;
};

} // namespace

FragmentPlace mlir::deltanet::getRowPlace(RankedTensorType type,
                                          int64_t warps) {
  // Neighbours that a lane reads of a row.
  constexpr int64_t kLaneColumns = 4;
  int64_t lanes = kWarpSize;
  while (lanes > 1 && type.getDimSize(1) % (kLaneColumns * lanes))
    lanes /= 2;
  // Where a warp would have no rows, others take turns with it along them.
  int64_t rowWarps = warps;
  while (rowWarps > 1 && (warps % rowWarps ||
                          type.getDimSize(0) % (kWarpSize / lanes * rowWarps)))
    --rowWarps;
  return {LanesAttr::get(type.getContext(), {kWarpSize / lanes, lanes},
                         {rowWarps, warps / rowWarps}),
          {0, 1}};
}

FailureOr<FragmentPlan>
mlir::deltanet::planChunkProducts(scf::ForallOp loop, ScheduleAttr schedule) {
  FragmentPlan plan;
  if (failed(Planner(loop, schedule.getWarps(), plan).run()))
    return failure();
  return plan;
}
