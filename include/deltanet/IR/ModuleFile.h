//===- ModuleFile.h - Modules from files ----------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_IR_MODULEFILE_H
#define DELTANET_IR_MODULEFILE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace llvm {
class SourceMgr;
}

namespace mlir::deltanet {

/// Parses a file, "-" for the standard input, whose text `sources` then owns.
/// Null if it is no module: either diagnostics were emitted, or `message` says
/// why the file cannot be read at all.
OwningOpRef<ModuleOp> readModuleFile(StringRef path, llvm::SourceMgr &sources,
                                     MLIRContext *context,
                                     std::string &message);

} // namespace mlir::deltanet

#endif // DELTANET_IR_MODULEFILE_H
