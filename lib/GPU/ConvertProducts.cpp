//===- ConvertProducts.cpp - Products of matrices on fragments ------------===//
//
// Part of the Delta-Net project.
//
// The right operand of a product lies in shared memory. Copies to there begin
// as soon as what is copied is known.
//
//===----------------------------------------------------------------------===//

#include "FragmentConverter.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

Value FragmentConverter::sharedOperand(Value tensor, int64_t warps) {
  Block *block = b.getInsertionBlock();
  Value &found = sharedOperands[{tensor, block}];
  if (found)
    return found;
  auto type = cast<RankedTensorType>(tensor.getType());
  bool isTile = plan.places.contains(tensor);
  auto loop = block->getParent()->getParentOfType<scf::ForallOp>();
  if (!isTile && isFromOutside(tensor, loop))
    return found = copyEarly(tensor, type);
  FragmentPlace place = isTile ? placeOf(tensor) : getRowPlace(type, warps);
  Value tile = b.load(tensor, place);
  return found = b.storeShared(tile, b.shared(type), place);
}

Value FragmentConverter::copyEarly(Value source, RankedTensorType type) {
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.getInsertionBlock();
  Operation *&last = lastCopies[block];
  last ? b.setInsertionPointAfter(last) : b.setInsertionPointToStart(block);
  Value memory = b.shared(type);
  // What tells the place of the source is nearly always free of effects.
  DominanceInfo dominance;
  bool isKnown = succeeded(moveValueDefinitions(
      rewriter, source, memory.getDefiningOp(), dominance));
  b.setInsertionPointAfterValue(isKnown ? memory : source);
  auto copy =
      CopyAsyncOp::create(b, type, source, memory, IntegerAttr(),
                          type.getRank() == 2 ? b.getUnitAttr() : UnitAttr());
  if (isKnown)
    last = copy;
  return copy.getResult();
}

Value FragmentConverter::nearby(Value tensor, const FragmentPlace &place) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Block *block = b.getInsertionBlock();
  auto items = block->getParentOp()->getParentOfType<scf::ForallOp>();
  if (type.getRank() != 1 || !isa<AccumulatorAttr>(place.layout) ||
      !isa<scf::ForOp>(block->getParentOp()) || !items ||
      !isFromOutside(tensor, items) ||
      type.getDimSize(0) * type.getElementTypeBitWidth() %
          (8 * kMaxAccessBytes))
    return tensor;
  Value &found = sharedOperands[{tensor, block}];
  if (!found)
    found = copyEarly(tensor, type);
  return found;
}

void FragmentConverter::convert(linalg::MatmulOp product) {
  Value out = product.getOutputs()[0];
  FragmentPlace sums = placeOf(out);
  // The tile is that of the product, or of its transpose.
  bool isTransposed = sums.dims[0] == 1;
  LayoutAttr layout = LeftAttr::get(b.getContext(), sums.layout.getWarpGrid());
  int64_t warps = getThreadCount(sums.layout) / kWarpSize;
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  AffineExpr terms = b.getAffineDimExpr(2);
  auto hasTermsFirst = [&](unsigned operand) {
    return maps[operand].getResult(0) == terms;
  };
  unsigned left = isTransposed ? 1 : 0, right = 1 - left;
  Value leftTensor = product.getInputs()[left], tile;
  if (isTransposed) {
    Value held = load(leftTensor);
    auto type = cast<TileType>(held.getType());
    tile = CastOp::create(b,
                          TileType::get(b.getContext(), type.getShape(),
                                        type.getElementType(), layout),
                          held);
  } else {
    FragmentPlace place{layout, {0, 1}};
    if (hasTermsFirst(left))
      std::swap(place.dims[0], place.dims[1]);
    tile = b.loadShared(sharedOperand(leftTensor, warps), place);
  }
  auto sum = MmaOp::create(
      b, tile, sharedOperand(product.getInputs()[right], warps), load(out),
      hasTermsFirst(right) ? DenseI64ArrayAttr()
                           : b.getDenseI64ArrayAttr({1, 0}));
  if (isTransposed && product->hasAttr(DeltaNetDialect::kCausalAttr))
    sum.setCausal(true);
  if (auto split = product->getAttrOfType<DenseBoolArrayAttr>(
          DeltaNetDialect::kSplitOperandsAttr)) {
    sum.setSplitLeft(split[left]);
    sum.setSplitRight(split[right]);
  }
  replace(product, store(sum, out));
}

void FragmentConverter::convert(tensor::PadOp pad) {
  FragmentPlace place = placeOf(pad);
  Value source = pad.getSource(), tile;
  // Lanes of an accumulator would read 16 bits each from rows far apart.
  if (isa<AccumulatorAttr>(place.layout)) {
    tile = b.loadShared(copyEarly(source, pad.getType()), place);
  } else {
    tile = LoadOp::create(b, b.tileType(pad.getType(), place), source,
                          DenseI64ArrayAttr(), IntegerAttr());
  }
  replace(pad, b.store(tile, b.shared(pad.getType()), place));
}

void FragmentConverter::convert(tensor::InsertSliceOp insert) {
  Value tensor = getStoredRows(insert).getSource(), tile = load(tensor);
  FragmentPlace place = placeOf(tensor);
  // Lanes of an accumulator would write a few bytes of rows far apart.
  if (isa<AccumulatorAttr>(place.layout)) {
    auto type = cast<RankedTensorType>(tensor.getType());
    Value memory = b.storeShared(tile, b.shared(type), place);
    int64_t warps = getThreadCount(place.layout) / kWarpSize;
    place = getRowPlace(type, warps);
    tile = b.loadShared(memory, place);
  }
  Value part = tensor::ExtractSliceOp::create(
      b, insert.getSourceType(), insert.getDest(), insert.getMixedOffsets(),
      insert.getMixedSizes(), insert.getMixedStrides());
  Value stored = b.store(tile, part, place);
  rewriter.replaceOp(insert,
                     tensor::InsertSliceOp::create(
                         b, stored, insert.getDest(), insert.getMixedOffsets(),
                         insert.getMixedSizes(), insert.getMixedStrides()));
}
