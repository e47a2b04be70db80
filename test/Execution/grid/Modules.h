//===- Modules.h - The static choices of the grid ---------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// A *module* is one rule compiled twice, by recurrent schedules (in part of the
// modules those that the compiler chooses) and by a chunked one, each at every
// instruction set level.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_EXECUTION_MODULES_H
#define DELTANET_TEST_EXECUTION_MODULES_H

#include "KernelSpec.h"

namespace mlir::deltanet::execution {

struct GridModule {
  std::string name; ///< "m07"
  std::vector<KernelSpec> kernels;
  uint64_t seed = 0; ///< of its dynamic choices

  /// Static choices in one line.
  std::string text() const;
};

/// The seed of the grid: DELTANET_GRID_SEED, or a fixed one.
uint64_t gridSeed();

/// Few modules in which all pairs of static choices meet.
std::vector<GridModule> sampleModules(uint64_t seed);

} // namespace mlir::deltanet::execution

#endif // DELTANET_TEST_EXECUTION_MODULES_H
