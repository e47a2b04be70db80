//===- ResultCheck.cpp - A run against what it should have given ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/ResultCheck.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

static llvm::Expected<const Schedule *> findSchedule(const RunnerTraits &traits,
                                                     int64_t tokens) {
  if (const Schedule *schedule = scheduleFor(traits.schedules, tokens))
    return schedule;
  return llvm::createStringError(
      llvm::formatv("kernel '{0}': expected a schedule that serves {1} tokens, "
                    "got none; --limits says which limits to use",
                    traits.name, tokens));
}

/// Adds the schedule that serves `tokens` to `group` and widens its algorithm.
static llvm::Error addSchedule(const RunnerTraits &traits, int64_t tokens,
                               AlgorithmGroup &group) {
  llvm::Expected<const Schedule *> schedule = findSchedule(traits, tokens);
  if (!schedule)
    return schedule.takeError();
  group.algorithm = std::max(group.algorithm, (*schedule)->algorithm);
  if (!llvm::is_contained(group.schedules, (*schedule)->text))
    group.schedules.push_back((*schedule)->text);
  return llvm::Error::success();
}

llvm::Expected<std::vector<AlgorithmGroup>>
verification::groupByAlgorithm(const RunnerTraits &traits,
                               const Problem &problem, int64_t tokensPerCall,
                               std::optional<Algorithm> forced) {
  std::map<Algorithm, AlgorithmGroup> groups;
  std::vector<int64_t> empty;
  for (int64_t n = 0; n < problem.sequences; ++n) {
    int64_t length = problem.cuSeqlens[n + 1] - problem.cuSeqlens[n];
    if (length == 0) {
      // Where any are known: what nothing serves keeps no state.
      if (!forced && !traits.schedules.empty())
        if (llvm::Error error = findSchedule(traits, 0).takeError())
          return std::move(error);
      empty.push_back(n);
      continue;
    }
    int64_t piece =
        tokensPerCall > 0 ? std::min(tokensPerCall, length) : length;
    AlgorithmGroup own;
    if (forced) {
      own.algorithm = *forced;
    } else {
      if (llvm::Error error = addSchedule(traits, piece, own))
        return std::move(error);
      if (int64_t rest = length % piece)
        if (llvm::Error error = addSchedule(traits, rest, own))
          return std::move(error);
    }
    AlgorithmGroup &group = groups[own.algorithm];
    group.algorithm = own.algorithm;
    group.sequences.push_back(n);
    for (std::string &text : own.schedules)
      if (!llvm::is_contained(group.schedules, text))
        group.schedules.push_back(std::move(text));
  }
  // Empty sequences compute nothing, so they go with whatever else there is.
  if (!empty.empty()) {
    AlgorithmGroup &first =
        groups.empty() ? groups[Algorithm::Recurrent] : groups.begin()->second;
    llvm::append_range(first.sequences, empty);
    llvm::sort(first.sequences);
  }
  std::vector<AlgorithmGroup> list;
  for (auto &[algorithm, group] : groups)
    list.push_back(std::move(group));
  return list;
}

namespace {
/// Compares chosen outer rows of tensors [outer, …].
class RowComparison {
public:
  RowComparison(llvm::StringRef against, std::vector<int64_t> rows)
      : against(against), rows(std::move(rows)) {}

  /// The limit is widened to what rounding to the type of `got` costs.
  Comparison compare(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<float> got, llvm::ArrayRef<double> expected,
                     const Tolerance &tolerance) const {
    int64_t row = 1;
    for (int64_t size : shape.drop_front())
      row *= size;
    // A result that is missing altogether has no rows to pick.
    if (got.size() != expected.size() || int64_t(rows.size()) == shape.front())
      return compareTensor(name, against, shape, got, expected,
                           widened(tolerance, expected));
    std::vector<float> gotRows;
    std::vector<double> expectedRows;
    for (int64_t at : rows) {
      gotRows.insert(gotRows.end(), got.begin() + at * row,
                     got.begin() + (at + 1) * row);
      expectedRows.insert(expectedRows.end(), expected.begin() + at * row,
                          expected.begin() + (at + 1) * row);
    }
    std::vector<int64_t> picked = shape.vec();
    picked.front() = int64_t(rows.size());
    Comparison result =
        compareTensor(name, against, picked, gotRows, expectedRows,
                      widened(tolerance, expectedRows));
    if (!result.worstIndex.empty())
      result.worstIndex.front() = rows[result.worstIndex.front()];
    return result;
  }

private:
  static Tolerance widened(Tolerance tolerance,
                           llvm::ArrayRef<double> expected) {
    tolerance.limit =
        std::max(tolerance.limit, roundingAllowance(tolerance.type, expected));
    return tolerance;
  }

  llvm::StringRef against;
  std::vector<int64_t> rows;
};
} // namespace

std::vector<Comparison>
verification::compareResult(const Problem &problem,
                            llvm::ArrayRef<AlgorithmGroup> groups,
                            const RunResult &result,
                            const ExpectedResult &expected, NearZero nearZero) {
  const RuleFacts &facts = problem.facts;
  std::vector<Comparison> comparisons;
  for (const AlgorithmGroup &group : groups) {
    ErrorLimits limits =
        errorLimits(group.algorithm, facts.ioType, problem.correlatedKeys);
    Tolerance output(limits.output), state(limits.state);
    output.element = elementFactor * limits.computed;
    output.type = facts.ioType;
    state.element = elementFactor * limits.state;
    output.nearZero = state.nearZero = nearZero;
    std::vector<int64_t> tokens;
    for (int64_t n : group.sequences)
      for (int64_t t = problem.cuSeqlens[n]; t < problem.cuSeqlens[n + 1]; ++t)
        tokens.push_back(t);
    RowComparison byToken(expected.name, std::move(tokens));
    RowComparison bySequence(expected.name, group.sequences);
    // With one group, the names need no addition.
    std::string suffix =
        groups.size() == 1 ? "" : (" " + algorithmName(group.algorithm)).str();
    int64_t tokenCount = problem.tokens, sequenceCount = problem.sequences;
    if (!expected.o.empty())
      comparisons.push_back(byToken.compare("o" + suffix,
                                            {tokenCount, facts.hv, facts.v},
                                            result.o, expected.o, output));
    if (!expected.finalState.empty() && !result.finalState.empty())
      comparisons.push_back(bySequence.compare(
          "ht" + suffix, {sequenceCount, facts.hv, facts.k, facts.v},
          result.finalState, expected.finalState, state));
    if (!expected.states.empty() && !result.states.empty())
      comparisons.push_back(byToken.compare(
          "h_all" + suffix, {tokenCount, facts.hv, facts.k, facts.v},
          result.states, expected.states, state));
  }
  return comparisons;
}
