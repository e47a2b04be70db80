//===- LoadedKernel.h - A kernel that a GPU is ready to run -----*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_GPU_LOADEDKERNEL_H
#define DELTANET_BENCHMARKS_GPU_LOADEDKERNEL_H

#include "GpuKernels.h"
#include "OpenedGpu.h"

namespace mlir::deltanet::gpubench {

/// The variant that the runtime chooses, loaded for as long as this lives.
class LoadedKernel {
public:
  static llvm::Expected<LoadedKernel> load(const OpenedGpu &gpu,
                                           const GpuKernel &kernel);
  LoadedKernel(LoadedKernel &&other);
  LoadedKernel &operator=(LoadedKernel &&) = delete;
  ~LoadedKernel() { dn_cuda_unload(handle); }

  const GpuKernel &source() const { return *kernel; }
  const dn_kernel &variant() const { return *chosen; }
  const verification::RunnerTraits &traits() const { return kernelTraits; }
  llvm::StringRef image() const { return dn_cuda_image(handle); }
  llvm::Error launch(const dn_args &args, void *stream) const;

private:
  LoadedKernel() = default;

  const GpuKernel *kernel = nullptr;
  const dn_kernel *chosen = nullptr;
  verification::RunnerTraits kernelTraits;
  dn_cuda_kernel *handle = nullptr;
};

} // namespace mlir::deltanet::gpubench

#endif // DELTANET_BENCHMARKS_GPU_LOADEDKERNEL_H
