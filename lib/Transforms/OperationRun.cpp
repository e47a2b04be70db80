//===- OperationRun.cpp - Operations to be wrapped in a loop --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "OperationRun.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::deltanet;

SmallVector<Value> OperationRun::getLiveOuts() const {
  auto isInside = [&](Operation *user) {
    for (Operation *op = user; op; op = op->getParentOp())
      if (contains(op))
        return true;
    return false;
  };
  SmallVector<Value> values;
  for (Operation *op : operations)
    for (Value result : op->getResults())
      if (isa<RankedTensorType>(result.getType()) &&
          !llvm::all_of(result.getUsers(), isInside))
        values.push_back(result);
  return values;
}

llvm::SetVector<Value> OperationRun::getInputs() const {
  llvm::SetVector<Value> inputs;
  for (Operation *op : operations)
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        Operation *owner = operand.getDefiningOp();
        if (!owner)
          owner = operand.getParentBlock()->getParentOp();
        bool isOwn = false;
        // An argument of a block of a run's operation is its own, too.
        for (; owner && !isOwn; owner = owner->getParentOp())
          isOwn = contains(owner);
        if (!isOwn)
          inputs.insert(operand);
      }
    });
  return inputs;
}

Value OperationRun::getDestination(Value value) const {
  while (Operation *op = value.getDefiningOp()) {
    if (!contains(op))
      return value;
    unsigned number = cast<OpResult>(value).getResultNumber();
    Value next =
        llvm::TypeSwitch<Operation *, Value>(op)
            .Case<bufferization::AllocTensorOp>([&](auto) { return value; })
            .Case<DestinationStyleOpInterface>([&](auto destination) {
              return destination.getDpsInitOperand(number)->get();
            })
            .Case<tensor::InsertSliceOp, tensor::InsertOp>(
                [](auto insert) { return insert.getDest(); })
            .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
                [](auto shape) { return shape.getSrc(); })
            .Case<scf::ForOp>(
                [&](scf::ForOp loop) { return loop.getInitArgs()[number]; })
            .Default([](Operation *) { return Value(); });
    if (!next || next == value)
      return next;
    value = next;
  }
  return value;
}
