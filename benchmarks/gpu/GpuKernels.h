//===- GpuKernels.h - The kernels for GPUs of some libraries ----*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_GPU_GPUKERNELS_H
#define DELTANET_BENCHMARKS_GPU_GPUKERNELS_H

#include "Options.h"
#include "deltanet/Verification/KernelLibrary.h"

namespace mlir::deltanet::gpubench {

/// A kernel that has variants for GPUs.
struct GpuKernel {
  const dn_kernel_set *set;
  std::string library; ///< its file's name without folder and ending
  int64_t heads;       ///< HV

  /// "gated.gated_16x32": as no other kernel of the libraries is called.
  std::string fullName() const { return library + "." + set->name; }
};

/// Those of the libraries that the options ask for, in their order; of
/// Cases::Smoke alone those that have the fewest heads. Fails where there is
/// none.
llvm::Expected<std::vector<GpuKernel>>
gpuKernelsOf(llvm::ArrayRef<verification::KernelLibrary> libraries,
             const Options &options);

} // namespace mlir::deltanet::gpubench

#endif // DELTANET_BENCHMARKS_GPU_GPUKERNELS_H
