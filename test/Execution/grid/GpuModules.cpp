//===- GpuModules.cpp - The static choices of the grid for GPUs -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Modules.h"
#include "RuleChoices.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;

namespace {
enum Factor {
  // Of the recurrence.
  FactorWarps = RuleFactorCount,
  RecurrenceFactorCount,
  // Of chunks on tensor cores.
  FactorChunk = RecurrenceFactorCount,
  FactorChunkWarps,
  FactorWarpColumns,
  FactorIntraWarps,
  FactorStages,
  FactorCount
};

/// Warps of a block with 16 columns of V each, or what the compiler chooses.
constexpr int64_t chosenByCost = 0;
const std::vector<int64_t> warps = {chosenByCost, 1, 2};

const std::vector<int64_t> chunks = {32, 64}, chunkWarps = {1, 2, 3, 4, 8},
                           warpColumns = {16, 32},
                           intraWarps = {0, 1, 4, 8, 16};

/// Few: their simulation takes long.
const std::vector<std::pair<int64_t, int64_t>> heads = {
    {1, 1}, {2, 4}, {1, 3}, {1, 4}};

/// Rules that have chunks, each by a recurrence and by them.
RuleChoices rulesWithChunks(const std::string &chip) {
  return {chip,
          {16, 32, 48, 64, 80, 96, 112, 128},
          {16, 32, 48, 64, 96, 128, 192, 256},
          allIoTypes,
          heads};
}

/// Rules by a recurrence alone. Odd multiples of 16 have few lanes along K.
RuleChoices rulesWithout(const std::string &chip) {
  return {chip, {48, 80, 256}, {16, 48, 256}, allIoTypes, heads};
}

bool fitsRecurrence(const Row &row, const RuleChoices &rules) {
  if (row[FactorV] < 0 || row[FactorWarps] < 0)
    return true;
  int64_t count = warps[row[FactorWarps]];
  return count == chosenByCost ||
         rules.values[row[FactorV]] % (16 * count) == 0;
}

/// Bytes of shared memory of a block that goes through chunks: the operands of
/// as many as there are stages, each apart from its neighbours, and outputs.
/// Elements of keys, queries and values have as many bytes as those of a
/// tensor.
int64_t sharedBytes(int64_t k, int64_t slice, int64_t chunk, int64_t stages,
                    int64_t bytes) {
  int64_t operands = 2 * (bytes * chunk * k) + 2 * (4 * chunk * chunk) +
                     bytes * chunk * slice + 3 * (4 * chunk) + 10 * 192;
  return stages * operands + bytes * chunk * slice + 192;
}

/// What sm_80, sm_90a and sm_120a have.
int64_t mostSharedBytes(const std::string &chip) {
  return chip == "sm_120a" ? 101376 : chip == "sm_90a" ? 232448 : 166912;
}

/// While a factor is not chosen, its first level speaks for it where any other
/// may follow; what no level of it could mend is not looked at.
bool fitsChunks(const Row &row, const RuleChoices &rules) {
  auto known = [&](std::initializer_list<int> factors) {
    return llvm::all_of(factors, [&](int factor) { return row[factor] >= 0; });
  };
  auto of = [&](int factor, const std::vector<int64_t> &levels) {
    return levels[std::max(row[factor], 0)];
  };
  int64_t k = of(FactorK, rules.keys), chunk = of(FactorChunk, chunks);
  int64_t count = of(FactorChunkWarps, chunkWarps);
  int64_t slice = count * of(FactorWarpColumns, warpColumns);
  // Every other pair of K and V: modules would be too many with all.
  if (known({FactorK, FactorV}) && (row[FactorK] + row[FactorV]) % 2 == 1)
    return false;
  if (known({FactorV}) && rules.values[row[FactorV]] % slice != 0)
    return false;
  if (known({FactorK, FactorChunk, FactorIntraWarps})) {
    // C46: four channels a lane, 16 rows and 8 columns a warp.
    int64_t intra = of(FactorIntraWarps, intraWarps);
    int64_t sharing = intra == 0 ? count : intra;
    if (!llvm::isPowerOf2_64(sharing) || sharing > chunk * chunk / 128 ||
        sharing > chunk * (k & -k) / 128)
      return false;
  }
  bool isWide =
      row[FactorIo] >= 0 && rules.ioTypes[row[FactorIo]] == DN_TYPE_F32;
  return !known({FactorK, FactorChunk, FactorStages}) ||
         sharedBytes(k, slice, chunk, row[FactorStages] + 1, isWide ? 4 : 2) <=
             mostSharedBytes(rules.levels);
}

/// The kernel "recurrent", or "chosen" where nothing is forced: short sequences
/// have a recurrence there and long ones, with K up to 128, chunks.
KernelSpec makeRecurrence(const Row &row, const RuleChoices &rules) {
  KernelSpec spec = rules.makeRule(row);
  spec.name = "chosen";
  if (int64_t count = warps[row[FactorWarps]]) {
    spec.name = "recurrent";
    spec.schedules = {llvm::formatv("recurrent, value_slice = {0}, state = "
                                    "registers, warps = {1}",
                                    16 * count, count)};
  }
  return spec;
}

KernelSpec makeChunks(const Row &row, const RuleChoices &rules) {
  KernelSpec spec = rules.makeRule(row);
  int64_t count = chunkWarps[row[FactorChunkWarps]];
  spec.name = "chunked";
  spec.schedules = {llvm::formatv(
      "chunked, value_slice = {0}, chunk = {1}, staging = two_stage, matrix = "
      "mma, warps = {2}, intra_warps = {3}, stages = {4}",
      count * warpColumns[row[FactorWarpColumns]], chunks[row[FactorChunk]],
      count, intraWarps[row[FactorIntraWarps]], row[FactorStages] + 1)};
  return spec;
}

std::vector<Row> drawRowsWithChunks(const RuleChoices &rules, uint64_t seed) {
  std::vector<int> counts = rules.levelCounts(FactorCount);
  counts[FactorWarps] = int(warps.size());
  counts[FactorChunkWarps] = int(chunkWarps.size());
  counts[FactorIntraWarps] = int(intraWarps.size());
  return coverAllPairs(
      counts,
      [&](const Row &row) {
        return fitsRecurrence(row, rules) && fitsChunks(row, rules);
      },
      seed);
}

std::vector<Row> drawRowsWithout(const RuleChoices &rules, uint64_t seed) {
  std::vector<int> counts = rules.levelCounts(RecurrenceFactorCount);
  counts[FactorWarps] = int(warps.size());
  return coverAllPairs(
      counts, [&](const Row &row) { return fitsRecurrence(row, rules); }, seed);
}

/// Appends a module, with the name that its number gives it.
GridModule &append(std::vector<GridModule> &modules, const char *kind,
                   size_t number, uint64_t seed,
                   std::vector<KernelSpec> kernels) {
  GridModule module;
  module.levels = kernels.front().levels;
  module.name = llvm::formatv("{0}_{1}{2,0+2}", module.levels, kind, number);
  module.seed = seed * 1000 + number;
  module.kernels = std::move(kernels);
  modules.push_back(std::move(module));
  return modules.back();
}

/// What the compiler chooses for CPUs: every eighth module compares with it.
KernelSpec onCpu(KernelSpec spec) {
  spec.name = "cpu";
  spec.levels = "generic";
  spec.schedules.clear();
  return spec;
}
} // namespace

std::vector<std::string> execution::gpuLevels() {
  return {"sm_80", "sm_90a", "sm_120a"};
}

std::vector<GridModule> execution::sampleGpuModules(uint64_t seed) {
  std::vector<GridModule> modules;
  std::vector<std::string> chips = gpuLevels();
  RuleChoices first = rulesWithChunks(chips.front());
  std::vector<Row> rows = drawRowsWithChunks(first, seed);
  for (auto [number, row] : llvm::enumerate(rows)) {
    std::vector<KernelSpec> kernels = {makeRecurrence(row, first),
                                       makeChunks(row, first)};
    if (number % 8 == 0)
      kernels.push_back(onCpu(kernels.front()));
    append(modules, "m", number, seed, std::move(kernels)).chunk =
        chunks[row[FactorChunk]];
  }
  RuleChoices others = rulesWithout(chips.front());
  size_t count = 0;
  for (const Row &row : drawRowsWithout(others, seed + 1))
    if (modules.size() < mostModulesOfGpu)
      append(modules, "other_m", count++, seed + 1,
             {makeRecurrence(row, others)});
  for (const std::string &chip : llvm::drop_begin(chips)) {
    RuleChoices rules = rulesWithChunks(chip);
    size_t number = 0;
    for (const Row &row : rows)
      if (number < mostModulesOfOtherGpus && fitsChunks(row, rules))
        append(modules, "m", number++, seed,
               {makeRecurrence(row, rules), makeChunks(row, rules)})
            .chunk = chunks[row[FactorChunk]];
  }
  return modules;
}
