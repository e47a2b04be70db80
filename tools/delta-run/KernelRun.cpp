//===- KernelRun.cpp - One run from inputs to report ----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "Progress.h"
#include "WriteFile.h"
#include "deltanet/Verification/CrossCheckedRunner.h"
#include "deltanet/Verification/DeviceRunner.h"
#include "deltanet/Verification/RecordedProblem.h"
#include "deltanet/Verification/Reference.h"
#include "deltanet/Verification/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <thread>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

/// The problem, with results to compare with if it was recorded.
static llvm::Expected<RecordedProblem> makeProblem(const RunnerTraits &traits,
                                                   const Options &options) {
  if (options.inputs.empty()) {
    GeneratorOptions generator = options.generator;
    generator.initialState &= traits.takesState;
    int64_t tokens = traits.staticTokens >= 0 ? traits.staticTokens : 64;
    llvm::Expected<Problem> problem = generateProblem(
        traits.facts, options.lengths.value_or(std::vector<int64_t>{tokens}),
        generator);
    if (!problem)
      return problem.takeError();
    RecordedProblem generated;
    generated.problem = std::move(*problem);
    return generated;
  }
  llvm::Expected<NpzArchive> archive = readNpz(options.inputs);
  if (!archive)
    return archive.takeError();
  return readRecordedProblem(*archive, options.inputs);
}

static std::string memoryText(const Options &options) {
  std::vector<std::string> parts;
  switch (options.layout.strides) {
  case Strides::Packed:
    break;
  case Strides::Padded:
    parts.push_back("padded rows");
    break;
  case Strides::Heads:
    parts.push_back("head-major");
    break;
  case Strides::QKV:
    parts.push_back("q, k, v side by side");
    break;
  }
  if (options.layout.misalign)
    parts.push_back(
        llvm::formatv("{0} bytes off alignment", options.layout.misalign));
  if (options.layout.inPlaceState)
    parts.push_back("state in place");
  return llvm::join(parts, ", ");
}

static llvm::Expected<RunResult>
execute(ProblemRunner &runner, const Problem &problem, const Options &options) {
  if (options.tokensPerCall == 0)
    return runner.run(problem);
  return runInSteps(runner, problem, options.tokensPerCall,
                    /*keepStates=*/options.tokensPerCall == 1);
}

/// Compares with what the file expects and with the own recurrence. Recorded
/// inputs are there to tell right from wrong; generated ones may give nothing.
static void verify(const RecordedProblem &recorded, const RunResult &result,
                   llvm::ArrayRef<AlgorithmGroup> groups, NearZero nearZero,
                   RunReport &report) {
  const Problem &problem = recorded.problem;
  ReferenceOptions options;
  options.keepStates = !result.states.empty();
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  Progress progress("reference");
  ReferenceResult reference =
      computeReference(problem, options, [&](int64_t done, int64_t total) {
        progress.update(done, total);
      });
  for (const ExpectedResult &expected :
       {ExpectedResult{"recorded", recorded.o, recorded.finalState,
                       recorded.states},
        ExpectedResult{"reference", reference.o, reference.finalState,
                       reference.states}})
    llvm::append_range(
        report.comparisons,
        compareResult(problem, groups, result, expected, nearZero));
}

static llvm::Error writeCounts(const Options &options,
                               const llvm::json::Value &counts) {
  if (options.counts.empty())
    return llvm::Error::success();
  return writeFile(options.counts, llvm::formatv("{0:2}\n", counts).str());
}

/// Adds what the emulator or the GPU tells of itself, and writes its counts.
static llvm::Error tellOfMachine(const NamedRunner &named,
                                 const Options &options, RunReport &report) {
  if (const CrossCheckedRunner *runner = named.crossChecked) {
    const EmulatedRunner &emulated = runner->emulated();
    report.emulation = {emulated.counts().total, emulated.stackBytes(),
                        runner->whyNotNative().str()};
    return writeCounts(options, emulated.counts().toJson());
  }
  if (const DeviceRunner *runner = named.onDevice) {
    llvm::json::Value executed = runner->takeReport();
    report.device = {runner->deviceName().str(), runner->image().str(),
                     std::nullopt};
    if (const llvm::json::Object *counts = executed.getAsObject())
      report.device->instructions = counts->getInteger("instructions");
    return writeCounts(options, executed);
  }
  return llvm::Error::success();
}

llvm::Expected<bool> verification::runProblem(NamedRunner &named,
                                              const Options &options) {
  ProblemRunner &runner = *named.runner;
  const RunnerTraits &traits = runner.traits();
  checkOptions(options, traits);
  llvm::Expected<RecordedProblem> recorded = makeProblem(traits, options);
  if (!recorded)
    return recorded.takeError();
  const Problem &problem = recorded->problem;
  std::string where =
      options.inputs.empty() ? "generated inputs" : options.inputs;
  if (llvm::Error error = matchProblem(traits, problem, where))
    return std::move(error);
  auto groups =
      groupByAlgorithm(traits, problem, options.tokensPerCall, options.limits);
  if (!groups)
    return groups.takeError();
  llvm::Expected<RunResult> result = execute(runner, problem, options);
  if (!result)
    return result.takeError();

  RunReport report;
  report.traits = traits;
  report.variant = named.variant;
  report.reason = named.reason;
  report.inputs = options.inputs.empty() ? options.generatorText : where;
  if (options.inputs.empty() && traits.facts.rule == DN_RULE_GATED)
    report.inputs += ", gates " + options.gatesText;
  report.memory = memoryText(options);
  report.tokens = problem.tokens;
  report.sequences = problem.sequences;
  report.tokensPerCall = options.tokensPerCall;
  report.threads = options.threads;
  for (const AlgorithmGroup &group : *groups)
    llvm::append_range(report.schedules, group.schedules);
  report.time = summarize(result->seconds);
  report.faults = result->faults;
  if (llvm::Error error = tellOfMachine(named, options, report))
    return std::move(error);
  if (options.verify)
    verify(*recorded, *result, *groups,
           options.inputs.empty() ? NearZero::Compare : NearZero::Void, report);
  if (!options.output.empty())
    if (llvm::Error error = writeNpz(
            options.output, writeResults(problem, result->o, result->finalState,
                                         result->states)))
      return std::move(error);
  if (options.json)
    llvm::outs() << llvm::formatv("{0:2}\n", reportToJson(report));
  else
    printReport(report, llvm::outs());
  return report.passed();
}
