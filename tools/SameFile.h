//===- SameFile.h - Whether two paths lead to one file --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TOOLS_SAMEFILE_H
#define DELTANET_TOOLS_SAMEFILE_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace mlir::deltanet {

/// A file of a command line: what it is for ("the input", "-o") and its path,
/// "-" for a standard stream.
struct NamedFile {
  std::string name;
  std::string path;
  bool isInput = false;
};

/// Whether both would be the same file, through links too and also where it
/// does not exist yet. Devices can be shared.
bool isSameFile(const std::string &a, const std::string &b);

/// Says which output would overwrite another file of the list; empty if none.
std::string findOverwritten(llvm::ArrayRef<NamedFile> files);

} // namespace mlir::deltanet

#endif // DELTANET_TOOLS_SAMEFILE_H
