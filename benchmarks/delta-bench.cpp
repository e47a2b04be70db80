//===- delta-bench.cpp - Kernels against baselines ------------------------===//
//
// Part of the Delta-Net project.
//
// Each benchmark of Google Benchmark is one case. Its single iteration is a
// whole interleaved measurement (Interleave.h); the time it reports is the
// median of the kernel's, and the ratios are its counters.
//
//===----------------------------------------------------------------------===//

#include "Requirements.h"
#include "Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::bench;
using namespace mlir::deltanet::verification;

namespace {
enum ExitCode { Success = 0, Failure = 1, UsageError = 2 };

struct Options {
  std::vector<std::string> libraries;
  double seconds = 3;
  uint64_t seed = 0;
  bool check = false;
  bool ownTable = true; ///< unless Google Benchmark is told how to print
};
} // namespace

static void printHelp() {
  llvm::outs()
      << "usage: delta-bench LIBRARY.so... [--seconds=<s>] [--seed=<n>]\n"
         "                   [--check] [--benchmark_<option>...]\n"
         "\n"
         "Measures every kernel of the libraries against a token loop in C "
         "and\n"
         "against what the machine can do, all in turn in one run.\n"
         "\n"
         "  --seconds=<s>  time to spend on a case (default 3)\n"
         "  --seed=<n>     of the inputs (default 0)\n"
         "  --check        only the cases that have required ratios; exit "
         "code\n"
         "                 1 if one is missed\n"
         "\n"
         "  --benchmark_list_tests              names of the cases\n"
         "  --benchmark_filter=<regex>          cases to run\n"
         "  --benchmark_repetitions=<n>         whole measurements of each\n"
         "  --benchmark_format=<console|json>   Google Benchmark's own output\n"
         "  --benchmark_out=<file>              JSON file as well\n";
}

static llvm::Expected<Options> parseOptions(int argc, char **argv) {
  Options options;
  for (llvm::StringRef argument : llvm::ArrayRef(argv, argc).drop_front()) {
    llvm::StringRef value = argument;
    if (value.consume_front("--seconds=")) {
      if (value.getAsDouble(options.seconds) || !(options.seconds > 0))
        return llvm::createStringError(
            "expected --seconds=<positive number>, got '" + argument + "'");
    } else if (value.consume_front("--seed=")) {
      if (value.getAsInteger(10, options.seed))
        return llvm::createStringError("expected --seed=<number>, got '" +
                                       argument + "'");
    } else if (argument == "--check") {
      options.check = true;
    } else if (argument.starts_with("-")) {
      return llvm::createStringError("unknown option '" + argument + "'");
    } else {
      options.libraries.push_back(argument.str());
    }
  }
  if (options.libraries.empty())
    return llvm::createStringError("expected a kernel library, got none");
  return options;
}

/// The cases of all kernels, first those of prefill.
static llvm::Expected<std::vector<Case>>
collectCases(llvm::ArrayRef<KernelLibrary> libraries) {
  std::vector<Case> prefill, decode;
  for (const KernelLibrary &library : libraries)
    for (const dn_kernel_set *set : library.kernels()) {
      llvm::Expected<ChosenVariant> variant = chooseVariant(*set, std::nullopt);
      if (!variant)
        return variant.takeError();
      llvm::Expected<RunnerTraits> traits = traitsOf(*variant->kernel);
      if (!traits)
        return traits.takeError();
      std::vector<Case> own = casesOf(*variant, *traits);
      if (own.empty())
        llvm::WithColor::warning(llvm::errs(), "delta-bench")
            << "kernel '" << set->name << "' left out: expected a gated rule "
            << "with states, without L2 norm inside, for any T\n";
      for (Case &which : own)
        (which.phase == Phase::Prefill ? prefill : decode)
            .push_back(std::move(which));
    }
  llvm::append_range(prefill, decode);
  return prefill;
}

static void runBenchmark(benchmark::State &state, const Case &which,
                         const Options &options, std::vector<Result> &results) {
  Pacing pacing;
  pacing.secondsPerCase = options.seconds;
  for (auto _ : state) {
    results.push_back(runCase(which, options.seed, pacing));
    const Result &result = results.back();
    if (!result.error.empty()) {
      state.SkipWithError(result.error.c_str());
      break;
    }
    state.SetIterationTime(result.seconds);
    for (const auto &[name, value] : result.measures) {
      state.counters[name] = value.median;
      state.counters[name + "_lower_quartile"] = value.lower;
      state.counters[name + "_upper_quartile"] = value.upper;
    }
    state.counters["rounds"] = double(result.rounds);
  }
  state.SetLabel(which.reason);
}

static int run(const Options &options) {
  auto fail = [](const llvm::Twine &text) {
    llvm::WithColor::error(llvm::errs(), "delta-bench") << text << '\n';
    return Failure;
  };
  if (!__builtin_cpu_supports("x86-64-v3"))
    return fail("the baselines need an x86-64-v3 CPU (AVX2, FMA)");
  std::vector<KernelLibrary> libraries;
  for (const std::string &path : options.libraries) {
    llvm::Expected<KernelLibrary> library = KernelLibrary::open(path);
    if (!library)
      return fail(llvm::toString(library.takeError()));
    libraries.push_back(std::move(*library));
    benchmark::AddCustomContext("library " + path, libraries.back().producer());
  }
  benchmark::AddCustomContext("baselines compiled by", __VERSION__);
  llvm::Expected<std::vector<Case>> cases = collectCases(libraries);
  if (!cases)
    return fail(llvm::toString(cases.takeError()));

  std::vector<Result> results;
  for (const Case &which : *cases) {
    if (options.check && !isRequired(which) && !isShownBeside(which))
      continue;
    benchmark::RegisterBenchmark(which.name().c_str(),
                                 [&](benchmark::State &state) {
                                   runBenchmark(state, which, options, results);
                                 })
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
  Table table(results);
  benchmark::RunSpecifiedBenchmarks(options.ownTable ? &table : nullptr);
  benchmark::Shutdown();
  bool failed = false;
  for (const Result &result : results)
    failed |= !result.error.empty();
  if (options.check)
    failed |= !checkRequirements(results);
  return failed ? Failure : Success;
}

int main(int argc, char **argv) {
  bool ownTable = true;
  for (llvm::StringRef argument : llvm::ArrayRef(argv, argc).drop_front())
    ownTable &= !argument.starts_with("--benchmark_format");
  benchmark::Initialize(&argc, argv, printHelp);
  llvm::Expected<Options> options = parseOptions(argc, argv);
  if (!options) {
    llvm::WithColor::error(llvm::errs(), "delta-bench")
        << llvm::toString(options.takeError()) << " (see --help)\n";
    return UsageError;
  }
  options->ownTable = ownTable;
  return run(*options);
}
