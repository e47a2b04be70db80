//===- Checks.cpp - Kernels against the recurrence and a simulator --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "CheckProblems.h"
#include "StoredResult.h"
#include "deltanet/Verification/DeviceRunner.h"
#include "deltanet/Verification/Reference.h"
#include "deltanet/Verification/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <thread>

using namespace mlir::deltanet;
using namespace mlir::deltanet::gpubench;
using namespace mlir::deltanet::verification;

namespace {
/// One problem on one kernel.
struct Check {
  Problem problem;
  RunResult result;
  RunReport report;
  Algorithm algorithm = Algorithm::Recurrent; ///< of the widest limits
};
} // namespace

static llvm::Expected<std::unique_ptr<DeviceRunner>>
makeRunner(const GpuKernel &kernel, const Options &options,
           const MemoryLayout &layout) {
  DeviceRunOptions run;
  run.device.driver = options.driver;
  run.device.ordinal = options.device;
  run.layout = layout;
  // The same bits twice.
  run.repeat = 2;
  return DeviceRunner::create(*kernel.set, run);
}

static llvm::Expected<Check> runProblem(const GpuKernel &kernel,
                                        const CheckProblem &wanted,
                                        const Options &options) {
  llvm::Expected<std::unique_ptr<DeviceRunner>> runner =
      makeRunner(kernel, options, wanted.layout);
  if (!runner)
    return runner.takeError();
  const RunnerTraits &traits = (*runner)->traits();
  llvm::Expected<Problem> problem =
      generateProblem(traits.facts, wanted.lengths, wanted.inputs);
  if (!problem)
    return problem.takeError();
  Check check;
  check.problem = std::move(*problem);
  auto groups = groupByAlgorithm(traits, check.problem, /*tokensPerCall=*/0,
                                 /*forced=*/std::nullopt);
  if (!groups)
    return groups.takeError();
  llvm::Expected<RunResult> result = (*runner)->run(check.problem);
  if (!result)
    return result.takeError();
  check.result = std::move(*result);

  RunReport &report = check.report;
  report.traits = traits;
  report.variant = variantName((*runner)->kernel());
  report.reason = (*runner)->reason().str();
  report.inputs = wanted.name;
  report.tokens = check.problem.tokens;
  report.sequences = check.problem.sequences;
  report.faults = check.result.faults;
  report.device = {(*runner)->deviceName().str(), (*runner)->image().str(),
                   std::nullopt};
  for (const AlgorithmGroup &group : *groups) {
    llvm::append_range(report.schedules, group.schedules);
    check.algorithm = std::max(check.algorithm, group.algorithm);
  }
  ReferenceOptions precise;
  precise.threads = std::max(1u, std::thread::hardware_concurrency());
  ReferenceResult reference = computeReference(check.problem, precise);
  report.comparisons = compareResult(
      check.problem, *groups, check.result,
      {"reference", reference.o, reference.finalState, {}}, NearZero::Compare);
  return check;
}

/// "o 1.66e-03 of 2.00e-03".
static std::string errorText(const Comparison &comparison) {
  return llvm::formatv("{0} {1} {2:e2} of {3:e2}", comparison.tensor,
                       comparison.against, comparison.error, comparison.limit);
}

static llvm::Error tell(const GpuKernel &kernel, const Check &check,
                        ResultFile &file) {
  const RunReport &report = check.report;
  llvm::outs() << (report.passed() ? "pass  " : "FAIL  ") << kernel.fullName()
               << " (" << report.variant << "), " << report.inputs << ": "
               << llvm::join(llvm::map_range(report.comparisons, errorText),
                             ", ")
               << "\n";
  if (!report.passed())
    printReport(report, llvm::outs());
  llvm::outs().flush();
  llvm::json::Value entry = reportToJson(report);
  entry.getAsObject()->insert({"library", kernel.library});
  return file.add(std::move(entry));
}

/// A problem that could not be run is a failure, too, but not the end.
static llvm::Error tellError(const GpuKernel &kernel, llvm::StringRef problem,
                             llvm::Error error, ResultFile &file) {
  std::string text = llvm::toString(std::move(error));
  llvm::outs() << "FAIL  " << kernel.fullName() << ", " << problem << ": "
               << text << "\n";
  llvm::outs().flush();
  return file.add(llvm::json::Object{{"library", kernel.library},
                                     {"kernel", kernel.set->name},
                                     {"inputs", problem},
                                     {"error", text},
                                     {"passed", false}});
}

static std::string storedPath(const GpuKernel &kernel, const Options &options) {
  llvm::SmallString<128> path(options.stored);
  llvm::sys::path::append(path, kernel.fullName() + ".npz");
  return std::string(path);
}

/// Adds what there is to say about the stored results.
static llvm::Error addStored(const GpuKernel &kernel, const Options &options,
                             Check &check) {
  llvm::Expected<StoredResult> stored =
      read(storedPath(kernel, options), check.problem);
  if (!stored)
    return stored.takeError();
  llvm::append_range(
      check.report.comparisons,
      compareWithStored(check.problem, check.result, check.algorithm, *stored));
  return llvm::Error::success();
}

llvm::Expected<bool> gpubench::runChecks(llvm::ArrayRef<GpuKernel> kernels,
                                         const Options &options,
                                         ResultFile &file) {
  bool passed = true;
  for (const GpuKernel &kernel : kernels) {
    // All variants compute the same rule.
    llvm::Expected<RunnerTraits> traits = traitsOf(*kernel.set->variants[0]);
    if (!traits)
      return traits.takeError();
    for (const CheckProblem &problem : checkProblems(*traits, options)) {
      llvm::Expected<Check> check = runProblem(kernel, problem, options);
      llvm::Error error = check ? llvm::Error::success() : check.takeError();
      if (!error && problem.isStored)
        error = addStored(kernel, options, *check);
      passed &= !error && check->report.passed();
      llvm::Error written =
          error ? tellError(kernel, problem.name, std::move(error), file)
                : tell(kernel, *check, file);
      if (written)
        return std::move(written);
    }
  }
  return passed;
}

llvm::Expected<bool> gpubench::recordResults(llvm::ArrayRef<GpuKernel> kernels,
                                             const Options &options,
                                             ResultFile &file) {
  bool passed = true;
  for (const GpuKernel &kernel : kernels) {
    llvm::Expected<RunnerTraits> traits = traitsOf(*kernel.set->variants[0]);
    if (!traits)
      return traits.takeError();
    llvm::Expected<Check> check =
        runProblem(kernel, storedProblem(*traits), options);
    if (!check)
      return check.takeError();
    passed &= check->report.passed();
    if (llvm::Error error = tell(kernel, *check, file))
      return std::move(error);
    if (llvm::Error error = write(storedPath(kernel, options), check->problem,
                                  {check->report.device->name,
                                   check->report.variant, check->algorithm,
                                   check->result.o, check->result.finalState}))
      return std::move(error);
  }
  return passed;
}
