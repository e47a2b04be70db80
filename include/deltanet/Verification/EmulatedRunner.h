//===- EmulatedRunner.h - Problems on a kernel in the emulator --*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_EMULATEDRUNNER_H
#define DELTANET_VERIFICATION_EMULATEDRUNNER_H

#include "deltanet/Emulation/X86/Machine.h"
#include "deltanet/Verification/KernelLibrary.h"
#include "deltanet/Verification/MemoryLayout.h"

namespace mlir::deltanet::verification {

/// Runs one variant on an emulated CPU of its level, whatever this machine's
/// is. Faults report, besides those of LibraryRunner, all that the emulator
/// finds: accesses outside of the tensors, reads of what nothing wrote,
/// instructions that the level lacks, promises of the ABI broken.
class EmulatedRunner : public ProblemRunner {
public:
  /// Fails as LibraryRunner's does, and where there is no emulator. `kernel`
  /// must stay loaded; one runner a process.
  static llvm::Expected<std::unique_ptr<EmulatedRunner>>
  create(const dn_kernel &kernel, const MemoryLayout &layout);

  const RunnerTraits &traits() const override { return kernelTraits; }
  llvm::Expected<RunResult> run(const Problem &problem) override;

  /// Of all runs so far.
  const emulation::InstructionCounts &counts() const { return totalCounts; }
  uint64_t stackBytes() const { return deepestStack; }

private:
  EmulatedRunner(const dn_kernel &kernel, const MemoryLayout &layout)
      : kernel(kernel), layout(layout) {}

  /// Calls one of the kernel's functions; its findings become faults. None if
  /// one of them ended the call.
  std::optional<uint64_t> call(const void *function,
                               llvm::ArrayRef<uint64_t> arguments,
                               RunResult &result);
  /// False if a finding ended a call.
  bool runStages(const dn_args &args, RunResult &result);

  const dn_kernel &kernel;
  MemoryLayout layout;
  RunnerTraits kernelTraits;
  std::unique_ptr<emulation::Machine> machine;
  char *scratch = nullptr;
  emulation::InstructionCounts totalCounts;
  uint64_t deepestStack = 0;
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_EMULATEDRUNNER_H
