//===- DeltaNetDialect.cpp - Registration of the deltanet dialect ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/IR/DeltaNet.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::deltanet;

#include "deltanet/IR/DeltaNetDialect.cpp.inc"
#include "deltanet/IR/DeltaNetEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "deltanet/IR/DeltaNetAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "deltanet/IR/DeltaNetOps.cpp.inc"

void DeltaNetDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "deltanet/IR/DeltaNetAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "deltanet/IR/DeltaNetOps.cpp.inc"
      >();
}

/// Whole warps, as many as a block may have.
static bool isThreads(Operation *op, Attribute attribute) {
  auto threads = dyn_cast<IntegerAttr>(attribute);
  return isa<FunctionOpInterface>(op) && threads &&
         threads.getType().isSignlessInteger(64) && threads.getInt() > 0 &&
         threads.getInt() <= 1024 && threads.getInt() % 32 == 0;
}

/// For each of the two operands of a product.
static bool isSplit(Attribute attribute) {
  auto split = dyn_cast<DenseBoolArrayAttr>(attribute);
  return split && split.size() == 2;
}

// C16.
LogicalResult
DeltaNetDialect::verifyOperationAttribute(Operation *op,
                                          NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kTargetAttr &&
      !isa<TargetAttr, GpuTargetAttr>(attribute.getValue()))
    return op->emitError("expected a #deltanet.target or #deltanet.gpu_target "
                         "in '")
           << name << "', got " << attribute.getValue();
  if (name == kKernelAttr && !isa<KernelAttr>(attribute.getValue()))
    return op->emitError("expected a #deltanet.kernel in '")
           << name << "', got " << attribute.getValue();
  if (name == DomainAttr::kName && !isa<DomainAttr>(attribute.getValue()))
    return op->emitError("expected a #deltanet.domain in '")
           << name << "', got " << attribute.getValue();
  if (name == DomainAttr::kAxisName && !isa<AxisAttr>(attribute.getValue()))
    return op->emitError("expected a #deltanet<axis> in '")
           << name << "', got " << attribute.getValue();
  if (name == kScheduleAttr && !isa<ScheduleAttr>(attribute.getValue()))
    return op->emitError("expected a #deltanet.schedule in '")
           << name << "', got " << attribute.getValue();
  if (name == kThreadsAttr && !isThreads(op, attribute.getValue()))
    return op->emitError("expected a multiple of 32 up to 1024, an i64, of a "
                         "function in '")
           << name << "', got " << attribute.getValue();
  if (name == kSplitOperandsAttr && !isSplit(attribute.getValue()))
    return op->emitOpError("expected '")
           << name << "' as array<i1: ...> of two, one an operand, got "
           << attribute.getValue();
  // On a function it names another one.
  bool isMark = name == kReductionAttr || name == kMatrixTilesAttr ||
                name == kKeepLoopAttr || name == kPrefetchHereAttr ||
                name == kTogetherAttr || name == kScratchAttr ||
                name == kTf32Attr || name == kCausalAttr ||
                (name == kWorkspaceAttr && !isa<FunctionOpInterface>(op));
  if (isMark && !isa<UnitAttr>(attribute.getValue()))
    return op->emitError("expected a unit attribute as '")
           << name << "', got " << attribute.getValue();
  return success();
}

// C16.
LogicalResult
DeltaNetDialect::verifyRegionArgAttribute(Operation *op, unsigned region,
                                          unsigned argument,
                                          NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kRoleAttr && !isa<RoleAttr>(attribute.getValue()))
    return op->emitError("expected a #deltanet<role> in '")
           << name << "' of argument " << argument << ", got "
           << attribute.getValue();
  return success();
}
