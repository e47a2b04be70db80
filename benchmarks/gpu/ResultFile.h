//===- ResultFile.h - Results as JSON, as far as they are there -*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_GPU_RESULTFILE_H
#define DELTANET_BENCHMARKS_GPU_RESULTFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace mlir::deltanet::gpubench {

/// A file that holds one object: what holds for all, and a list. Written anew
/// with each entry, so that whatever ends the program leaves those before.
class ResultFile {
public:
  /// No path: nothing is written.
  ResultFile(llvm::StringRef path, llvm::json::Object head)
      : path(path), head(std::move(head)) {}

  void set(llvm::StringRef key, llvm::json::Value value) {
    head[key] = std::move(value);
  }
  llvm::Error add(llvm::json::Value entry);
  /// Says in the file whether all went well.
  llvm::Error finish(bool passed);

private:
  llvm::Error write() const;

  std::string path;
  llvm::json::Object head;
  llvm::json::Array entries;
};

} // namespace mlir::deltanet::gpubench

#endif // DELTANET_BENCHMARKS_GPU_RESULTFILE_H
