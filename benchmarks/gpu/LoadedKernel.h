//===- LoadedKernel.h - A kernel that a GPU is ready to run -----*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_GPU_LOADEDKERNEL_H
#define DELTANET_BENCHMARKS_GPU_LOADEDKERNEL_H

#include "GpuKernels.h"
#include "OpenedGpu.h"
#include <vector>

namespace mlir::deltanet::gpubench {

/// A variant, loaded for as long as this lives.
class LoadedKernel {
public:
  /// The one that the runtime chooses, and then all others that the GPU can
  /// run. Fails where there is none, or one does not load.
  static llvm::Expected<std::vector<LoadedKernel>>
  load(const OpenedGpu &gpu, const GpuKernel &kernel);
  LoadedKernel(LoadedKernel &&other);
  LoadedKernel &operator=(LoadedKernel &&) = delete;
  ~LoadedKernel() { dn_cuda_unload(handle); }

  const GpuKernel &source() const { return *kernel; }
  const dn_kernel &variant() const { return *kernelVariant; }
  /// Whether the runtime chose it.
  bool isChosen() const { return chosen; }
  const verification::RunnerTraits &traits() const { return kernelTraits; }
  llvm::StringRef image() const { return dn_cuda_image(handle); }
  llvm::Error launch(const dn_args &args, void *stream) const;

private:
  LoadedKernel(const GpuKernel &kernel, const dn_kernel &variant, bool chosen)
      : kernel(&kernel), kernelVariant(&variant), chosen(chosen) {}

  const GpuKernel *kernel;
  const dn_kernel *kernelVariant;
  bool chosen;
  verification::RunnerTraits kernelTraits;
  dn_cuda_kernel *handle = nullptr;
};

} // namespace mlir::deltanet::gpubench

#endif // DELTANET_BENCHMARKS_GPU_LOADEDKERNEL_H
