//===- Options.h - The command line of delta-run ----------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TOOLS_DELTA_RUN_OPTIONS_H
#define DELTANET_TOOLS_DELTA_RUN_OPTIONS_H

#include "deltanet/Pipelines/Stages.h"
#include "deltanet/Verification/DeviceRunner.h"
#include "deltanet/Verification/InputGenerator.h"
#include "deltanet/Verification/Limits.h"
#include "deltanet/Verification/MemoryLayout.h"
#include "deltanet/Verification/ProblemRunner.h"
#include "deltanet/Verification/Roofline.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::deltanet::verification {

struct Options {
  std::string file; ///< a kernel library, or MLIR if there is a stage
  bool list = false;
  std::string kernel;        ///< empty with a stage: the only one
  std::optional<dn_isa> isa; ///< unset: the runtime chooses

  bool emulate = false; ///< run inside the emulator
  /// The level there; unset: the kernel's highest.
  std::optional<dn_isa> emulatedIsa;
  std::optional<DeviceChoice> device; ///< a GPU to run on
  std::optional<GpuPeaks> estimate;   ///< a GPU to estimate for
  std::string counts; ///< JSON file of executed instructions; empty: none

  std::optional<Stage> stage; ///< execute the IR of this stage
  std::string target;         ///< of the passes; empty: the module's, or native
  std::string sm;             ///< a GPU in place of a target: "80", "sm_80"
  std::string schedule;       ///< likewise; empty: chosen by the cost model

  std::string inputs; ///< .npz file; empty: generated
  /// Of generated sequences; unset: one of static T, or of 64 tokens.
  std::optional<std::vector<int64_t>> lengths;
  GeneratorOptions generator;
  bool gatesGiven = false; ///< the generator's gates were asked for
  /// How the inputs are described, and the gates of those that have some.
  std::string generatorText, gatesText;

  MemoryLayout layout;
  int threads = 1;
  int repeat = 1;
  int64_t tokensPerCall = 0; ///< 0: whole sequences

  bool verify = true;
  std::optional<Algorithm> limits; ///< unset: as the schedules say
  bool json = false;
  std::string output; ///< .npz file; empty: none
};

/// Prints an error of the command line and ends the program with status 2.
[[noreturn]] void usageError(const llvm::Twine &message);

/// Reads the command line. Prints help and ends the program with status 0 where
/// asked to; usage errors are printed and end it with status 2.
Options parseCommandLine(int argc, char **argv);

/// End the program with a usage error where --target, --sm or --schedule is
/// nothing that the compiler knows.
void checkTargetName(llvm::StringRef name);
void checkGpuName(llvm::StringRef name);
void checkSchedules(llvm::StringRef text);

/// Ends the program with a usage error where an option has no meaning for the
/// kernel that it is to run.
void checkOptions(const Options &options, const RunnerTraits &traits);

} // namespace mlir::deltanet::verification

#endif // DELTANET_TOOLS_DELTA_RUN_OPTIONS_H
