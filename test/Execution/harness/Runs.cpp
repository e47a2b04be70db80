//===- Runs.cpp - Running kernels and judging what they gave --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Runs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

static RunResult report(const Variant &variant, const Problem &problem,
                        llvm::Expected<RunResult> result) {
  if (!result) {
    ADD_FAILURE() << variant.text() << ": "
                  << llvm::toString(result.takeError());
    // Tensors of the right sizes, so that the test can go on.
    const RuleFacts &facts = problem.facts;
    RunResult none;
    none.o.assign(problem.tokens * facts.hv * facts.v, NAN);
    if (variant.spec.givesState)
      none.finalState.assign(problem.stateElements(), NAN);
    return none;
  }
  for (const std::string &fault : result->faults)
    ADD_FAILURE() << variant.text() << ": " << fault;
  return std::move(*result);
}

static llvm::Expected<std::unique_ptr<ProblemRunner>>
makeRunner(const Variant &variant, const LibraryRunOptions &options) {
  if (variant.isForGpu()) {
    DeviceRunOptions simulated;
    simulated.device.isSimulated = true;
    simulated.device.capability = variant.kernel->cuda->chip;
    simulated.layout = options.layout;
    simulated.repeat = options.repeat;
    return DeviceRunner::create(*variant.set, simulated);
  }
  if (variant.isNative)
    return LibraryRunner::create(*variant.kernel, options);
  return EmulatedRunner::create(*variant.kernel, options.layout);
}

/// Hands a runner for `variant` to `execute`.
static RunResult withRunner(
    const Variant &variant, const Problem &problem,
    llvm::Expected<std::unique_ptr<ProblemRunner>> runner,
    llvm::function_ref<llvm::Expected<RunResult>(ProblemRunner &)> execute) {
  if (!runner)
    return report(variant, problem, runner.takeError());
  if (llvm::Error error =
          matchProblem((*runner)->traits(), problem, "the problem of a test"))
    return report(variant, problem, std::move(error));
  return report(variant, problem, execute(**runner));
}

RunResult execution::run(const Variant &variant, const Problem &problem,
                         const LibraryRunOptions &options) {
  return withRunner(variant, problem, makeRunner(variant, options),
                    [&](ProblemRunner &runner) { return runner.run(problem); });
}

RunResult execution::runSteps(const Variant &variant, const Problem &problem,
                              int64_t tokensPerCall,
                              const LibraryRunOptions &options) {
  return withRunner(variant, problem, makeRunner(variant, options),
                    [&](ProblemRunner &runner) {
                      return runInSteps(runner, problem, tokensPerCall,
                                        /*keepStates=*/false);
                    });
}

void execution::expectEmulatedAlike(const Variant &variant,
                                    const Problem &problem,
                                    const MemoryLayout &layout) {
  withRunner(variant, problem,
             CrossCheckedRunner::create(*variant.kernel, layout),
             [&](ProblemRunner &runner) { return runner.run(problem); });
}

void execution::expectReference(const Variant &variant, const Problem &problem,
                                const RunResult &result,
                                const ReferenceResult &reference,
                                int64_t tokensPerCall) {
  RunnerTraits traits = llvm::cantFail(traitsOf(*variant.kernel));
  auto groups = groupByAlgorithm(traits, problem, tokensPerCall, std::nullopt);
  if (!groups) {
    ADD_FAILURE() << llvm::toString(groups.takeError());
    return;
  }
  ExpectedResult expected{"reference", reference.o, reference.finalState,
                          reference.states};
  for (const Comparison &comparison :
       compareResult(problem, *groups, result, expected)) {
    if (comparison.verdict == Verdict::Pass)
      continue;
    ADD_FAILURE() << llvm::formatv(
                         "{0}: {1} {2}: {3}, error {4:e2}, limit {5:e2}, "
                         "worst at [{6}]: {7} instead of {8}",
                         variant.text(), comparison.tensor,
                         verdictName(comparison.verdict), comparison.reason,
                         comparison.error, comparison.limit,
                         llvm::join(llvm::map_range(comparison.worstIndex,
                                                    [](int64_t i) {
                                                      return std::to_string(i);
                                                    }),
                                    ","),
                         comparison.worstGot, comparison.worstExpected)
                         .str()
                  << "\nschedules:\n"
                  << variant.kernel->schedules;
  }
}

void execution::expectRight(const CompiledKernels &kernels,
                            const Problem &problem,
                            const LibraryRunOptions &options) {
  ReferenceResult reference = computeReference(problem);
  for (const Variant &variant : kernels.variants())
    expectReference(variant, problem, run(variant, problem, options),
                    reference);
}

double execution::relativeError(llvm::ArrayRef<float> got,
                                llvm::ArrayRef<float> expected) {
  EXPECT_EQ(got.size(), expected.size());
  double error2 = 0, expected2 = 0;
  for (auto [x, y] : llvm::zip(got, expected)) {
    error2 += (double(x) - y) * (double(x) - y);
    expected2 += double(y) * y;
  }
  return error2 == 0 ? 0 : std::sqrt(error2 / expected2);
}

bool execution::sameBits(llvm::ArrayRef<float> x, llvm::ArrayRef<float> y) {
  return x.size() == y.size() &&
         (x.empty() ||
          std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0);
}

llvm::ArrayRef<float> execution::outputsOf(const Problem &problem,
                                           const RunResult &result,
                                           int64_t begin, int64_t end) {
  int64_t row = problem.facts.hv * problem.facts.v;
  return llvm::ArrayRef(result.o).slice(begin * row, (end - begin) * row);
}

llvm::ArrayRef<float> execution::finalStateOf(const Problem &problem,
                                              const RunResult &result,
                                              int64_t sequence) {
  if (result.finalState.empty())
    return {};
  int64_t state = problem.facts.hv * problem.facts.k * problem.facts.v;
  return llvm::ArrayRef(result.finalState).slice(sequence * state, state);
}

Problem execution::soloProblem(const Problem &problem, int64_t n) {
  std::vector<float> state;
  int64_t elements = problem.facts.hv * problem.facts.k * problem.facts.v;
  if (!problem.stateIn.empty())
    state.assign(problem.stateIn.begin() + n * elements,
                 problem.stateIn.begin() + (n + 1) * elements);
  return sliceTokens(problem, problem.cuSeqlens[n], problem.cuSeqlens[n + 1],
                     std::move(state));
}
