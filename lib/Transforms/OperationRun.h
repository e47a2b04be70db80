//===- OperationRun.h - Operations to be wrapped in a loop ----------------===//
//
// Part of the Delta-Net project.
//
// Operations of one block, in order, that are about to become the body of a new
// loop: what they make for the rest of the block, and the tensor that each such
// value is written into, which the loop must carry.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_OPERATIONRUN_H
#define DELTANET_LIB_TRANSFORMS_OPERATIONRUN_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::deltanet {

class OperationRun {
public:
  void add(Operation *op) { operations.insert(op); }
  bool empty() const { return operations.empty(); }
  void clear() { operations.clear(); }
  bool contains(Operation *op) const { return operations.contains(op); }
  ArrayRef<Operation *> getOperations() const {
    return operations.getArrayRef();
  }

  /// Tensors of the run that are used after it.
  SmallVector<Value> getLiveOuts() const;

  /// Values from outside that the run uses, also inside regions.
  llvm::SetVector<Value> getInputs() const;

  /// The tensor that `value` is written into, through destinations: a value
  /// from outside the run, or an allocation of the run. Null if there is none.
  Value getDestination(Value value) const;

private:
  llvm::SetVector<Operation *> operations;
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_OPERATIONRUN_H
