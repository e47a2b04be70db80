//===- ThreadPlace.cpp - Where a thread stands in its block ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "ThreadPlace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

ThreadPlace::ThreadPlace(func::FuncOp function, int64_t threads)
    : location(function.getLoc()), threads(threads) {
  OpBuilder builder =
      OpBuilder::atBlockBegin(&function.getFunctionBody().front());
  auto range = LLVM::ConstantRangeAttr::get(function.getContext(), APInt(32, 0),
                                            APInt(32, threads));
  thread = last =
      NVVM::ThreadIdXOp::create(builder, location, builder.getI32Type(), range);
}

OpBuilder ThreadPlace::makeBuilder() const {
  OpBuilder builder(location.getContext());
  builder.setInsertionPointAfterValue(last);
  return builder;
}

Value ThreadPlace::constant(int64_t value) {
  Value &found = constants[value];
  if (!found) {
    OpBuilder builder = makeBuilder();
    found = last =
        arith::ConstantIntOp::create(builder, location, value, /*width=*/32);
  }
  return found;
}

Value ThreadPlace::getDigit(int64_t divisor, int64_t modulus) {
  if (modulus == 1)
    return constant(0);
  if (Value found = digits.lookup({divisor, modulus}))
    return found;
  Value digit = thread;
  if (divisor != 1) {
    Value by = constant(divisor);
    OpBuilder builder = makeBuilder();
    digit = last = arith::DivUIOp::create(builder, location, digit, by);
  }
  if (divisor * modulus != threads) {
    Value by = constant(modulus);
    OpBuilder builder = makeBuilder();
    digit = last = arith::RemUIOp::create(builder, location, digit, by);
  }
  return digits[{divisor, modulus}] = digit;
}

Value ThreadPlace::getLane(LayoutAttr layout, unsigned axis) {
  auto [rows, columns] = layout.getLaneGrid();
  return axis == 0 ? getDigit(columns, rows) : getDigit(1, columns);
}

Value ThreadPlace::getWarp(LayoutAttr layout, unsigned axis) {
  auto [rows, columns] = layout.getWarpGrid();
  return axis == 0 ? getDigit(kWarpSize * columns, rows)
                   : getDigit(kWarpSize, columns);
}

Value ThreadPlace::hasLaneBit(int64_t bit) {
  Value &found = laneBits[bit];
  if (!found) {
    Value mask = constant(bit), zero = constant(0);
    OpBuilder builder = makeBuilder();
    last = arith::AndIOp::create(builder, location, thread, mask);
    found = last = arith::CmpIOp::create(builder, location,
                                         arith::CmpIPredicate::ne, last, zero);
  }
  return found;
}

Value ThreadPlace::getIndex(Value number) {
  Value &found = indices[number];
  if (!found) {
    OpBuilder builder = makeBuilder();
    found = last = arith::IndexCastUIOp::create(builder, location,
                                                builder.getIndexType(), number);
  }
  return found;
}

Value ThreadPlace::getPosition(TileType tile, unsigned dimension, bool ofWarp) {
  if (Value found = positions.lookup({tile, dimension, ofWarp}))
    return found;
  LayoutAttr layout = tile.getLayout();
  Spread spread = tile.getSpread(dimension);
  Value sum = constant(0);
  auto add = [&](Value coordinate, int64_t step) {
    Value factor = constant(step);
    OpBuilder builder = makeBuilder();
    last = arith::MulIOp::create(builder, location, coordinate, factor);
    sum = last = builder.createOrFold<arith::AddIOp>(location, last, sum);
  };
  for (unsigned axis : {0, 1}) {
    if (spread.warpSteps[axis] && layout.getWarpGrid()[axis] != 1)
      add(getWarp(layout, axis), spread.warpSteps[axis]);
    if (!ofWarp && spread.laneSteps[axis] && layout.getLaneGrid()[axis] != 1)
      add(getLane(layout, axis), spread.laneSteps[axis]);
  }
  return positions[{tile, dimension, ofWarp}] = getIndex(sum);
}
