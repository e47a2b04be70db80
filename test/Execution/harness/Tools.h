//===- Tools.h - The project's tools on files of a test ---------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_EXECUTION_TOOLS_H
#define DELTANET_TEST_EXECUTION_TOOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace mlir::deltanet::execution {

/// Writes a module into the tests' folder, under a name made from its text, and
/// returns its path, which ends in .mlir.
std::string writeSource(llvm::StringRef mlir);

struct ProgramResult {
  int status = -1;
  std::string output;  ///< of both streams
  std::string command; ///< to repeat it
};

/// Runs `program` and waits for it.
ProgramResult runProgram(llvm::StringRef program,
                         llvm::ArrayRef<std::string> arguments);

/// Runs a program that must succeed; else the running test fails with the
/// command and what it printed. Returns whether it succeeded.
bool expectSuccess(llvm::StringRef program,
                   llvm::ArrayRef<std::string> arguments);

/// Compiles a module into a shared library for some levels (as --isa names
/// them; empty: all) and returns its path. Tests that ask for the same text
/// share one library, which a compiler of another build never made. A compiler
/// error is a failure of the running test; nothing then.
std::optional<std::string> compileLibrary(llvm::StringRef mlir,
                                          llvm::StringRef levels = "");

/// Compiles a module that must be refused, and returns what was printed. That
/// the compiler ends otherwise than with an error is a failure of the test.
std::string compileError(llvm::StringRef mlir);

} // namespace mlir::deltanet::execution

#endif // DELTANET_TEST_EXECUTION_TOOLS_H
