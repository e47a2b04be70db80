//===- StageFunctions.cpp - The functions of the stages of kernels --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "StageFunctions.h"

using namespace mlir;
using namespace mlir::deltanet;

bool StageFunction::isState(Value argument) {
  unsigned number = cast<BlockArgument>(argument).getArgNumber();
  if (number >= kernel.getNumArguments())
    return false;
  auto role =
      kernel.getArgAttrOfType<RoleAttr>(number, DeltaNetDialect::kRoleAttr);
  return role && (role.getValue() == Role::StateIn ||
                  role.getValue() == Role::StateOut);
}

/// A body of one block, after the arguments of the kernel workspace, scratch,
/// begin and end, and no results.
static LogicalResult verifyForm(StageFunction stage) {
  func::FuncOp function = stage.function;
  auto isBytes = [](Type type) {
    auto memory = dyn_cast<MemRefType>(type);
    return memory && memory.getRank() == 1 &&
           memory.getElementType().isInteger(8);
  };
  ArrayRef<Type> types = function.getArgumentTypes();
  unsigned shared = stage.kernel.getNumArguments();
  if (!function.isExternal() && function.getBody().hasOneBlock() &&
      !function.getNumResults() && types.size() == shared + 4 &&
      isBytes(types[shared]) && isBytes(types[shared + 1]) &&
      types[shared + 2].isIndex() && types[shared + 3].isIndex())
    return success();
  InFlightDiagnostic error = function.emitError(
      "expected the function of a stage, of one block with workspace, scratch, "
      "begin and end after the arguments of the kernel, got ");
  if (function.isExternal())
    return error << "a declaration";
  if (!function.getBody().hasOneBlock())
    return error << "several blocks";
  return error << function.getFunctionType();
}

FailureOr<SmallVector<StageFunction>>
mlir::deltanet::findStageFunctions(ModuleOp module) {
  SmallVector<StageFunction> stages;
  SymbolTable symbols(module);
  SmallPtrSet<Operation *, 8> found;
  for (auto kernel : module.getOps<func::FuncOp>()) {
    Attribute given = kernel->getAttr(DeltaNetDialect::kStagesAttr);
    if (!given)
      continue;
    auto names = dyn_cast<ArrayAttr>(given);
    if (!names || !llvm::all_of(names, llvm::IsaPred<FlatSymbolRefAttr>))
      return kernel.emitError("expected names of functions in '")
             << DeltaNetDialect::kStagesAttr << "', got " << given;
    for (auto name : names.getAsRange<FlatSymbolRefAttr>()) {
      auto function = symbols.lookup<func::FuncOp>(name.getAttr());
      if (!function)
        return kernel.emitError("expected a function for the stage ")
               << name << ", got none";
      if (!found.insert(function).second)
        return kernel.emitError("expected a function for each stage, got ")
               << name << " again";
      stages.push_back({kernel, function});
      if (failed(verifyForm(stages.back())))
        return failure();
    }
  }
  return stages;
}
