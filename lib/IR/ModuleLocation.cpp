//===- ModuleLocation.cpp - Where a module begins -------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/IR/ModuleLocation.h"

using namespace mlir;

void mlir::deltanet::locateImplicitModule(ModuleOp module) {
  auto loc = dyn_cast<FileLineColLoc>(module.getLoc());
  if (loc && loc.getLine() == 0)
    module->setLoc(FileLineColLoc::get(loc.getFilename(), 1, 1));
}
