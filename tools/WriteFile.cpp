//===- WriteFile.cpp - A file of a tool's results -------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "WriteFile.h"
#include "llvm/Support/raw_ostream.h"

llvm::Error mlir::deltanet::writeFile(llvm::StringRef path,
                                      llvm::StringRef contents) {
  std::error_code code;
  llvm::raw_fd_ostream file(path, code);
  if (!code) {
    file << contents;
    file.close();
    code = file.error();
  }
  if (!code)
    return llvm::Error::success();
  file.clear_error();
  return llvm::createFileError(path, code);
}
