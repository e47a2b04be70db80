//===- Replicas.cpp - Threads that hold the same elements -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Replicas.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, /*width=*/32);
}

Replicas::Replicas(OpBuilder &builder, Location loc, TileType tile,
                   ThreadPlace &place) {
  LayoutAttr layout = tile.getLayout();
  Spread rows = tile.getSpread(0), columns = tile.getSpread(1);
  // The number has a digit for each axis along which nothing is spread.
  auto addDigit = [&](Value digit, int64_t size) {
    if (number) {
      digit = arith::MulIOp::create(builder, loc, digit,
                                    constant(builder, loc, count));
      digit = arith::AddIOp::create(builder, loc, digit, number);
    }
    number = digit;
    count *= size;
  };
  for (unsigned axis : {1, 0})
    if (int64_t size = layout.getLaneGrid()[axis];
        size != 1 && !rows.laneSteps[axis] && !columns.laneSteps[axis])
      addDigit(place.getLane(layout, axis), size);
  for (unsigned axis : {1, 0})
    if (int64_t size = layout.getWarpGrid()[axis];
        size != 1 && !rows.warpSteps[axis] && !columns.warpSteps[axis])
      addDigit(place.getWarp(layout, axis), size);
}

Value Replicas::isBelow(OpBuilder &builder, Location loc, int64_t end) const {
  if (end >= count)
    return {};
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, number,
                               constant(builder, loc, end));
}

/// Halves the choices by each bit of the number, the lowest first.
Value Replicas::choose(OpBuilder &builder, Location loc,
                       ArrayRef<Value> values) const {
  SmallVector<Value> left(values);
  for (int64_t bit = 1; left.size() > 1; bit *= 2) {
    Value masked = arith::AndIOp::create(builder, loc, number,
                                         constant(builder, loc, bit));
    Value isSet = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                        masked, constant(builder, loc, 0));
    SmallVector<Value> chosen;
    for (size_t index = 0; index < left.size(); index += 2)
      chosen.push_back(index + 1 == left.size()
                           ? left[index]
                           : builder.createOrFold<arith::SelectOp>(
                                 loc, isSet, left[index + 1], left[index]));
    left = std::move(chosen);
  }
  return left.front();
}

Value Replicas::choose(OpBuilder &builder, Location loc,
                       ArrayRef<int64_t> values) const {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  if (llvm::all_equal(values))
    return index(values.front());
  int64_t step = values[1] - values[0];
  bool isProgression = true;
  for (auto [number, value] : llvm::enumerate(values))
    isProgression &= value == values[0] + static_cast<int64_t>(number) * step;
  if (!isProgression)
    return choose(builder, loc, llvm::map_to_vector(values, index));
  Value own = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                           number);
  Value offset = builder.createOrFold<arith::MulIOp>(loc, own, index(step));
  return builder.createOrFold<arith::AddIOp>(loc, offset, index(values[0]));
}
