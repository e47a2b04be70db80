//===- ModuleLocation.h - Where a module begins ---------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_IR_MODULELOCATION_H
#define DELTANET_IR_MODULELOCATION_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::deltanet {

/// Gives a module that no `module` in its file opens, which the parser puts at
/// line 0, the first line of the file: errors about it lead somewhere.
void locateImplicitModule(ModuleOp module);

} // namespace mlir::deltanet

#endif // DELTANET_IR_MODULELOCATION_H
