//===- Checks.h - Kernels against the recurrence and a simulator *- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_GPU_CHECKS_H
#define DELTANET_BENCHMARKS_GPU_CHECKS_H

#include "GpuKernels.h"
#include "ResultFile.h"

namespace mlir::deltanet::gpubench {

/// Runs every problem on the variant that the runtime chooses for the GPU, and
/// compares with the float64 recurrence and with what is stored. Prints a line
/// for each, and all that is known of one that fails. True if none did.
llvm::Expected<bool> runChecks(llvm::ArrayRef<GpuKernel> kernels,
                               const Options &options, ResultFile &file);

/// Stores what the GPU computes of small problems. True if it is right.
llvm::Expected<bool> recordResults(llvm::ArrayRef<GpuKernel> kernels,
                                   const Options &options, ResultFile &file);

} // namespace mlir::deltanet::gpubench

#endif // DELTANET_BENCHMARKS_GPU_CHECKS_H
