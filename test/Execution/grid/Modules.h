//===- Modules.h - The static choices of the grid ---------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// A *module* is one rule compiled twice, by recurrent schedules (in part of the
// modules those that the compiler chooses) and by a chunked one. The baseline
// and avx2 share modules, each level beyond has its own, and so have GPUs, with
// the schedules that there are for them.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_EXECUTION_MODULES_H
#define DELTANET_TEST_EXECUTION_MODULES_H

#include "KernelSpec.h"

namespace mlir::deltanet::execution {

struct GridModule {
  std::string name;   ///< "m07", "amx_m07"
  std::string levels; ///< that it is compiled for, as of --isa
  std::vector<KernelSpec> kernels;
  int64_t chunk = 0; ///< tokens of the only chunks of "chunked" on a GPU
  uint64_t seed = 0; ///< of its dynamic choices

  /// Static choices in one line.
  std::string text() const;
};

/// The seed of the grid: DELTANET_GRID_SEED, or a fixed one.
uint64_t gridSeed();

/// For all levels, few modules in which all pairs of static choices meet. At
/// level amx these are choices of the matrix schedule, and what is left of the
/// modules that one level may have is a part of those of its other schedules.
std::vector<GridModule> sampleModules(uint64_t seed);

/// The same for GPUs: one of them whole, few modules for the others, whose
/// kernels differ from the first one's by their chip alone.
std::vector<GridModule> sampleGpuModules(uint64_t seed);

/// The names of the GPUs that have modules.
std::vector<std::string> gpuLevels();

/// What modules of one list of levels may count.
constexpr size_t mostBaseModules = 60, mostModulesBeyond = 40,
                 mostModulesOfGpu = 60, mostModulesOfOtherGpus = 6;
size_t mostModules(const std::string &levels);

} // namespace mlir::deltanet::execution

#endif // DELTANET_TEST_EXECUTION_MODULES_H
