//===- ModuleFile.cpp - Modules from files --------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/IR/ModuleFile.h"
#include "deltanet/IR/ModuleLocation.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

/// Objects, libraries and the like. The parser would quote their bytes.
static bool isBinary(llvm::MemoryBufferRef buffer) {
  return buffer.getBuffer().take_front(1024).contains('\0') &&
         !isBytecode(buffer);
}

OwningOpRef<ModuleOp> mlir::deltanet::readModuleFile(StringRef path,
                                                     llvm::SourceMgr &sources,
                                                     MLIRContext *context,
                                                     std::string &message) {
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer)
    return {};
  if (isBinary(*buffer)) {
    message = (path + ": expected a module of MLIR, got a binary file").str();
    return {};
  }
  auto firstLine = FileLineColLoc::get(context, buffer->getBufferIdentifier(),
                                       /*line=*/1, /*column=*/1);
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, context);
  if (!module)
    return {};
  locateImplicitModule(*module);
  // Errors about what says no place lead to the file at least.
  module->walk([&](Operation *op) {
    if (isa<UnknownLoc>(op->getLoc()))
      op->setLoc(firstLine);
  });
  return module;
}
