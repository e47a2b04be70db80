//===- CudaHome.h - The CUDA toolkit that a command line means ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TOOLS_CUDAHOME_H
#define DELTANET_TOOLS_CUDAHOME_H

#include "deltanet/Codegen/CudaToolkit.h"
#include "llvm/Support/Process.h"

namespace mlir::deltanet {

/// The toolkit in the folder that `--cuda` names; where it is not given, that
/// of the environment, and none at all for "none".
inline CudaToolkit findToolkit(StringRef option) {
  CudaToolkit toolkit;
  toolkit.none = option == "none";
  toolkit.folder = option.str();
  toolkit.home = llvm::sys::Process::GetEnv("CUDA_HOME").value_or("");
  return toolkit;
}

} // namespace mlir::deltanet

#endif // DELTANET_TOOLS_CUDAHOME_H
