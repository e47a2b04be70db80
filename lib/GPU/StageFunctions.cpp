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

SmallVector<StageFunction> mlir::deltanet::findStageFunctions(ModuleOp module) {
  SmallVector<StageFunction> stages;
  SymbolTable symbols(module);
  for (auto kernel : module.getOps<func::FuncOp>()) {
    auto names = kernel->getAttrOfType<ArrayAttr>(DeltaNetDialect::kStagesAttr);
    if (!names)
      continue;
    for (auto name : names.getAsRange<FlatSymbolRefAttr>())
      if (auto stage = symbols.lookup<func::FuncOp>(name.getAttr()))
        stages.push_back({kernel, stage});
  }
  return stages;
}
