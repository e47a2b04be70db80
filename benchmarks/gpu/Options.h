//===- Options.h - The command line of delta-gpu-bench ----------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_GPU_OPTIONS_H
#define DELTANET_BENCHMARKS_GPU_OPTIONS_H

#include <string>
#include <vector>

namespace mlir::deltanet::gpubench {

enum class Action {
  Check, ///< compare what kernels compute
  Time,  ///< measure them
  Record ///< store what this driver's kernels compute, to compare with later
};

enum class Cases {
  All,
  Smoke ///< a few calls of the kernels with the fewest heads
};

struct Options {
  Action action = Action::Check;
  Cases cases = Cases::All;
  std::vector<std::string> libraries;
  std::string kernel; ///< the only one; empty: all
  std::string driver; ///< empty: libcuda.so.1
  int device = 0;     ///< of the GPUs that it finds
  /// Folder of stored results; empty: none are compared with.
  std::string stored;
  std::string json;         ///< file; empty: none
  double seconds = 2;       ///< of measuring a call
  double launchSeconds = 2; ///< a launch that takes longer is not made
};

/// Ends the program for --help and, with status 2, for wrong usage.
Options parseOptions(int argc, char **argv);

} // namespace mlir::deltanet::gpubench

#endif // DELTANET_BENCHMARKS_GPU_OPTIONS_H
