//===- Properties.cpp - What must hold bit for bit ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Properties.h"
#include "gtest/gtest.h"
#include <limits>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

/// The widest limits among the schedules that serve the problem's sequences.
static ErrorLimits limitsOf(const Variant &variant, const Problem &problem) {
  RunnerTraits traits = llvm::cantFail(traitsOf(*variant.kernel));
  auto groups = groupByAlgorithm(traits, problem, 0, std::nullopt);
  if (!groups) {
    ADD_FAILURE() << llvm::toString(groups.takeError());
    return {};
  }
  ErrorLimits widest = {};
  for (const AlgorithmGroup &group : *groups) {
    ErrorLimits limits = errorLimits(group.algorithm, problem.facts.ioType,
                                     problem.correlatedKeys);
    widest.output = std::max(widest.output, limits.output);
    widest.state = std::max(widest.state, limits.state);
  }
  return widest;
}

void execution::expectSameBitsAlways(const Variant &variant,
                                     const Problem &problem,
                                     llvm::ArrayRef<int> threads) {
  LibraryRunOptions options;
  options.repeat = 2;
  RunResult first = run(variant, problem, options);
  for (int count : threads) {
    options.threads = count;
    RunResult result = run(variant, problem, options);
    EXPECT_TRUE(sameBits(result.o, first.o) &&
                sameBits(result.finalState, first.finalState))
        << variant.text() << ": " << count << " threads give other bits";
  }
}

void execution::expectPastUnchanged(const Variant &variant,
                                    const Problem &problem, int64_t token,
                                    uint64_t otherSeed) {
  ASSERT_EQ(problem.sequences, 1);
  GeneratorOptions options;
  options.seed = otherSeed;
  options.gates = Gates::Mixed;
  options.betas = Betas::Two;
  Problem other = makeProblem(variant.spec, {problem.tokens}, options);
  Problem changed = problem;
  auto replace = [&](std::vector<float> &to, const std::vector<float> &from) {
    int64_t row = int64_t(to.size()) / problem.tokens;
    std::copy(from.begin() + token * row, from.end(), to.begin() + token * row);
  };
  replace(changed.q, other.q);
  replace(changed.k, other.k);
  replace(changed.v, other.v);
  replace(changed.beta, other.beta);
  if (!changed.g.empty())
    replace(changed.g, other.g);
  RunResult before = run(variant, problem), after = run(variant, changed);
  EXPECT_TRUE(sameBits(outputsOf(problem, before, 0, token),
                       outputsOf(problem, after, 0, token)))
      << variant.text() << ": tokens from " << token
      << " on change outputs before";
}

void execution::expectSameBitsInAnyOrder(const Variant &variant,
                                         const Problem &problem) {
  LibraryRunOptions options;
  options.repeat = 2;
  run(variant, problem, options);
}

/// `head` of `heads` of a tensor [T,heads,…] at `token` begins with a NaN.
static void poison(std::vector<float> &tensor, const Problem &problem,
                   int64_t token, int64_t head, int64_t heads) {
  int64_t row = int64_t(tensor.size()) / (problem.tokens * heads);
  tensor[(token * heads + head) * row] =
      std::numeric_limits<float>::quiet_NaN();
}

void execution::expectNaNStays(const Variant &variant, const Problem &problem,
                               int64_t token) {
  const RuleFacts &facts = problem.facts;
  constexpr int64_t longestChunk = 64;
  const int64_t safe = token / longestChunk * longestChunk;
  const int64_t last = problem.cuSeqlens[1], state = facts.k * facts.v;
  RunResult clean = run(variant, problem);
  auto check = [&](const Problem &poisoned, llvm::StringRef name,
                   llvm::function_ref<bool(int64_t)> isPoisoned) {
    RunResult result = run(variant, poisoned);
    bool same = true;
    auto compare = [&](const std::vector<float> &got,
                       const std::vector<float> &expected, int64_t at,
                       int64_t size) {
      same &= sameBits(llvm::ArrayRef(got).slice(at, size),
                       llvm::ArrayRef(expected).slice(at, size));
    };
    for (int64_t hv = 0; hv < facts.hv; ++hv) {
      for (int64_t t = 0; t < problem.tokens; ++t)
        if (!isPoisoned(hv) || t < safe || t >= last)
          compare(result.o, clean.o, (t * facts.hv + hv) * facts.v, facts.v);
      for (int64_t n = 0; n < problem.sequences && variant.spec.givesState; ++n)
        if (!isPoisoned(hv) || n > 0)
          compare(result.finalState, clean.finalState,
                  (n * facts.hv + hv) * state, state);
    }
    EXPECT_TRUE(same) << variant.text() << ": a NaN in " << name.str()
                      << " at token " << token << " spreads too far";
  };
  Problem poisoned = problem;
  poison(poisoned.k, problem, token, 0, facts.h);
  check(poisoned, "a key", [&](int64_t hv) {
    bool grouped = facts.headMap == DN_HEAD_MAP_GROUPED;
    return (grouped ? hv / (facts.hv / facts.h) : hv % facts.h) == 0;
  });
  poisoned = problem;
  for (auto tensor : {&Problem::v, &Problem::g, &Problem::beta})
    if (!(poisoned.*tensor).empty())
      poison(poisoned.*tensor, problem, token, facts.hv - 1, facts.hv);
  check(poisoned, "a value head",
        [&](int64_t hv) { return hv == facts.hv - 1; });
}

void execution::expectSequencesIsolated(const Variant &variant,
                                        const Problem &problem) {
  RunResult batch = run(variant, problem);
  for (int64_t n = 0; n < problem.sequences; ++n) {
    Problem solo = soloProblem(problem, n);
    RunResult alone = run(variant, solo);
    EXPECT_TRUE(sameBits(outputsOf(problem, batch, problem.cuSeqlens[n],
                                   problem.cuSeqlens[n + 1]),
                         alone.o))
        << variant.text() << ": outputs of sequence " << n
        << " differ from its solo run";
    EXPECT_TRUE(
        sameBits(finalStateOf(problem, batch, n), finalStateOf(solo, alone, 0)))
        << variant.text() << ": the final state of sequence " << n
        << " differs from its solo run";
  }
}

void execution::expectResumes(const Variant &variant, const Problem &problem,
                              int64_t token) {
  ASSERT_EQ(problem.sequences, 1);
  RunResult whole = run(variant, problem);
  RunResult begin =
      run(variant, sliceTokens(problem, 0, token, problem.stateIn));
  RunResult end = run(
      variant, sliceTokens(problem, token, problem.tokens, begin.finalState));
  std::vector<float> o = begin.o;
  o.insert(o.end(), end.o.begin(), end.o.end());
  ErrorLimits limits = limitsOf(variant, problem);
  EXPECT_LE(relativeError(o, whole.o), limits.output)
      << variant.text() << ": outputs of two calls cut at " << token;
  EXPECT_LE(relativeError(end.finalState, whole.finalState), limits.state)
      << variant.text() << ": final state of two calls cut at " << token;
}

void execution::expectSameBitsResumed(const Variant &variant,
                                      const Problem &problem, int64_t chunk) {
  RunResult whole = run(variant, problem);
  for (int64_t cut = chunk; cut < problem.tokens; cut += chunk) {
    RunResult begin =
        run(variant, sliceTokens(problem, 0, cut, problem.stateIn));
    RunResult end = run(
        variant, sliceTokens(problem, cut, problem.tokens, begin.finalState));
    EXPECT_TRUE(
        sameBits(begin.o, outputsOf(problem, whole, 0, cut)) &&
        sameBits(end.o, outputsOf(problem, whole, cut, problem.tokens)) &&
        sameBits(end.finalState, whole.finalState))
        << variant.text() << ": two calls cut at " << cut
        << ", between chunks, give other bits than one";
  }
}

void execution::expectAgree(const Variant &variant, const RunResult &result,
                            const Variant &other, const RunResult &otherResult,
                            const Problem &problem) {
  ErrorLimits limits = limitsOf(variant, problem);
  ErrorLimits otherLimits = limitsOf(other, problem);
  EXPECT_LE(relativeError(result.o, otherResult.o),
            limits.output + otherLimits.output)
      << "outputs of " << variant.text() << " and " << other.text();
  EXPECT_LE(relativeError(result.finalState, otherResult.finalState),
            limits.state + otherLimits.state)
      << "final states of " << variant.text() << " and " << other.text();
}
