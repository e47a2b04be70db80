//===- Options.h - Command line of delta-compile --------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTA_COMPILE_OPTIONS_H
#define DELTA_COMPILE_OPTIONS_H

#include "deltanet/Codegen/Compilation.h"
#include <optional>
#include <string>

namespace delta_compile {

struct Options {
  std::string input;
  std::string output;
  std::string header;     ///< empty: none
  std::string remarks;    ///< empty: none
  std::string dumpStages; ///< empty: none
  std::string schedule;   ///< empty: what the rules say, or the cost model
  /// What to write: IR of a stage up to `llvm`, or else an artifact.
  mlir::deltanet::Stage first = mlir::deltanet::Stage::Rule;
  mlir::deltanet::Stage last = mlir::deltanet::Stage::Llvm;
  std::optional<mlir::deltanet::Artifact> artifact;
  /// Of CPUs; this machine's unless --target names it.
  mlir::deltanet::Arch arch;
  bool archGiven = false;
  bool gpuGiven = false; ///< by --target
  /// Names of levels; empty: what the input says, or else all levels, unless
  /// only GPUs are asked for.
  std::string isa;
  /// Names of GPUs, "80" or "sm_80"; empty: what the input says, or else none,
  /// or all if only GPUs are asked for.
  std::string sm;
  std::string cuda; ///< toolkit, or "none"; empty: that of the environment
  bool verbose = false;

  /// What the output is made for a terminal to show.
  bool isText() const {
    using mlir::deltanet::Artifact;
    return !artifact || *artifact == Artifact::LLVMIR ||
           *artifact == Artifact::Assembly || *artifact == Artifact::Ptx;
  }
  /// Whether the output can hold one level only.
  bool isOfOneLevel() const {
    return isText() || *artifact == mlir::deltanet::Artifact::Cubin;
  }
  bool isOfGpuCode() const {
    return artifact && mlir::deltanet::isForGpus(*artifact);
  }
  /// Whether the command line asks for GPUs and not for CPUs.
  bool wantsOnlyGpus() const {
    return isOfGpuCode() || (gpuGiven && isa.empty());
  }
};

/// Exit codes beside 0 for done.
constexpr int kInputFault = 1; ///< the input or a file
constexpr int kUsageFault = 2; ///< the command line

/// Prints an error of the tool itself.
mlir::LogicalResult fail(const llvm::Twine &message);

/// Name and versions: what --version prints first, and what made a library.
std::string getProducer();

/// The options of a command line, or the exit code after --help, --version or
/// a usage error, which is printed.
struct ParsedOptions {
  std::optional<Options> options;
  int exitCode = 0;
};
ParsedOptions parseOptions(int argc, char **argv);

} // namespace delta_compile

#endif // DELTA_COMPILE_OPTIONS_H
