//===- Requirements.h - Ratios that must be reached -------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_REQUIREMENTS_H
#define DELTANET_BENCHMARKS_REQUIREMENTS_H

#include "Case.h"

namespace mlir::deltanet::bench {

/// Some measure of some cases, compared with a limit by its median.
struct Requirement {
  const char *text;
  const char *measure; ///< one of bench::measure
  double atLeast;
  bool (*concerns)(const Case &which);
};

/// What --check asserts.
llvm::ArrayRef<Requirement> requirements();

/// Whether a case is needed to decide some requirement.
bool isRequired(const Case &which);

/// Whether a case decides nothing and is measured beside those that do: decode
/// in the layout that the token loop does not have.
bool isShownBeside(const Case &which);

/// Prints a line for each requirement and case. False if one is missed or no
/// case of the results decides it.
bool checkRequirements(llvm::ArrayRef<Result> results);

} // namespace mlir::deltanet::bench

#endif // DELTANET_BENCHMARKS_REQUIREMENTS_H
