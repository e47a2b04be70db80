//===- FragmentBuilder.cpp - Short spellings for code on fragments --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "FragmentBuilder.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

TileType FragmentBuilder::tileType(RankedTensorType tensor,
                                   const FragmentPlace &place) {
  SmallVector<int64_t, 2> shape{1, 1};
  for (auto [dimension, size] :
       llvm::zip(place.dims, tensor.getShape().take_back(place.dims.size())))
    shape[dimension] = size;
  return TileType::get(getContext(), shape, tensor.getElementType(),
                       place.layout);
}

/// The slice that is all of the tensor, in terms of which units are dropped.
static SmallVector<OpFoldResult> repeat(OpBuilder &b, RankedTensorType type,
                                        int64_t value) {
  return SmallVector<OpFoldResult>(type.getRank(), b.getIndexAttr(value));
}

Value FragmentBuilder::withoutUnits(Value tensor, const FragmentPlace &place) {
  RankedTensorType type = tensorType(tensor);
  int64_t rank = place.dims.size();
  if (rank == type.getRank())
    return tensor;
  auto part = RankedTensorType::get(type.getShape().take_back(rank),
                                    type.getElementType());
  return tensor::ExtractSliceOp::create(
      *this, part, tensor, repeat(*this, type, 0),
      getAsIndexOpFoldResult(getContext(), type.getShape()),
      repeat(*this, type, 1));
}

/// Nothing where a tile lies as its tensor.
static DenseI64ArrayAttr dims(OpBuilder &b, const FragmentPlace &place) {
  bool isPlain = place.dims == SmallVector<int64_t, 2>{0, 1};
  return isPlain ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(place.dims);
}

Value FragmentBuilder::load(Value tensor, const FragmentPlace &place) {
  return LoadOp::create(*this, tileType(tensorType(tensor), place),
                        withoutUnits(tensor, place), dims(*this, place),
                        IntegerAttr());
}

Value FragmentBuilder::store(Value tile, Value tensor,
                             const FragmentPlace &place) {
  Value part = withoutUnits(tensor, place);
  Value stored = StoreOp::create(*this, part.getType(), tile, part,
                                 dims(*this, place), IntegerAttr())
                     .getResult();
  if (part == tensor)
    return stored;
  RankedTensorType type = tensorType(tensor);
  return tensor::InsertSliceOp::create(
      *this, stored, tensor, repeat(*this, type, 0),
      getAsIndexOpFoldResult(getContext(), type.getShape()),
      repeat(*this, type, 1));
}

Value FragmentBuilder::shared(RankedTensorType type) {
  return bufferization::AllocTensorOp::create(*this, type, ValueRange());
}

Value FragmentBuilder::storeShared(Value tile, Value tensor,
                                   const FragmentPlace &place) {
  auto stored = StoreOp::create(*this, tensor.getType(), tile, tensor,
                                dims(*this, place), IntegerAttr());
  stored.setSwizzled(true);
  return stored.getResult();
}

Value FragmentBuilder::loadShared(Value tensor, const FragmentPlace &place) {
  auto loaded = LoadOp::create(*this, tileType(tensorType(tensor), place),
                               tensor, dims(*this, place), IntegerAttr());
  loaded.setSwizzled(true);
  return loaded;
}

Value FragmentBuilder::map(TileType type, ValueRange inputs, Body body) {
  auto op = MapOp::create(
      *this, TypeRange{type}, inputs,
      [&](OpBuilder &nested, Location, ValueRange x) -> SmallVector<Value> {
        return {body(nested, x)};
      });
  return op.getResults()[0];
}
