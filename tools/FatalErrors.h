//===- FatalErrors.h - What LLVM cannot continue after --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TOOLS_FATALERRORS_H
#define DELTANET_TOOLS_FATALERRORS_H

namespace mlir::deltanet {

/// Prints LLVM's fatal errors, such as a full disk behind the standard output,
/// as plain errors of `tool` and ends with exit code 1 instead of an abort.
void reportFatalErrors(const char *tool);

} // namespace mlir::deltanet

#endif // DELTANET_TOOLS_FATALERRORS_H
