//===- GpuName.h - How --sm calls a GPU -------------------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TOOLS_GPUNAME_H
#define DELTANET_TOOLS_GPUNAME_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace mlir::deltanet {

/// The name that the table of targets has for `text`: "sm_90a" for "90a", and
/// for "sm_90a", which is how CUDA's tools call it.
inline std::string gpuNameOf(llvm::StringRef text) {
  text.consume_front("sm_");
  return ("sm_" + text).str();
}

} // namespace mlir::deltanet

#endif // DELTANET_TOOLS_GPUNAME_H
