//===- CrossCheckedRunner.h - The emulator, and the CPU beside --*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_CROSSCHECKEDRUNNER_H
#define DELTANET_VERIFICATION_CROSSCHECKEDRUNNER_H

#include "deltanet/Verification/EmulatedRunner.h"
#include "deltanet/Verification/LibraryRunner.h"

namespace mlir::deltanet::verification {

/// Runs one variant in the emulator and, where this machine can execute its
/// level, natively as well. Results are the emulator's; what the native run
/// gives otherwise is a fault. One runner a process.
class CrossCheckedRunner : public ProblemRunner {
public:
  /// Fails as EmulatedRunner's and LibraryRunner's do.
  static llvm::Expected<std::unique_ptr<CrossCheckedRunner>>
  create(const dn_kernel &kernel, const MemoryLayout &layout);

  const RunnerTraits &traits() const override { return emulator->traits(); }
  llvm::Expected<RunResult> run(const Problem &problem) override;

  const EmulatedRunner &emulated() const { return *emulator; }

  /// Why there is no native run; empty: there is one.
  llvm::StringRef whyNotNative() const { return refusal; }

private:
  CrossCheckedRunner() = default;

  std::unique_ptr<EmulatedRunner> emulator;
  std::unique_ptr<LibraryRunner> native; ///< null with a refusal
  std::string refusal;
};

/// What a native run gives otherwise than an emulated one, a line a tensor. All
/// bits are the same, except where a matrix unit multiplies, whose order of
/// additions no manual tells: there outputs of 16 bits may differ by one unit
/// in the last place, f32 ones by 1e-6 of their RMS.
std::vector<std::string> differences(const RunnerTraits &traits,
                                     const RunResult &native,
                                     const RunResult &emulated);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_CROSSCHECKEDRUNNER_H
