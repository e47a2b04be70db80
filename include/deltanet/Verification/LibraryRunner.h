//===- LibraryRunner.h - Problems on a compiled kernel ----------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_LIBRARYRUNNER_H
#define DELTANET_VERIFICATION_LIBRARYRUNNER_H

#include "deltanet/Verification/KernelLibrary.h"
#include "deltanet/Verification/MemoryLayout.h"

namespace mlir::deltanet::verification {

struct LibraryRunOptions {
  MemoryLayout layout;
  int threads = 1;
  int repeat = 1; ///< runs of each call; all must give the same bits
  /// One more run, the first, that is checked like the others but not timed:
  /// caches and branch predictors know nothing of a kernel just loaded.
  bool warmUp = false;
};

/// Runs one variant in guarded memory. Faults report guard bytes, gaps or
/// inputs that changed, outputs never written, and repetitions that differ.
class LibraryRunner : public ProblemRunner {
public:
  /// Fails as traitsOf does, for an in-place state that the kernel cannot have,
  /// and when the threads cannot be started. `kernel` must stay loaded.
  static llvm::Expected<std::unique_ptr<LibraryRunner>>
  create(const dn_kernel &kernel, const LibraryRunOptions &options);
  ~LibraryRunner() override;

  const RunnerTraits &traits() const override { return kernelTraits; }
  llvm::Expected<RunResult> run(const Problem &problem) override;

private:
  LibraryRunner(const dn_kernel &kernel, const LibraryRunOptions &options)
      : kernel(kernel), options(options) {}

  const dn_kernel &kernel;
  LibraryRunOptions options;
  RunnerTraits kernelTraits;
  dn_pool *pool = nullptr; ///< null for one thread
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_LIBRARYRUNNER_H
