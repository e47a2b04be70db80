//===- RepeatedOptions.h - Options given more than once -------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TOOLS_REPEATEDOPTIONS_H
#define DELTANET_TOOLS_REPEATEDOPTIONS_H

#include "llvm/Support/CommandLine.h"
#include <string>

namespace mlir::deltanet {

/// Names an option of the category that the command line gave more than once:
/// LLVM keeps the last and drops the others silently. Empty if there is none.
std::string findRepeated(llvm::cl::OptionCategory &category);

} // namespace mlir::deltanet

#endif // DELTANET_TOOLS_REPEATEDOPTIONS_H
