//===- OpenedGpu.h - A GPU for as long as the program uses it ---*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_GPU_OPENEDGPU_H
#define DELTANET_BENCHMARKS_GPU_OPENEDGPU_H

#include "Options.h"
#include "deltanet-c/cuda.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace mlir::deltanet::gpubench {

/// Its primary context is the current one of this thread.
class OpenedGpu {
public:
  static llvm::Expected<std::unique_ptr<OpenedGpu>>
  open(const Options &options);
  OpenedGpu(const OpenedGpu &) = delete;
  ~OpenedGpu();

  dn_cuda *driver() const { return cuda; }
  /// "NVIDIA H200 (9.0)".
  const std::string &name() const { return description; }

private:
  explicit OpenedGpu(int ordinal) : ordinal(ordinal) {}

  const int ordinal;
  dn_cuda *cuda = nullptr;
  bool isRetained = false;
  std::string description;
};

/// A message of the runtime as an error; success for DN_OK.
llvm::Error errorOf(dn_status status, const char *message);

} // namespace mlir::deltanet::gpubench

#endif // DELTANET_BENCHMARKS_GPU_OPENEDGPU_H
