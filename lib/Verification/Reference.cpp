//===- Reference.cpp - The token recurrence, in float64 or float32 --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/Reference.h"
#include "llvm/ADT/ArrayRef.h"
#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

/// `row`, normalised if the rule does so.
template <typename Float>
static void loadRow(llvm::ArrayRef<float> row, std::optional<double> eps,
                    std::vector<Float> &out) {
  std::copy(row.begin(), row.end(), out.begin());
  if (!eps)
    return;
  Float sum = Float(*eps);
  for (Float x : out)
    sum += x * x;
  // Without an eps, a zero row stays zero instead of becoming NaN.
  Float factor = sum == 0 ? 0 : 1 / std::sqrt(sum);
  for (Float &x : out)
    x *= factor;
}

namespace {
/// One (sequence, value head) pair, computed in `Float`.
template <typename Float> class HeadRecurrence {
public:
  HeadRecurrence(const Problem &problem, bool keepStates,
                 ReferenceResult &result)
      : problem(problem), facts(problem.facts), keepStates(keepStates),
        result(result), state(facts.k * facts.v), q(facts.k), k(facts.k),
        delta(facts.v), o(facts.v) {}

  void run(int64_t sequence, int64_t valueHead) {
    int64_t stateAt = (sequence * facts.hv + valueHead) * facts.k * facts.v;
    if (problem.stateIn.empty())
      std::fill(state.begin(), state.end(), Float(0));
    else
      std::copy_n(problem.stateIn.begin() + stateAt, state.size(),
                  state.begin());
    for (int64_t t = problem.cuSeqlens[sequence];
         t < problem.cuSeqlens[sequence + 1]; ++t)
      token(t, valueHead);
    std::copy(state.begin(), state.end(), result.finalState.begin() + stateAt);
  }

private:
  void token(int64_t t, int64_t valueHead) {
    int64_t keyAt = (t * facts.h + facts.keyHead(valueHead)) * facts.k;
    loadRow(llvm::ArrayRef(problem.q).slice(keyAt, facts.k), facts.l2normEps,
            q);
    loadRow(llvm::ArrayRef(problem.k).slice(keyAt, facts.k), facts.l2normEps,
            k);
    int64_t headAt = t * facts.hv + valueHead;
    const float *v = problem.v.data() + headAt * facts.v;
    Float decay =
        facts.rule == DN_RULE_GATED ? std::exp(Float(problem.g[headAt])) : 1;

    // delta gathers S^T k of the decayed state first.
    std::fill(delta.begin(), delta.end(), Float(0));
    for (int64_t i = 0; i < facts.k; ++i) {
      Float *row = state.data() + i * facts.v;
      Float key = k[i];
      for (int64_t j = 0; j < facts.v; ++j) {
        row[j] *= decay;
        delta[j] += row[j] * key;
      }
    }
    Float beta = problem.beta[headAt];
    for (int64_t j = 0; j < facts.v; ++j)
      delta[j] = beta * (v[j] - delta[j]);

    std::fill(o.begin(), o.end(), Float(0));
    for (int64_t i = 0; i < facts.k; ++i) {
      Float *row = state.data() + i * facts.v;
      Float key = k[i], query = q[i] * Float(facts.scale);
      for (int64_t j = 0; j < facts.v; ++j) {
        row[j] += key * delta[j];
        o[j] += row[j] * query;
      }
    }
    std::copy(o.begin(), o.end(), result.o.begin() + headAt * facts.v);
    if (keepStates)
      std::copy(state.begin(), state.end(),
                result.states.begin() + headAt * facts.k * facts.v);
  }

  const Problem &problem;
  const RuleFacts &facts;
  bool keepStates;
  ReferenceResult &result;
  std::vector<Float> state, q, k, delta, o;
};
} // namespace

ReferenceResult verification::computeReference(const Problem &problem,
                                               const ReferenceOptions &options,
                                               ProgressFn progress) {
  const RuleFacts &facts = problem.facts;
  ReferenceResult result;
  result.o.assign(problem.tokens * facts.hv * facts.v, 0.0);
  result.finalState.assign(problem.stateElements(), 0.0);
  if (options.keepStates)
    result.states.assign(problem.tokens * facts.hv * facts.k * facts.v, 0.0);

  // Pairs write disjoint parts of the result, so any thread may take any pair.
  int64_t pairs = problem.sequences * facts.hv, done = 0;
  std::atomic<int64_t> next{0};
  std::mutex progressLock;
  auto workIn = [&](auto head) {
    for (int64_t pair; (pair = next.fetch_add(1)) < pairs;) {
      head.run(pair / facts.hv, pair % facts.hv);
      if (!progress)
        continue;
      std::lock_guard<std::mutex> guard(progressLock);
      progress(++done, pairs);
    }
  };
  auto work = [&] {
    if (options.float32)
      workIn(HeadRecurrence<float>(problem, options.keepStates, result));
    else
      workIn(HeadRecurrence<double>(problem, options.keepStates, result));
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < options.threads && int64_t(i) < pairs; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
  return result;
}
