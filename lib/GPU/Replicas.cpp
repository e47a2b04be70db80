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

/// Whether neither rows nor columns are spread along an axis.
static bool isFree(const std::array<int64_t, 2> &rowSteps,
                   const std::array<int64_t, 2> &columnSteps, unsigned axis) {
  return rowSteps[axis] == 0 && columnSteps[axis] == 0;
}

Replicas Replicas::ofLanes(TileType tile, ThreadPlace &place) {
  Replicas replicas;
  Spread rows = tile.getSpread(0), columns = tile.getSpread(1);
  auto grid = tile.getLayout().getLaneGrid();
  bool free[] = {isFree(rows.laneSteps, columns.laneSteps, 0),
                 isFree(rows.laneSteps, columns.laneSteps, 1)};
  replicas.count = (free[0] ? grid[0] : 1) * (free[1] ? grid[1] : 1);
  if (free[0] && free[1])
    replicas.number = place.getLane();
  else if (free[0] || free[1])
    replicas.number = place.getLane(tile.getLayout(), free[0] ? 0 : 1);
  return replicas;
}

Replicas Replicas::ofWarps(TileType tile, ThreadPlace &place) {
  Replicas replicas;
  Spread rows = tile.getSpread(0), columns = tile.getSpread(1);
  auto grid = tile.getLayout().getWarpGrid();
  bool free[] = {isFree(rows.warpSteps, columns.warpSteps, 0),
                 isFree(rows.warpSteps, columns.warpSteps, 1)};
  replicas.count = (free[0] ? grid[0] : 1) * (free[1] ? grid[1] : 1);
  if (free[0] && free[1])
    replicas.number = place.getWarp();
  else if (free[0] || free[1])
    replicas.number = place.getWarp(tile.getLayout(), free[0] ? 0 : 1);
  return replicas;
}

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, /*width=*/32);
}

Value Replicas::isNumber(OpBuilder &builder, Location loc, int64_t turn) const {
  if (count == 1)
    return {};
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, number,
                               constant(builder, loc, turn));
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
