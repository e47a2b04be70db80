//===- Problem.cpp - One gated delta rule with its inputs -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/Problem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

static constexpr uint64_t maxElements = uint64_t(1) << 30;

static llvm::Error expectSize(llvm::StringRef name,
                              const std::vector<float> &tensor,
                              int64_t expected) {
  if (int64_t(tensor.size()) == expected)
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv(
      "{0}: expected {1} elements, got {2}", name, expected, tensor.size()));
}

static llvm::Error expectOffsets(const Problem &problem) {
  const std::vector<int64_t> &cu = problem.cuSeqlens;
  if (int64_t(cu.size()) != problem.sequences + 1)
    return llvm::createStringError(
        llvm::formatv("cu_seqlens: expected N+1 = {0} offsets, got {1}",
                      problem.sequences + 1, cu.size()));
  if (cu.front() != 0)
    return llvm::createStringError(llvm::formatv(
        "cu_seqlens: expected 0 as first offset, got {0}", cu.front()));
  for (size_t n = 1; n < cu.size(); ++n)
    if (cu[n] < cu[n - 1])
      return llvm::createStringError(
          llvm::formatv("cu_seqlens: expected ascending offsets, got {0} after "
                        "{1} at index {2}",
                        cu[n], cu[n - 1], n));
  if (cu.back() > problem.tokens)
    return llvm::createStringError(
        llvm::formatv("cu_seqlens: expected offsets up to T = {0}, got {1}",
                      problem.tokens, cu.back()));
  return llvm::Error::success();
}

llvm::Expected<int64_t> verification::checkedElements(const RuleFacts &facts,
                                                      int64_t tokens,
                                                      int64_t sequences) {
  auto error = [&](const llvm::Twine &what) {
    return llvm::createStringError(what);
  };
  if (tokens < 0 || sequences < 0)
    return error(llvm::formatv("expected T >= 0 and N >= 0, got T = {0} and "
                               "N = {1}",
                               tokens, sequences));
  if (facts.h < 1 || facts.hv < 1 || facts.k < 1 || facts.v < 1)
    return error(llvm::formatv("expected H, HV, K and V of at least 1, got "
                               "H = {0}, HV = {1}, K = {2}, V = {3}",
                               facts.h, facts.hv, facts.k, facts.v));
  if (facts.hv % facts.h != 0)
    return error(llvm::formatv("expected HV to be a multiple of H, got "
                               "HV = {0} and H = {1}",
                               facts.hv, facts.h));
  // Saturating: a product that overflows is over the limit as well.
  auto times = [](uint64_t x, uint64_t y) {
    return llvm::SaturatingMultiply(x, y);
  };
  uint64_t keys = times(facts.h, facts.k), values = times(facts.hv, facts.v);
  uint64_t row =
      llvm::SaturatingAdd(times(2, keys), times(2, values), times(2, facts.hv));
  uint64_t states =
      times(times(2, sequences), times(times(facts.hv, facts.k), facts.v));
  uint64_t total = llvm::SaturatingAdd(times(tokens, row), states);
  if (total > maxElements)
    return error(llvm::formatv("expected at most {0} elements in all tensors, "
                               "got T = {1} and N = {2}, which make {3}",
                               maxElements, tokens, sequences, total));
  return int64_t(total);
}

llvm::Error verification::validate(const Problem &problem) {
  const RuleFacts &facts = problem.facts;
  if (auto elements = checkedElements(facts, problem.tokens, problem.sequences);
      !elements)
    return elements.takeError();
  if (llvm::Error error = expectOffsets(problem))
    return error;
  int64_t heads = problem.tokens * facts.hv;
  int64_t keys = problem.tokens * facts.h * facts.k;
  if (llvm::Error error = expectSize("q", problem.q, keys))
    return error;
  if (llvm::Error error = expectSize("k", problem.k, keys))
    return error;
  if (llvm::Error error = expectSize("v", problem.v, heads * facts.v))
    return error;
  bool gated = facts.rule == DN_RULE_GATED;
  if (llvm::Error error = expectSize("g", problem.g, gated ? heads : 0))
    return error;
  if (llvm::Error error = expectSize("beta", problem.beta, heads))
    return error;
  if (problem.stateIn.empty())
    return llvm::Error::success();
  return expectSize("initial state", problem.stateIn, problem.stateElements());
}

Problem verification::sliceTokens(const Problem &problem, int64_t begin,
                                  int64_t end, std::vector<float> state) {
  const RuleFacts &facts = problem.facts;
  auto rows = [&](const std::vector<float> &tensor, int64_t rowElements) {
    if (tensor.empty())
      return std::vector<float>();
    return std::vector<float>(tensor.begin() + begin * rowElements,
                              tensor.begin() + end * rowElements);
  };
  Problem slice;
  slice.facts = facts;
  slice.tokens = end - begin;
  slice.cuSeqlens = {0, end - begin};
  slice.q = rows(problem.q, facts.h * facts.k);
  slice.k = rows(problem.k, facts.h * facts.k);
  slice.v = rows(problem.v, facts.hv * facts.v);
  slice.g = rows(problem.g, facts.hv);
  slice.beta = rows(problem.beta, facts.hv);
  slice.stateIn = std::move(state);
  slice.correlatedKeys = problem.correlatedKeys;
  return slice;
}
