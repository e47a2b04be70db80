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

class CrossCheckedRunner;
class DeviceRunner;

/// A runner, and what the report says about it.
struct NamedRunner {
  std::unique_ptr<ProblemRunner> runner;
  std::string variant;                        ///< e.g. "avx2"
  std::string reason;                         ///< why this one
  CrossCheckedRunner *crossChecked = nullptr; ///< the runner, if it is one
  DeviceRunner *onDevice = nullptr;           ///< the runner, if it is one
};

/// The variant of a kernel that the options or the runtime choose.
llvm::Expected<NamedRunner> makeLibraryRunner(const KernelLibrary &library,
                                              const Options &options);

/// A variant of a kernel inside the emulator, and on this machine if it can.
llvm::Expected<NamedRunner> makeEmulatedRunner(const KernelLibrary &library,
                                               const Options &options);

/// The variant of a kernel that the runtime chooses for a GPU.
llvm::Expected<NamedRunner> makeDeviceRunner(const KernelLibrary &library,
                                             const Options &options);

/// The IR of a stage.
llvm::Expected<NamedRunner> makeStagedRunner(const Options &options);

/// Makes or reads a problem, runs it and prints the report. True if everything
/// passed; an error if it could not be run.
llvm::Expected<bool> runProblem(NamedRunner &runner, const Options &options);

/// Prints the roofline of each stage of a kernel on a GPU.
llvm::Error estimateKernel(const KernelLibrary &library,
                           const Options &options);

/// Prints the kernels of a library, their variants and schedules.
void listKernels(const KernelLibrary &library, bool json);

} // namespace mlir::deltanet::verification

#endif // DELTANET_TOOLS_DELTA_RUN_KERNELRUN_H
