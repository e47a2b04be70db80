//===- RunCase.cpp - Measuring a kernel against its baselines -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Baselines.h"
#include "CallMemory.h"
#include "Case.h"
#include "deltanet/Verification/Comparison.h"
#include "deltanet/Verification/InputGenerator.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::bench;
using namespace mlir::deltanet::verification;

namespace {
struct DestroyPool {
  void operator()(dn_pool *pool) const { dn_pool_destroy(pool); }
};

/// A kernel and its baselines on the same inputs.
class CaseRunner {
public:
  CaseRunner(const Case &which, Problem problem)
      : which(which), problem(std::move(problem)),
        kernelMemory(this->problem,
                     {this->problem.facts.ioType, which.traits.stateLayout,
                      which.traits.indexType, which.phase == Phase::Decode}),
        loopMemory(this->problem, {DN_TYPE_F32, DN_STATE_LAYOUT_VK, DN_TYPE_I32,
                                   which.phase == Phase::Decode}),
        pool(dn_pool_create(which.threads)) {
    kernelMemory.addWorkspace(*which.kernel);
    const RuleFacts &facts = this->problem.facts;
    loop = {loopMemory.args(), facts.h,       facts.hv,          facts.k,
            facts.v,           facts.headMap, float(facts.scale)};
    // The kernel's own states, each multiplied by 1.
    stream = loop;
    stream.args = kernelMemory.args();
    stream.scale = 1;
  }

  /// Why the kernel cannot be measured, or empty.
  std::string check();
  void measure(Result &result, const Pacing &pacing);

private:
  void measurePrefill(Result &result, const Pacing &pacing);
  void measureDecode(Result &result, const Pacing &pacing);
  std::string compare(llvm::StringRef tensor, const std::vector<float> &got,
                      const std::vector<float> &expected, double limit) const;

  Contestant contestant(const dn_kernel &kernel, const dn_args &args) {
    return {[&kernel, &args, this] { dn_run(&kernel, &args, pool.get()); }, {}};
  }
  Contestant kernel() { return contestant(*which.kernel, kernelMemory.args()); }
  Contestant tokenLoop() { return contestant(dn_bench_token_loop, loop.args); }

  double tokenHeads() const {
    return double(problem.tokens * problem.facts.hv);
  }

  const Case &which;
  Problem problem;
  CallMemory kernelMemory, loopMemory;
  dn_bench_call loop = {}, stream = {};
  std::unique_ptr<dn_pool, DestroyPool> pool;
};
} // namespace

std::string CaseRunner::compare(llvm::StringRef tensor,
                                const std::vector<float> &got,
                                const std::vector<float> &expected,
                                double limit) const {
  Comparison comparison = compareTensor(
      tensor, "the token loop", {int64_t(got.size())}, got,
      std::vector<double>(expected.begin(), expected.end()), limit);
  if (comparison.verdict == Verdict::Pass)
    return "";
  return llvm::formatv("expected {0} within {1:e1} of the token loop, got "
                       "{2:e2}{3}{4}",
                       tensor, limit, comparison.error,
                       comparison.reason.empty() ? "" : ": ",
                       comparison.reason);
}

std::string CaseRunner::check() {
  if (!pool)
    return "threads cannot be started";
  char message[DN_MESSAGE_BYTES];
  if (dn_check(which.kernel, &kernelMemory.args(), message, sizeof(message)) !=
          DN_OK ||
      dn_pool_reserve(pool.get(), which.kernel) != DN_OK)
    return *message ? message : "scratch memory cannot be allocated";
  kernel().call();
  tokenLoop().call();

  const Schedule *schedule = scheduleFor(which.traits.schedules, which.tokens);
  ErrorLimits limits =
      errorLimits(schedule ? schedule->algorithm : Algorithm::Recurrent,
                  problem.facts.ioType, /*correlatedKeys=*/false);
  // The token loop rounds too.
  constexpr double own = 1e-6;
  std::string error = compare("o", kernelMemory.output(), loopMemory.output(),
                              limits.output + own);
  if (!error.empty())
    return error;
  return compare("state", kernelMemory.finalState(), loopMemory.finalState(),
                 limits.state + own);
}

void CaseRunner::measurePrefill(Result &result, const Pacing &pacing) {
  enum { Kernel, Loop, Fma };
  std::vector<Contestant> contestants = {
      kernel(), tokenLoop(), contestant(dn_bench_fma_loop, loop.args)};
  interleave(contestants, pacing);
  const RuleFacts &facts = problem.facts;
  double flops = tokenHeads() * 6 * double(facts.k * facts.v);
  result.measures = {
      {measure::kTime,
       quartilesOf(contestants[Kernel],
                   [&](double s) { return s * 1e6 / tokenHeads(); })},
      {measure::kAgainstTokenLoop,
       ratioOf(contestants[Loop], contestants[Kernel])},
      {measure::kShareOfFma, ratioOf(contestants[Fma], contestants[Kernel])},
      {measure::kTokenLoopShareOfFma,
       ratioOf(contestants[Fma], contestants[Loop])},
      {measure::kFma, quartilesOf(contestants[Fma],
                                  [&](double s) { return flops / s * 1e-9; })}};
  result.seconds = quartiles(contestants[Kernel].seconds).median;
  result.rounds = int64_t(contestants[Kernel].seconds.size());
}

void CaseRunner::measureDecode(Result &result, const Pacing &pacing) {
  enum { Kernel, Loop, Plain, Prefetched };
  std::vector<Contestant> contestants = {
      kernel(), tokenLoop(), contestant(dn_bench_state_stream, stream.args),
      contestant(dn_bench_state_stream_prefetched, stream.args)};
  interleave(contestants, pacing);
  double plain = quartiles(contestants[Plain].seconds).median;
  double prefetched = quartiles(contestants[Prefetched].seconds).median;
  const Contestant &best = contestants[plain < prefetched ? Plain : Prefetched];
  auto bandwidth = [&](double seconds) {
    return 2 * double(which.stateBytes()) / seconds * 1e-9;
  };
  result.measures = {
      {measure::kTime,
       quartilesOf(contestants[Kernel],
                   [&](double s) { return s * 1e6 / tokenHeads(); })},
      {measure::kBandwidth, quartilesOf(contestants[Kernel], bandwidth)},
      {measure::kAgainstTokenLoop,
       ratioOf(contestants[Loop], contestants[Kernel])},
      {measure::kShareOfStream, ratioOf(best, contestants[Kernel])},
      {measure::kStream, quartilesOf(best, bandwidth)}};
  result.seconds = quartiles(contestants[Kernel].seconds).median;
  result.rounds = int64_t(contestants[Kernel].seconds.size());
}

void CaseRunner::measure(Result &result, const Pacing &pacing) {
  Pacing own = pacing;
  own.clock = which.threads == 1 ? Clock::ThreadCpu : Clock::Wall;
  if (which.phase == Phase::Prefill)
    measurePrefill(result, own);
  else
    measureDecode(result, own);
}

Result bench::runCase(const Case &which, uint64_t seed, const Pacing &pacing) {
  Result result;
  result.which = which;
  GeneratorOptions options;
  options.seed = seed;
  std::vector<int64_t> lengths(which.sequences, which.tokens);
  llvm::Expected<Problem> problem =
      generateProblem(which.traits.facts, lengths, options);
  if (!problem) {
    result.error = llvm::toString(problem.takeError());
    return result;
  }
  CaseRunner runner(which, std::move(*problem));
  result.error = runner.check();
  if (result.error.empty())
    runner.measure(result, pacing);
  return result;
}
