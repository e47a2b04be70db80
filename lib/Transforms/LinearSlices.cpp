//===- LinearSlices.cpp - How an index moves a slice ----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "LinearSlices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::deltanet;

/// The factor of `index` in `value`, 0 where it does not enter; nothing if it
/// enters in another way.
static std::optional<int64_t> getFactor(Value value, Value index) {
  if (value == index)
    return 1;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions())
    return 0;
  SmallVector<int64_t> factors;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> factor = getFactor(operand, index);
    if (!factor)
      return std::nullopt;
    factors.push_back(*factor);
  }
  if (llvm::all_of(factors, [](int64_t factor) { return factor == 0; }))
    return 0;
  if (isa<arith::AddIOp>(op))
    return factors[0] + factors[1];
  if (isa<arith::MulIOp>(op))
    for (auto [number, other] : {std::pair{0, 1}, {1, 0}})
      if (auto constant = getConstantIntValue(op->getOperand(other)))
        return factors[number] * *constant;
  return std::nullopt;
}

bool deltanet::dependsOn(Value value, Value index) {
  return getFactor(value, index).value_or(1) != 0;
}

std::optional<MovedDimension>
deltanet::getMovedDimension(OffsetSizeAndStrideOpInterface slice, Value index) {
  std::optional<MovedDimension> moved;
  for (auto [position, offset] : llvm::enumerate(slice.getMixedOffsets())) {
    auto value = offset.dyn_cast<Value>();
    std::optional<int64_t> factor = value ? getFactor(value, index) : 0;
    if (!factor)
      return std::nullopt;
    if (*factor == 0)
      continue;
    if (moved || *factor < 0 || !isOneInteger(slice.getMixedSizes()[position]))
      return std::nullopt;
    moved = MovedDimension{static_cast<unsigned>(position), *factor};
  }
  return moved;
}
