//===- DeviceRunner.h - Problems on a kernel for GPUs -----------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_DEVICERUNNER_H
#define DELTANET_VERIFICATION_DEVICERUNNER_H

#include "deltanet-c/cuda.h"
#include "deltanet/Verification/KernelLibrary.h"
#include "deltanet/Verification/MemoryLayout.h"
#include "llvm/Support/JSON.h"

namespace mlir::deltanet::verification {

class GpuDevice;

/// Which GPU: one of this machine, or a simulated one.
struct DeviceChoice {
  bool isSimulated = false;
  int ordinal = 0;          ///< of this machine's GPUs
  unsigned capability = 80; ///< of the simulated one: 10 * major + minor
  std::string driver;       ///< of this machine; empty: libcuda.so.1
};

struct DeviceRunOptions {
  DeviceChoice device;
  MemoryLayout layout;
  /// Runs of each call; all must give the same bits. On a simulated GPU each
  /// has another order of warps.
  int repeat = 1;
  /// As LibraryRunOptions says. Simulated GPUs are not timed.
  bool warmUp = false;
};

/// Runs the variant that the runtime chooses for a GPU, by the runtime. Faults
/// are those of LibraryRunner; each tensor is a buffer of its own, between
/// guards on a real GPU. On a simulated one they are, besides, all that the
/// simulator finds: accesses outside of the tensors, reads of what nothing
/// wrote, the gaps between rows included, writes to inputs, data races.
class DeviceRunner : public ProblemRunner {
public:
  /// Fails as traitsOf does, for an in-place state that the kernel cannot have,
  /// without such a GPU, and without a variant that it can run. The set must
  /// stay loaded. Calls are for the thread that calls this.
  static llvm::Expected<std::unique_ptr<DeviceRunner>>
  create(const dn_kernel_set &set, const DeviceRunOptions &options);
  ~DeviceRunner() override;

  const RunnerTraits &traits() const override { return kernelTraits; }
  llvm::Expected<RunResult> run(const Problem &problem) override;

  const dn_kernel &kernel() const { return *chosen.kernel; }
  llvm::StringRef reason() const { return chosen.reason; }
  /// "NVIDIA H200 (9.0)".
  llvm::StringRef deviceName() const;
  /// What was loaded, and why.
  llvm::StringRef image() const;

  /// What a simulated GPU executed since it was asked the last time:
  /// dn_sim_take_report. Null for a real one.
  llvm::json::Value takeReport() const;

private:
  explicit DeviceRunner(const DeviceRunOptions &options);

  /// Launches all stages and waits. False if findings ended that early.
  llvm::Expected<bool> launch(const dn_args &args, RunResult &result);

  DeviceRunOptions options;
  std::unique_ptr<GpuDevice> device;
  dn_selection chosen = {};
  RunnerTraits kernelTraits;
  dn_cuda_kernel *loaded = nullptr;
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_DEVICERUNNER_H
