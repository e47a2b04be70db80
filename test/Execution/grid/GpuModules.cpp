//===- GpuModules.cpp - The static choices of the grid for GPUs -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "AllPairs.h"
#include "Modules.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;

namespace {
enum Factor {
  FactorK,
  FactorV,
  FactorHeads,
  FactorHeadMap,
  FactorLayout,
  FactorStateIn,
  FactorStateOut,
  FactorIndex,
  FactorIo,
  FactorNorm,
  FactorRule,
  FactorWarps,
  FactorCount
};

// Odd multiples of 16 have few lanes along K.
const std::vector<int64_t> keys = {16, 48, 64, 80, 128, 256};
const std::vector<int64_t> values = {16, 32, 48, 64, 128, 256};
const std::vector<std::pair<int64_t, int64_t>> heads = {
    {1, 1}, {1, 2}, {2, 6}, {2, 8}};
const std::vector<dn_type> indexTypes = {DN_TYPE_NONE, DN_TYPE_I32,
                                         DN_TYPE_I64};
const std::vector<dn_type> ioTypes = {DN_TYPE_F32, DN_TYPE_BF16, DN_TYPE_F16};

/// Warps of a block with 16 columns of V each, or what the compiler chooses.
constexpr int64_t chosenByCost = 0;
const std::vector<int64_t> warps = {chosenByCost, 1, 2};

bool isValid(const Row &row) {
  if (row[FactorV] < 0 || row[FactorWarps] < 0)
    return true;
  int64_t count = warps[row[FactorWarps]];
  return count == chosenByCost || values[row[FactorV]] % (16 * count) == 0;
}

GridModule makeModule(const Row &row, const std::string &chip) {
  KernelSpec spec;
  spec.name = "recurrent";
  spec.levels = chip;
  spec.k = keys[row[FactorK]];
  spec.v = values[row[FactorV]];
  std::tie(spec.h, spec.hv) = heads[row[FactorHeads]];
  spec.headMap = dn_head_map(row[FactorHeadMap]);
  spec.stateLayout = dn_state_layout(row[FactorLayout]);
  spec.takesState = row[FactorStateIn];
  spec.givesState = row[FactorStateOut];
  spec.indexType = indexTypes[row[FactorIndex]];
  spec.ioType = ioTypes[row[FactorIo]];
  if (row[FactorNorm])
    spec.l2normEps = 1e-6;
  spec.rule = dn_rule(row[FactorRule]);
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
  std::vector<int> counts(FactorCount, 2);
  counts[FactorK] = int(keys.size());
  counts[FactorV] = int(values.size());
  counts[FactorHeads] = int(heads.size());
  counts[FactorIndex] = int(indexTypes.size());
  counts[FactorIo] = int(ioTypes.size());
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
