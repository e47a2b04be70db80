//===- Version.cpp - What --version prints --------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Version.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

std::string mlir::deltanet::versionOf(const char *tool) {
  return std::string(tool) + " " DELTANET_VERSION ", LLVM " LLVM_VERSION_STRING;
}

void mlir::deltanet::setVersion(const char *tool) {
  llvm::cl::SetVersionPrinter(
      [tool](llvm::raw_ostream &os) { os << versionOf(tool) << "\n"; });
}
