//===- ResultFile.cpp - Results as JSON, as far as they are there ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "ResultFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::deltanet::gpubench;

llvm::Error ResultFile::add(llvm::json::Value entry) {
  entries.push_back(std::move(entry));
  return write();
}

llvm::Error ResultFile::finish(bool passed) {
  set("passed", passed);
  return write();
}

llvm::Error ResultFile::write() const {
  if (path.empty())
    return llvm::Error::success();
  llvm::json::Object whole = head;
  whole["results"] = llvm::json::Array(entries);
  std::error_code code;
  llvm::raw_fd_ostream file(path, code);
  if (!code) {
    file << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(whole)));
    file.flush();
    code = file.error();
    file.clear_error();
  }
  if (code)
    return llvm::createStringError(code, path + ": " + code.message());
  return llvm::Error::success();
}
