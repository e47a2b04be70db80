//===- SwizzledAccesses.cpp - Whether all know that memory is swizzled ----===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "LowerFragments.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

/// The memory that a view shows some rows and columns of. What `memref.view`
/// makes of bytes is memory of its own.
static Value findMemory(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>()) {
    if (isa<memref::ViewOp>(view))
      break;
    value = view.getViewSource();
  }
  return value;
}

static bool isSwizzled(Operation *op, Value memory) {
  return TypeSwitch<Operation *, bool>(op)
      .Case<LoadOp, StoreOp>([](auto access) { return access.getSwizzled(); })
      .Case([&](CopyAsyncOp copy) {
        return copy.getSwizzled() && copy.getDest() == memory;
      })
      .Case([](MmaOp) { return true; })
      .Default(false);
}

LogicalResult mlir::deltanet::verifySwizzledAccesses(func::FuncOp function) {
  struct Access {
    Operation *op;
    bool isSwizzled;
  };
  DenseMap<Value, Access> firsts;
  auto verify = [&](MemoryEffectOpInterface op) -> WalkResult {
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<BaseMemRefType>(operand.getType());
      if (!type || !isInSpace(type, kSharedSpace) ||
          (!op.getEffectOnValue<MemoryEffects::Read>(operand) &&
           !op.getEffectOnValue<MemoryEffects::Write>(operand)))
        continue;
      Access access = {op, isSwizzled(op, operand)};
      Access first =
          firsts.try_emplace(findMemory(operand), access).first->second;
      if (first.isSwizzled == access.isSwizzled)
        continue;
      InFlightDiagnostic error =
          op->emitOpError("expected ")
          << (first.isSwizzled ? "swizzled memory"
                               : "memory that is not swizzled")
          << " as another operation, got the opposite";
      error.attachNote(first.op->getLoc()) << "the other operation";
      return error;
    }
    return WalkResult::advance();
  };
  return failure(function.walk(verify).wasInterrupted());
}
