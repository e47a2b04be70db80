//===- CudaToolkit.h - Programs of a CUDA toolkit -------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_CODEGEN_CUDATOOLKIT_H
#define DELTANET_CODEGEN_CUDATOOLKIT_H

#include "deltanet/Target/Target.h"

namespace mlir::deltanet {

/// Where the programs of a CUDA toolkit are looked for: in the folder that
/// somebody named, or else in PATH and then in CUDA_HOME.
struct CudaToolkit {
  std::string folder; ///< empty: not named
  std::string home;   ///< CUDA_HOME; empty: not set
  bool none = false;  ///< nowhere: no program is to be used

  bool isNamed() const { return !none && !folder.empty(); }

  /// The path of a program; empty if it is not there.
  std::string find(StringRef program) const;
  /// The same. Error: it is not there; says where it was looked for.
  FailureOr<std::string> require(StringRef program,
                                 EmitErrorFn emitError) const;
  /// Where programs are looked for: "PATH or /usr/local/cuda/bin".
  std::string describePlaces() const;
};

} // namespace mlir::deltanet

#endif // DELTANET_CODEGEN_CUDATOOLKIT_H
