//===- GridTest.cpp - Every kind of kernel against the reference ----------===//
//
// Part of the Delta-Net project.
//
// One test for each module of the sample. A failure prints the command that
// repeats the call; DELTANET_GRID_SEED=n draws another sample.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "Modules.h"
#include "Properties.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <iostream>

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

/// The command that repeats a call, up to the kernel's name and its level.
static std::string repetition(const CompiledKernels &kernels,
                              const GridCall &call) {
  return llvm::formatv("seed of the grid: {0}; to repeat:\n  {1} {2} "
                       "--kernel=KERNEL --isa=LEVEL {3}",
                       gridSeed(), DELTA_RUN, kernels.path(),
                       call.runOptions(kernels.variants().front().spec));
}

/// All kernels on one call, against the reference and each other.
static void checkCall(const CompiledKernels &kernels, const GridCall &call) {
  SCOPED_TRACE(repetition(kernels, call));
  Problem problem = call.problem(kernels.variants().front().spec);
  ReferenceResult reference = computeReference(problem);
  LibraryRunOptions options;
  options.layout = call.memory;
  std::vector<RunResult> results;
  for (const Variant &variant : kernels.variants()) {
    results.push_back(run(variant, problem, options));
    expectReference(variant, problem, results.back(), reference);
  }
  for (size_t i = 1; i < results.size(); ++i)
    expectAgree(kernels.variants()[i], results[i], kernels.variants()[0],
                results[0], problem);
}

/// The properties of design and contract, on values that hide no mistake.
static void checkProperties(const GridModule &module,
                            const CompiledKernels &kernels) {
  Draw draw(module.seed + 1);
  GeneratorOptions values;
  values.seed = module.seed;
  values.gates = draw.below(2) ? Gates::Realistic : Gates::Weak;
  const KernelSpec &spec = module.kernels.front();
  Problem one = makeProblem(spec, {130}, values);
  bool packed = spec.indexType != DN_TYPE_NONE;
  Problem batch =
      packed ? makeProblem(spec, {65, 0, 1, 33, 0, 2}, values) : one;
  int64_t past = 1 + draw.below(129), cut = 1 + draw.below(129);
  for (const Variant &variant : kernels.variants()) {
    expectSameBitsAlways(variant, batch, {2, 3, 16});
    expectPastUnchanged(variant, one, past, module.seed + 2);
    if (packed)
      expectSequencesIsolated(variant, batch);
    if (spec.takesState && spec.givesState)
      expectResumes(variant, one, cut);
  }
}

TEST_P(Grid, Module) {
  SCOPED_TRACE(module().text());
  CompiledKernels kernels(module().kernels);
  if (kernels.variants().empty())
    return;
  Draw draw(module().seed);
  for (const GridCall &call : drawCalls(module().kernels.front(), draw))
    checkCall(kernels, call);
  SCOPED_TRACE(llvm::formatv("properties; seed of the grid: {0}; to repeat: "
                             "--gtest_filter='*{1}'",
                             gridSeed(), module().name)
                   .str());
  checkProperties(module(), kernels);
}

INSTANTIATE_TEST_SUITE_P(Sample, Grid,
                         testing::Range(size_t(0), modules().size()),
                         [](const testing::TestParamInfo<size_t> &info) {
                           return modules()[info.param].name;
                         });

TEST(GridSample, HasAtMost150Modules) {
  std::cout << "seed " << gridSeed() << ", " << modules().size()
            << " modules:\n";
  for (const GridModule &module : modules())
    std::cout << module.text() << "\n";
  EXPECT_LE(modules().size(), 150u);
}
