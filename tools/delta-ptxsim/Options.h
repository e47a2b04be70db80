//===- Options.h - The command line of delta-ptxsim -------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTA_PTXSIM_OPTIONS_H
#define DELTA_PTXSIM_OPTIONS_H

#include "Arguments.h"
#include "deltanet/Emulation/PTX/Launch.h"

namespace delta_ptxsim {

/// A buffer to print, by the number of its argument.
struct Print {
  size_t argument;
  uint64_t count;
};

/// A buffer to write to a file.
struct Save {
  size_t argument;
  std::string path;
};

struct Options {
  std::string file;
  bool list = false;
  std::string kernel; ///< empty: the only one
  mlir::deltanet::ptx::LaunchShape shape;
  std::vector<Argument> arguments;
  mlir::deltanet::ptx::LaunchOptions launch;
  bool report = false;
  std::string reportFile; ///< empty: a table on the standard output
  std::vector<Print> prints;
  std::vector<Save> saves;
};

/// Reads the command line. Prints help and ends the program with status 0 where
/// asked to; usage errors are printed and end it with status 2.
Options parseCommandLine(int argc, char **argv);

} // namespace delta_ptxsim

#endif // DELTA_PTXSIM_OPTIONS_H
