//===- WriteFile.h - A file of a tool's results ---------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TOOLS_WRITEFILE_H
#define DELTANET_TOOLS_WRITEFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlir::deltanet {

/// Writes `contents` to the file `path`. The error names the file.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef contents);

} // namespace mlir::deltanet

#endif // DELTANET_TOOLS_WRITEFILE_H
