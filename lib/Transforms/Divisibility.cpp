//===- Divisibility.cpp - What is known to be a multiple of a size --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Divisibility.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::deltanet;

bool deltanet::isMultipleOf(Value value, int64_t size) {
  if (auto constant = getConstantIntValue(value))
    return *constant % size == 0;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() &&
           isMultipleOf(loop.getLowerBound(), size) &&
           isMultipleOf(loop.getStep(), size);
  }
  Operation *op = value.getDefiningOp();
  auto isMultiple = [&](Value operand) { return isMultipleOf(operand, size); };
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return llvm::all_of(op->getOperands(), isMultiple);
  return isa<arith::MulIOp>(op) && llvm::any_of(op->getOperands(), isMultiple);
}
