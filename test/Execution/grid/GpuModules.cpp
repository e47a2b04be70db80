//===- GpuModules.cpp - The static choices of the grid for GPUs -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Modules.h"
#include "RuleChoices.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;

namespace {
enum Factor { FactorWarps = RuleFactorCount, FactorCount };

// Odd multiples of 16 have few lanes along K.
const std::vector<int64_t> keys = {16, 48, 64, 80, 128, 256};
const std::vector<int64_t> values = {16, 32, 48, 64, 128, 256};

/// Warps of a block with 16 columns of V each, or what the compiler chooses.
constexpr int64_t chosenByCost = 0;
const std::vector<int64_t> warps = {chosenByCost, 1, 2};

bool isValid(const Row &row) {
  if (row[FactorV] < 0 || row[FactorWarps] < 0)
    return true;
  int64_t count = warps[row[FactorWarps]];
  return count == chosenByCost || values[row[FactorV]] % (16 * count) == 0;
}

RuleChoices choicesFor(const std::string &chip) {
  return {chip, keys, values, allIoTypes};
}

GridModule makeModule(const Row &row, const std::string &chip) {
  KernelSpec spec = choicesFor(chip).makeRule(row);
  spec.name = "recurrent";
  if (int64_t count = warps[row[FactorWarps]])
    spec.schedules = {llvm::formatv("recurrent, value_slice = {0}, state = "
                                    "registers, warps = {1}",
                                    16 * count, count)};
  GridModule module;
  module.levels = chip;
  module.kernels = {spec};
  return module;
}
} // namespace

std::vector<std::string> execution::gpuLevels() {
  return {"sm_80", "sm_90a", "sm_120a"};
}

std::vector<GridModule> execution::sampleGpuModules(uint64_t seed) {
  std::vector<int> counts =
      choicesFor(gpuLevels().front()).levelCounts(FactorCount);
  counts[FactorWarps] = int(warps.size());
  std::vector<Row> rows = coverAllPairs(counts, isValid, seed);
  std::vector<GridModule> modules;
  for (const std::string &chip : gpuLevels()) {
    bool isFirst = chip == gpuLevels().front();
    size_t number = 0;
    for (const Row &row : rows) {
      if (!isFirst && number == mostModulesOfOtherGpus)
        break;
      GridModule module = makeModule(row, chip);
      module.name = llvm::formatv("{0}_m{1,0+2}", chip, number);
      module.seed = seed * 1000 + number++;
      modules.push_back(std::move(module));
    }
  }
  return modules;
}
