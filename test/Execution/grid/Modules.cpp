//===- Modules.cpp - The static choices of the grid -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Modules.h"
#include "RuleChoices.h"
#include "deltanet/Verification/ElementTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

namespace {
enum Factor {
  // Of the recurrent kernel.
  FactorTokens = RuleFactorCount,
  FactorColumns,
  FactorRows,
  FactorBlock,
  FactorSlice,
  // Of the chunked kernel.
  FactorChunk,
  FactorStaging,
  FactorChunkColumns,
  FactorChunkSlice,
  FactorRegisterRows,
  FactorCount
};

/// Tokens a pass, or a schedule that has none.
constexpr int64_t chosenByCost = -1, inMemoryForDecode = 0;

/// The levels of those factors that differ between instruction set levels.
struct Choices {
  RuleChoices rule;
  const char *prefix; ///< of the modules' names
  std::vector<int64_t> passTokens, passColumns, chunks, chunkColumns,
      registerRows;
  bool onMatrixUnit = false; ///< the chunked schedule multiplies there
};

const std::vector<int64_t> allDims = {16, 32, 64, 96, 128, 192, 256};
const std::vector<int64_t> allChunks = {16, 32, 64, 128};

const std::vector<int64_t> allPassTokens = {
    chosenByCost, inMemoryForDecode, 1, 2, 3, 4};

const Choices base = {{"generic,avx2", allDims, allDims, allIoTypes},
                      "m",
                      allPassTokens,
                      {8, 16, 32},
                      allChunks,
                      {8, 16},
                      {4, 6}};

/// With vectors of 512 bits. Each level leaves out other channel counts: 40
/// modules hold no more pairs of them.
Choices wide(const char *level, const char *prefix, std::vector<int64_t> keys,
             std::vector<int64_t> values) {
  return {{level, keys, values, allIoTypes},
          prefix,
          allPassTokens,
          {16, 32, 64},
          allChunks,
          {16, 32},
          {4, 8}};
}

Choices matrixUnit() {
  Choices choices =
      wide("amx", "amx_m", {32, 64, 96, 128, 256}, {16, 32, 64, 96, 128, 256});
  choices.rule.ioTypes = {DN_TYPE_BF16};
  choices.passTokens = {chosenByCost, inMemoryForDecode, 2};
  choices.chunks = {32, 64, 128};
  choices.onMatrixUnit = true;
  return choices;
}

const std::vector<int64_t> passRows = {1, 2, 4};
const std::vector<int64_t> blocks = {12, 64};
enum { OnePass };
const std::vector<const char *> stagings = {"one_pass", "two_stage"};

/// The widest slice of V that is not all of it; 0: there is none.
int64_t properSlice(int64_t v, int64_t columns) {
  for (int64_t slice = v / 2; slice >= columns; --slice)
    if (v % slice == 0 && slice % columns == 0)
      return slice;
  return 0;
}

/// Modules of some choices.
class Sampler {
public:
  explicit Sampler(Choices choices) : choices(std::move(choices)) {}

  std::vector<GridModule> sample(uint64_t seed) const {
    std::vector<GridModule> modules;
    for (const Row &row : coverAllPairs(
             levelCounts(), [this](const Row &row) { return isValid(row); },
             seed)) {
      GridModule module;
      module.name = llvm::formatv("{0}{1,0+2}", choices.prefix, modules.size());
      module.levels = choices.rule.levels;
      module.seed = seed * 1000 + modules.size();
      module.kernels.assign(2, choices.rule.makeRule(row));
      module.kernels[0].name = "recurrent";
      module.kernels[0].schedules = recurrentSchedules(row);
      module.kernels[1].name = "chunked";
      module.kernels[1].schedules = {chunkedSchedule(row)};
      modules.push_back(std::move(module));
    }
    return modules;
  }

private:
  /// The number of levels of each factor.
  std::vector<int> levelCounts() const {
    std::vector<int> counts = choices.rule.levelCounts(FactorCount);
    counts[FactorTokens] = int(choices.passTokens.size());
    counts[FactorColumns] = int(choices.passColumns.size());
    counts[FactorRows] = int(passRows.size());
    counts[FactorChunk] = int(choices.chunks.size());
    return counts;
  }

  /// Columns divide V, a slice that is asked for exists, and a chunked schedule
  /// of one stage has none.
  bool isValid(const Row &row) const {
    if (row[FactorChunkSlice] > 0 && row[FactorStaging] == OnePass)
      return false;
    if (row[FactorV] < 0)
      return true;
    int64_t v = choices.rule.values[row[FactorV]];
    auto fits = [&](int columns, int slice,
                    const std::vector<int64_t> &widths) {
      // Before the columns are chosen, the narrowest speak for them.
      int64_t width = widths[std::max(row[columns], 0)];
      return v % width == 0 && (row[slice] <= 0 || properSlice(v, width) > 0);
    };
    return fits(FactorColumns, FactorSlice, choices.passColumns) &&
           fits(FactorChunkColumns, FactorChunkSlice, choices.chunkColumns);
  }

  /// What the compiler chooses (no schedule), one schedule for all lengths, or
  /// one for single tokens where the state lies and one for the others.
  std::vector<std::string> recurrentSchedules(const Row &row) const {
    int64_t tokens = choices.passTokens[row[FactorTokens]];
    if (tokens == chosenByCost)
      return {};
    int64_t columns = choices.passColumns[row[FactorColumns]];
    int64_t rows = passRows[row[FactorRows]];
    bool inMemory = tokens == inMemoryForDecode;
    tokens = std::max<int64_t>(tokens, 1);
    int64_t block = blocks[row[FactorBlock]] / tokens * tokens;
    int64_t slice =
        row[FactorSlice]
            ? properSlice(choices.rule.values[row[FactorV]], columns)
            : 0;
    std::vector<std::string> schedules;
    if (inMemory)
      schedules.push_back(llvm::formatv("recurrent, max_tokens = 1, "
                                        "value_slice = {0}, columns = {1}, "
                                        "rows = {2}, state = memory",
                                        slice, columns, rows));
    schedules.push_back(llvm::formatv(
        "recurrent, min_tokens = {0}, value_slice = {1}, columns = {2}, "
        "tokens = {3}, rows = {4}, block = {5}",
        inMemory ? 2 : 0, slice, columns, tokens, rows, block));
    return schedules;
  }

  std::string chunkedSchedule(const Row &row) const {
    int64_t columns = choices.chunkColumns[row[FactorChunkColumns]];
    int64_t slice =
        row[FactorChunkSlice]
            ? properSlice(choices.rule.values[row[FactorV]], columns)
            : 0;
    return llvm::formatv(
        "chunked, value_slice = {0}, columns = {1}, chunk = {2}"
        ", staging = {3}, register_rows = {4}{5}",
        slice, columns, choices.chunks[row[FactorChunk]],
        stagings[row[FactorStaging]],
        choices.registerRows[row[FactorRegisterRows]],
        choices.onMatrixUnit ? ", matrix = amx" : "");
  }

  Choices choices;
};
} // namespace

uint64_t execution::gridSeed() {
  constexpr uint64_t fixed = 2026;
  const char *text = std::getenv("DELTANET_GRID_SEED");
  uint64_t seed;
  if (text && !llvm::StringRef(text).getAsInteger(10, seed))
    return seed;
  return fixed;
}

std::vector<GridModule> execution::sampleModules(uint64_t seed) {
  std::vector<GridModule> modules = Sampler(base).sample(seed);
  auto append = [&](std::vector<GridModule> some) {
    llvm::append_range(modules, std::move(some));
  };
  append(Sampler(wide("avx512", "avx512_m", {16, 64, 96, 128, 256},
                      {16, 32, 64, 128, 192}))
             .sample(seed + 1));
  append(Sampler(wide("avx512_bf16", "avx512_bf16_m", {16, 32, 64, 128, 192},
                      {16, 64, 96, 128, 256}))
             .sample(seed + 2));
  std::vector<GridModule> matrix = Sampler(matrixUnit()).sample(seed + 3);
  std::vector<GridModule> others =
      Sampler(wide("amx", "amx_other_m", {16, 32, 64, 128, 256},
                   {16, 32, 64, 128, 256}))
          .sample(seed + 4);
  others.resize(
      std::min(others.size(),
               mostModulesBeyond - std::min(matrix.size(), mostModulesBeyond)));
  append(std::move(matrix));
  append(std::move(others));
  append(sampleGpuModules(seed + 5));
  return modules;
}

size_t execution::mostModules(const std::string &levels) {
  if (levels == base.rule.levels)
    return mostBaseModules;
  std::vector<std::string> gpus = gpuLevels();
  if (levels == gpus.front())
    return mostModulesOfGpu;
  return llvm::is_contained(gpus, levels) ? mostModulesOfOtherGpus
                                          : mostModulesBeyond;
}

std::string GridModule::text() const {
  const KernelSpec &spec = kernels.front();
  std::string text = llvm::formatv(
      "{0} ({13}): {1} H={2} HV={3} K={4} V={5} {6} {7} {8}{9}{10}{11} "
      "cu_seqlens={12}",
      name, spec.rule == DN_RULE_GATED ? "gated" : "delta", spec.h, spec.hv,
      spec.k, spec.v, elementName(spec.ioType),
      spec.headMap == DN_HEAD_MAP_GROUPED ? "grouped" : "tiled",
      spec.stateLayout == DN_STATE_LAYOUT_KV ? "kv" : "vk",
      spec.takesState ? " state_in" : "", spec.givesState ? " state_out" : "",
      spec.l2normEps ? " l2norm" : "", elementName(spec.indexType), levels);
  for (const KernelSpec &kernel : kernels)
    if (!kernel.schedules.empty())
      text += "\n      " + llvm::join(kernel.schedules, "\n      ");
  return text;
}
