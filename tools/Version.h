//===- Version.h - What --version prints ----------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TOOLS_VERSION_H
#define DELTANET_TOOLS_VERSION_H

#include <string>

namespace mlir::deltanet {

/// "delta-run 0.1.0, LLVM 22.1.8".
std::string versionOf(const char *tool);

/// Makes --version print versionOf(tool). To be called before the command line
/// is parsed.
void setVersion(const char *tool);

} // namespace mlir::deltanet

#endif // DELTANET_TOOLS_VERSION_H
