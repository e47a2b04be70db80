//===- InputGenerator.cpp - Reproducible inputs ---------------------------===//
//
// Part of the Delta-Net project.
//
// Compiled without contraction of a*b+c into one rounding, which would differ
// from machine to machine. Exponential spreads are (1 + u) 2^e with a drawn
// integer e, so that no library function is needed.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/InputGenerator.h"
#include "CounterRandom.h"
#include "deltanet/Verification/ElementTypes.h"
#include <cmath>
#include <limits>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

/// One stream for each kind of draw; the numbers are part of what a seed means.
enum Stream : uint64_t {
  StreamQ = 1,
  StreamK,
  StreamV,
  StreamG,
  StreamGateKind,
  StreamHeadRate,
  StreamBeta,
  StreamState,
  StreamLengthQ,
  StreamLengthK,
  StreamBase
};

/// (1 + u) 2^e with e uniform in [low, high].
static double spread(const CounterRandom &random, uint64_t index, int low,
                     int high) {
  int exponent = low + int(random.below(2 * index, high - low + 1));
  return std::ldexp(1 + random.uniform(2 * index + 1), exponent);
}

static double between(const CounterRandom &random, uint64_t index, double low,
                      double high) {
  return low + (high - low) * random.uniform(index);
}

/// The length that row `row` gets where the rule normalises rows inside.
static double rawLength(const CounterRandom &random, uint64_t row) {
  if (row % 13 == 5)
    return 0;
  if (row % 29 == 11)
    return 0x1p-13; // far below sqrt(1e-6), where eps decides
  return spread(random, row, -7, 6);
}

/// Scales `row` to `length` and rounds it.
static void finishRow(llvm::MutableArrayRef<double> row, double length,
                      dn_type type, float *out) {
  double sum = 0;
  for (double x : row)
    sum += x * x;
  double factor = length / std::sqrt(sum);
  for (double x : row)
    *out++ = roundTo(type, float(x * factor));
}

/// q or k: [T,H,K].
static std::vector<float> makeRows(const RuleFacts &facts, int64_t tokens,
                                   const GeneratorOptions &options,
                                   Stream values, Stream lengths) {
  CounterRandom random(options.seed, values);
  CounterRandom lengthRandom(options.seed, lengths);
  CounterRandom baseRandom(options.seed, StreamBase);
  bool correlated = options.keys == Keys::Correlated && values == StreamK;
  std::vector<float> rows(tokens * facts.h * facts.k);
  std::vector<double> row(facts.k);
  for (int64_t at = 0; at < tokens * facts.h; ++at) {
    int64_t token = at / facts.h, head = at % facts.h;
    for (int64_t i = 0; i < facts.k; ++i) {
      row[i] = random.normal(at * facts.k + i);
      if (correlated)
        row[i] = baseRandom.normal(head * facts.k + i) + 0.01 * row[i];
    }
    double length = facts.l2normEps ? rawLength(lengthRandom, at) : 1.0;
    if (options.keys == Keys::Zero && token % 7 == 3)
      length = 0;
    finishRow(row, length, facts.ioType, rows.data() + at * facts.k);
  }
  return rows;
}

static double gate(const GeneratorOptions &options, int64_t at, int64_t head) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  CounterRandom random(options.seed, StreamG);
  CounterRandom kind(options.seed, StreamGateKind);
  double weak = -between(random, at, 1e-5, 3e-3);
  switch (options.gates) {
  case Gates::Realistic: {
    // Steps of the golden ratio from a drawn start: even few heads have rates
    // far apart.
    uint64_t start = CounterRandom(options.seed, StreamHeadRate).bits(0);
    uint64_t place = start + uint64_t(head) * 0x9E3779B97F4A7C15;
    double rate = (double(place >> 12) + 0.5) * 0x1p-48;
    // The smaller of two draws: most steps are small, some reach the rate.
    return -rate * std::min(spread(random, 2 * at, -10, 0),
                            spread(random, 2 * at + 1, -10, 0));
  }
  case Gates::Weak:
    return weak;
  case Gates::Strong:
    return -20;
  case Gates::Mixed:
    return kind.below(at, 2) ? -20 : 0;
  case Gates::Reset: {
    constexpr double sudden[] = {-20, -60, -200};
    uint64_t draw = kind.below(at, 48);
    return draw < 3 ? sudden[draw] : weak;
  }
  case Gates::Huge:
    return -between(random, at, 1e3, 1e5);
  case Gates::Zero:
    return 0;
  case Gates::NegInf:
    return kind.below(at, 8) == 0 ? -inf : weak;
  }
  return 0;
}

static double stepSize(const GeneratorOptions &options, int64_t at) {
  double uniform = CounterRandom(options.seed, StreamBeta).uniform(at);
  switch (options.betas) {
  case Betas::Uniform:
    return uniform;
  case Betas::Zero:
    return 0;
  case Betas::One:
    return 1;
  case Betas::Two:
    return 2 * uniform;
  }
  return 0;
}

llvm::Expected<Problem>
verification::generateProblem(const RuleFacts &facts,
                              llvm::ArrayRef<int64_t> lengths,
                              const GeneratorOptions &options) {
  Problem problem;
  problem.facts = facts;
  problem.sequences = int64_t(lengths.size());
  problem.cuSeqlens = {0};
  for (int64_t length : lengths) {
    if (length < 0)
      return llvm::createStringError("expected lengths of at least 0, got " +
                                     llvm::Twine(length));
    problem.tokens += length;
    problem.cuSeqlens.push_back(problem.tokens);
    if (auto size = checkedElements(facts, problem.tokens, problem.sequences);
        !size)
      return size.takeError();
  }
  problem.correlatedKeys = options.keys == Keys::Correlated;
  problem.q = makeRows(facts, problem.tokens, options, StreamQ, StreamLengthQ);
  problem.k = makeRows(facts, problem.tokens, options, StreamK, StreamLengthK);

  int64_t heads = problem.tokens * facts.hv;
  CounterRandom values(options.seed, StreamV);
  problem.v.resize(heads * facts.v);
  for (size_t i = 0; i < problem.v.size(); ++i)
    problem.v[i] = roundTo(facts.ioType, float(values.normal(i)));

  problem.beta.resize(heads);
  for (int64_t at = 0; at < heads; ++at)
    problem.beta[at] = float(stepSize(options, at));
  if (facts.rule == DN_RULE_GATED) {
    problem.g.resize(heads);
    for (int64_t at = 0; at < heads; ++at)
      problem.g[at] = float(gate(options, at, at % facts.hv));
  }
  if (options.initialState) {
    CounterRandom states(options.seed, StreamState);
    problem.stateIn.resize(problem.stateElements());
    for (size_t i = 0; i < problem.stateIn.size(); ++i)
      problem.stateIn[i] = float(states.normal(i));
  }
  return problem;
}
