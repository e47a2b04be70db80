//===- StagedRunner.h - Problems on the IR of a stage -----------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// Executes what a kernel is at some stage of the compiler, so that a wrong pass
// shows at the stage that it made. The stage's IR goes through upstream
// lowerings to plain scalar code, which is compiled in memory and run.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_STAGEDRUNNER_H
#define DELTANET_VERIFICATION_STAGEDRUNNER_H

#include "deltanet/IR/DeltaNet.h"
#include "deltanet/Pipelines/Stages.h"
#include "deltanet/Verification/MemoryLayout.h"
#include "deltanet/Verification/ProblemRunner.h"

namespace mlir {
class ExecutionEngine;
}

namespace mlir::deltanet::verification {

struct StagedRunOptions {
  Stage stage = Stage::Rule; ///< for CPUs to Buffers, for GPUs to Fused
  std::string kernel;        ///< empty: the only one of the module
  /// Of the passes: "native" and so on, or a GPU, "sm_80"; empty: the module's
  /// own, or native.
  std::string target;
  std::string schedule; ///< as of the passes; empty: the cost model's
  MemoryLayout layout;
  int repeat = 1; ///< runs of each call; all must give the same bits
};

class StagedRunner : public ProblemRunner {
public:
  /// Parses the file and lowers it to the stage, unless its kernels are already
  /// in canonical form: then the file is taken to be at the stage. Diagnostics
  /// of parser and passes go to standard error, located; the error says which
  /// step failed.
  static llvm::Expected<std::unique_ptr<StagedRunner>>
  create(llvm::StringRef path, const StagedRunOptions &options);
  ~StagedRunner() override;

  const RunnerTraits &traits() const override { return kernelTraits; }
  llvm::Expected<RunResult> run(const Problem &problem) override;

private:
  explicit StagedRunner(const StagedRunOptions &options);

  /// The kernel's wrapper that takes pointers to memref descriptors.
  std::string entryPoint() const { return "_mlir_ciface_" + kernelTraits.name; }

  StagedRunOptions options;
  RunnerTraits kernelTraits;
  std::vector<Role> roles; ///< of the kernel's arguments, in order
  std::unique_ptr<ExecutionEngine> engine;
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_STAGEDRUNNER_H
