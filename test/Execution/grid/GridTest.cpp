//===- GridTest.cpp - Every kind of kernel against the reference ----------===//
//
// Part of the Delta-Net project.
//
// One test for each module of the sample. A failure prints the command that
// repeats the call; DELTANET_GRID_SEED=n draws another sample.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "LevelTimes.h"
#include "Modules.h"
#include "Properties.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <iostream>
#include <map>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

static const std::vector<GridModule> &modules() {
  static const std::vector<GridModule> sample = sampleModules(gridSeed());
  return sample;
}

namespace {
class Grid : public testing::TestWithParam<size_t> {
protected:
  const GridModule &module() const { return modules()[GetParam()]; }
};
} // namespace

/// The command that repeats a call, up to the kernel's name and the level.
static std::string repetition(const CompiledKernels &kernels,
                              const GridCall &call) {
  const Variant &first = kernels.variants().front();
  return llvm::formatv("seed of the grid: {0}; to repeat:\n  {1} {2} "
                       "--kernel=KERNEL {3} {4}",
                       gridSeed(), DELTA_RUN, first.library, first.runOption(),
                       call.runOptions(first.spec));
}

/// Emulated calls of up to this many tokens: every length of the grid on both
/// sides of a chunk's border.
constexpr int64_t mostEmulatedTokens = 130;

/// What a native variant does again in the emulator, and what a recurrence does
/// on a simulated GPU, which has seconds of it: elements of the state times
/// tokens.
constexpr int64_t mostEmulatedWork = 1 << 21;

/// A recurrence on a simulated GPU for all lengths.
static bool simulatesTokens(const Variant &variant) {
  return variant.isForGpu() &&
         !llvm::StringRef(variant.kernel->schedules).contains("chunked");
}

/// All kernels on one call, against the reference and each other.
static void checkCall(const CompiledKernels &kernels, const GridCall &call,
                      bool emulatesAll) {
  SCOPED_TRACE(repetition(kernels, call));
  Problem problem = call.problem(kernels.variants().front().spec);
  ReferenceResult reference = computeReference(problem);
  LibraryRunOptions options;
  options.layout = call.memory;
  const RuleFacts &facts = problem.facts;
  int64_t work = problem.tokens * facts.hv * facts.k * facts.v;
  std::vector<std::pair<Variant, RunResult>> results;
  for (const Variant &variant : kernels.variants()) {
    if (!variant.isNative && !variant.isForGpu() &&
        problem.tokens > mostEmulatedTokens)
      continue;
    if (simulatesTokens(variant) && work > mostEmulatedWork)
      continue;
    results.push_back({variant, run(variant, problem, options)});
    expectReference(variant, problem, results.back().second, reference);
    if (variant.isNative && emulatesAll && work <= mostEmulatedWork)
      expectEmulatedAlike(variant, problem, call.memory);
  }
  for (size_t i = 1; i < results.size(); ++i)
    expectAgree(results[i].first, results[i].second, results[0].first,
                results[0].second, problem);
}

/// The properties of design and contract, on values that hide no mistake.
static void checkProperties(const GridModule &module,
                            const CompiledKernels &kernels) {
  Draw draw(module.seed + 1);
  GeneratorOptions values;
  values.seed = module.seed;
  values.gates = draw.below(2) ? Gates::Realistic : Gates::Weak;
  const KernelSpec &spec = module.kernels.front();
  bool packed = spec.indexType != DN_TYPE_NONE;
  bool hasStates = spec.takesState && spec.givesState;
  Problem one = makeProblem(spec, {130}, values);
  Problem few = makeProblem(spec, {20}, values);
  Problem batch =
      packed ? makeProblem(spec, {65, 0, 1, 33, 0, 2}, values) : one;
  Problem fewBatch = packed ? makeProblem(spec, {9, 0, 1, 5}, values) : few;
  int64_t past = 1 + draw.below(129), cut = 1 + draw.below(129);
  for (const Variant &variant : kernels.variants()) {
    bool isShort = simulatesTokens(variant);
    const Problem &alone = isShort ? few : one;
    const Problem &together = isShort ? fewBatch : batch;
    auto within = [&](int64_t token) {
      return 1 + (token - 1) % (alone.tokens - 1);
    };
    // In the emulator a call is cut otherwise than by threads, in every run.
    if (variant.isNative)
      expectSameBitsAlways(variant, together, {2, 3, 16});
    if (variant.isForGpu()) {
      expectSameBitsInAnyOrder(variant, together);
      expectNaNStays(variant, together, within(past) % together.cuSeqlens[1]);
      if (variant.spec.name == "chunked" && hasStates)
        expectSameBitsResumed(variant, alone, module.chunk);
    }
    expectPastUnchanged(variant, alone, within(past), module.seed + 2);
    if (packed)
      expectSequencesIsolated(variant, together);
    if (hasStates)
      expectResumes(variant, alone, within(cut));
  }
}

TEST_P(Grid, Module) {
  SCOPED_TRACE(module().text());
  Stopwatch watch;
  CompiledKernels kernels(module().kernels);
  if (kernels.variants().empty())
    return;
  double compiled = watch.seconds();
  // Every fourth, of all levels.
  bool emulatesAll = hasEmulator() && (module().seed % 4) == 0;
  Draw draw(module().seed);
  for (const GridCall &call : drawCalls(module().kernels.front(), draw))
    checkCall(kernels, call, emulatesAll);
  {
    SCOPED_TRACE(llvm::formatv("properties; seed of the grid: {0}; to repeat: "
                               "--gtest_filter='*{1}'",
                               gridSeed(), module().name)
                     .str());
    checkProperties(module(), kernels);
  }
  LevelTimes::add(module().levels, compiled, watch.seconds() - compiled);
}

INSTANTIATE_TEST_SUITE_P(Sample, Grid,
                         testing::Range(size_t(0), modules().size()),
                         [](const testing::TestParamInfo<size_t> &info) {
                           return modules()[info.param].name;
                         });

static const auto *const levelTimes =
    testing::AddGlobalTestEnvironment(new LevelTimes());

TEST(GridSample, HasFewModules) {
  std::map<std::string, size_t> counts;
  for (const GridModule &module : modules())
    ++counts[module.levels];
  std::cout << "seed " << gridSeed() << ":\n";
  for (const auto &[levels, count] : counts)
    std::cout << count << " modules for " << levels << "\n";
  for (const GridModule &module : modules())
    std::cout << module.text() << "\n";
  EXPECT_EQ(counts.size(), 4u + gpuLevels().size());
  for (const auto &[levels, count] : counts)
    EXPECT_LE(count, mostModules(levels)) << levels;
}
