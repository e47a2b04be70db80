//===- KernelRun.h - One launch from arguments to report --------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTA_PTXSIM_KERNELRUN_H
#define DELTA_PTXSIM_KERNELRUN_H

#include "Options.h"

namespace delta_ptxsim {

/// Whether the launch had no findings, which are printed.
llvm::Expected<bool> runKernel(const mlir::deltanet::ptx::Program &program,
                               const Options &options);

} // namespace delta_ptxsim

#endif // DELTA_PTXSIM_KERNELRUN_H
