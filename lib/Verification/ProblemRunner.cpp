//===- ProblemRunner.cpp - Something that computes problems ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/ProblemRunner.h"
#include "deltanet/Verification/ElementTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

ProblemRunner::~ProblemRunner() = default;

static std::string ruleText(dn_rule rule) {
  return rule == DN_RULE_GATED ? "gated" : "delta";
}

static std::string headMapText(dn_head_map map) {
  return map == DN_HEAD_MAP_GROUPED ? "grouped" : "tiled";
}

static std::string epsText(std::optional<double> eps) {
  return eps ? llvm::formatv("{0:e2}", *eps).str() : "none";
}

llvm::Error verification::matchProblem(const RunnerTraits &traits,
                                       const Problem &problem,
                                       llvm::StringRef where) {
  const RuleFacts &want = traits.facts, &have = problem.facts;
  std::vector<std::string> differences;
  auto check = [&](bool same, llvm::StringRef fact, const std::string &kernel,
                   const std::string &given) {
    if (!same)
      differences.push_back(
          llvm::formatv("expected {0} {1}, got {2}", fact, kernel, given));
  };
  auto checkCount = [&](llvm::StringRef fact, int64_t kernel, int64_t given) {
    check(kernel == given, fact, std::to_string(kernel), std::to_string(given));
  };
  check(want.rule == have.rule, "rule", ruleText(want.rule),
        ruleText(have.rule));
  check(want.ioType == have.ioType, "type", elementName(want.ioType).str(),
        elementName(have.ioType).str());
  checkCount("H", want.h, have.h);
  checkCount("HV", want.hv, have.hv);
  checkCount("K", want.k, have.k);
  checkCount("V", want.v, have.v);
  // With one value head for each key head, both maps are the identity.
  check(want.headMap == have.headMap || have.h == have.hv, "head map",
        headMapText(want.headMap), headMapText(have.headMap));
  // Kernels hold eps in f32.
  check(want.l2normEps.has_value() == have.l2normEps.has_value() &&
            float(want.l2normEps.value_or(0)) ==
                float(have.l2normEps.value_or(0)),
        "L2 norm eps", epsText(want.l2normEps), epsText(have.l2normEps));
  if (traits.staticTokens >= 0)
    checkCount("T", traits.staticTokens, problem.tokens);
  if (!traits.takesCuSeqlens()) {
    checkCount("N", 1, problem.sequences);
    if (problem.sequences == 1)
      checkCount("tokens of the sequence", problem.tokens,
                 problem.cuSeqlens.back());
  }
  check(traits.takesState || problem.stateIn.empty(), "initial state", "none",
        "one");
  if (differences.empty())
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv("kernel '{0}' with {1}: {2}",
                                               traits.name, where,
                                               llvm::join(differences, "; ")));
}

/// Adds what a call for tokens from `begin` on gave. `problem` is the whole.
static void append(const RunResult &piece, const Problem &problem,
                   int64_t begin, RunResult &whole) {
  int64_t row = problem.facts.hv * problem.facts.v;
  std::copy(piece.o.begin(), piece.o.end(), whole.o.begin() + begin * row);
  if (!whole.states.empty())
    std::copy(piece.finalState.begin(), piece.finalState.end(),
              whole.states.begin() + begin * row * problem.facts.k);
  for (const std::string &fault : piece.faults)
    whole.faults.push_back(
        llvm::formatv("call at token {0}: {1}", begin, fault));
  whole.seconds.insert(whole.seconds.end(), piece.seconds.begin(),
                       piece.seconds.end());
}

llvm::Expected<RunResult> verification::runInSteps(ProblemRunner &runner,
                                                   const Problem &problem,
                                                   int64_t tokensPerCall,
                                                   bool keepStates) {
  const RunnerTraits &traits = runner.traits();
  if (!traits.takesState || !traits.givesState)
    return llvm::createStringError(
        "kernel '" + traits.name +
        "': expected an initial and a final state to run in steps, got none");
  const RuleFacts &facts = problem.facts;
  int64_t state = facts.hv * facts.k * facts.v;
  RunResult whole;
  whole.o.assign(problem.tokens * facts.hv * facts.v, 0.f);
  whole.finalState.assign(problem.stateElements(), 0.f);
  if (keepStates)
    whole.states.assign(problem.tokens * state, 0.f);
  for (int64_t n = 0; n < problem.sequences; ++n) {
    std::vector<float> carried(state, 0.f);
    if (!problem.stateIn.empty())
      std::copy_n(problem.stateIn.begin() + n * state, state, carried.begin());
    int64_t end = problem.cuSeqlens[n + 1];
    for (int64_t t = problem.cuSeqlens[n]; t < end; t += tokensPerCall) {
      Problem piece = sliceTokens(problem, t, std::min(t + tokensPerCall, end),
                                  std::move(carried));
      llvm::Expected<RunResult> result = runner.run(piece);
      if (!result)
        return result.takeError();
      append(*result, problem, t, whole);
      carried = std::move(result->finalState);
    }
    std::copy(carried.begin(), carried.end(),
              whole.finalState.begin() + n * state);
  }
  return whole;
}
