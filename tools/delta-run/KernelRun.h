//===- KernelRun.h - One run from inputs to report --------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TOOLS_DELTA_RUN_KERNELRUN_H
#define DELTANET_TOOLS_DELTA_RUN_KERNELRUN_H

#include "Options.h"
#include "deltanet/Verification/KernelLibrary.h"

namespace mlir::deltanet::verification {

/// Runs what the options ask for and prints the report. True if everything
/// passed; an error if it could not be run.
llvm::Expected<bool> runKernel(const KernelLibrary &library,
                               const Options &options);

/// Prints the kernels of a library, their variants and schedules.
void listKernels(const KernelLibrary &library, bool json);

} // namespace mlir::deltanet::verification

#endif // DELTANET_TOOLS_DELTA_RUN_KERNELRUN_H
