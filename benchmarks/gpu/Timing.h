//===- Timing.h - Kernels timed, call by call -------------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_GPU_TIMING_H
#define DELTANET_BENCHMARKS_GPU_TIMING_H

#include "GpuKernels.h"
#include "OpenedGpu.h"
#include "ResultFile.h"

namespace mlir::deltanet::gpubench {

/// Measures every call on every kernel and prints a row for each. One that
/// takes too long, or more memory than there is, is left out and says why. True
/// if no launch failed.
llvm::Expected<bool> runTiming(const OpenedGpu &gpu,
                               llvm::ArrayRef<GpuKernel> kernels,
                               const Options &options, ResultFile &file);

} // namespace mlir::deltanet::gpubench

#endif // DELTANET_BENCHMARKS_GPU_TIMING_H
