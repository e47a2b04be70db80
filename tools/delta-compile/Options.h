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
  mlir::deltanet::Arch arch;
  bool archGiven = false; ///< else `arch` is this machine's
  /// Names of levels; empty: what the input says, or else all levels.
  std::string isa;

  /// What the output is made for a terminal to show.
  bool isText() const {
    return !artifact || *artifact == mlir::deltanet::Artifact::LLVMIR ||
           *artifact == mlir::deltanet::Artifact::Assembly;
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
