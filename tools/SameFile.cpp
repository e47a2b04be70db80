//===- SameFile.cpp - Whether two paths lead to one file ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SameFile.h"
#include <filesystem>

namespace fs = std::filesystem;
using namespace mlir::deltanet;

/// An absolute path without links, the last part of which need not exist.
static fs::path resolve(const std::string &text) {
  std::error_code ignored;
  fs::path path = fs::absolute(text, ignored);
  // A link to a file that does not exist is followed by who writes to it.
  for (int links = 0; links < 40 && fs::is_symlink(path, ignored); ++links)
    path = path.parent_path() / fs::read_symlink(path, ignored);
  return fs::weakly_canonical(path, ignored);
}

bool mlir::deltanet::isSameFile(const std::string &a, const std::string &b) {
  if (a == "-" || b == "-")
    return a == b;
  std::error_code ignored;
  fs::file_status status = fs::status(a, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status))
    return false;
  // Hard links have one file, but two paths.
  return fs::equivalent(a, b, ignored) || resolve(a) == resolve(b);
}

std::string mlir::deltanet::findOverwritten(llvm::ArrayRef<NamedFile> files) {
  for (size_t i = 0; i < files.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const NamedFile &first = files[j], &second = files[i];
      // The standard input and output are two.
      bool streams = first.isInput != second.isInput && first.path == "-";
      if ((first.isInput && second.isInput) || streams ||
          !isSameFile(first.path, second.path))
        continue;
      return second.name + ": expected another file than " + first.name +
             ", got '" + second.path + "'";
    }
  return {};
}
