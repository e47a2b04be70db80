//===- CheckProblems.cpp - Problems that kernels are checked by -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CheckProblems.h"
#include <numeric>

using namespace mlir::deltanet;
using namespace mlir::deltanet::gpubench;
using namespace mlir::deltanet::verification;

/// Makes of a problem one that the kernel computes.
static CheckProblem adapted(CheckProblem problem, const RunnerTraits &traits) {
  if (traits.staticTokens >= 0)
    problem.lengths = {traits.staticTokens};
  else if (!traits.takesCuSeqlens())
    problem.lengths = {std::accumulate(problem.lengths.begin(),
                                       problem.lengths.end(), int64_t(0))};
  problem.inputs.initialState &= traits.takesState;
  problem.layout.inPlaceState &= traits.takesState && traits.givesState;
  return problem;
}

CheckProblem gpubench::storedProblem(const RunnerTraits &traits) {
  // A whole chunk and a tail; where states are few, tokens one by one as well.
  constexpr int64_t kFewHeads = 8;
  std::vector<int64_t> lengths = {70};
  if (traits.facts.hv <= kFewHeads)
    lengths.push_back(3);
  return adapted({"stored", lengths, {}, {}, /*isStored=*/true}, traits);
}

std::vector<CheckProblem> gpubench::checkProblems(const RunnerTraits &traits,
                                                  const Options &options) {
  std::vector<CheckProblem> problems;
  if (!options.stored.empty())
    problems.push_back(storedProblem(traits));
  auto add = [&](const char *name, std::vector<int64_t> lengths,
                 GeneratorOptions inputs, MemoryLayout layout) {
    problems.push_back(
        adapted({name, std::move(lengths), inputs, layout, /*isStored=*/false},
                traits));
  };
  MemoryLayout packed, inPlace, padded, sideBySide;
  inPlace.inPlaceState = true;
  padded.strides = Strides::Padded;
  padded.misalign = 4;
  sideBySide.strides = Strides::QKV;
  GeneratorOptions usual;
  if (options.cases == Cases::Smoke) {
    add("decode", {1, 1}, usual, inPlace);
    add("several lengths, padded", {3, 0, 70}, usual, padded);
    return problems;
  }
  auto inputs = [](Gates gates, Betas betas, Keys keys) {
    return GeneratorOptions{/*seed=*/1, gates, betas, keys,
                            /*initialState=*/true};
  };
  GeneratorOptions zeroState = usual;
  zeroState.initialState = false;
  add("decode", std::vector<int64_t>(64, 1), usual, inPlace);
  add("several lengths", {1, 0, 2, 63, 64, 65, 17}, usual, packed);
  add("zero state", {33}, zeroState, packed);
  add("padded and misaligned", {130, 7}, usual, padded);
  add("q, k, v side by side", {100}, usual, sideBySide);
  add("sudden gates", {300}, inputs(Gates::Reset, Betas::Two, Keys::Normal),
      packed);
  add("gates of zero", {300}, inputs(Gates::Zero, Betas::One, Keys::Zero),
      packed);
  add("gates of -inf", {200},
      inputs(Gates::NegInf, Betas::Uniform, Keys::Normal), packed);
  add("huge gates", {100}, inputs(Gates::Huge, Betas::Uniform, Keys::Normal),
      packed);
  add("correlated keys", {200},
      inputs(Gates::Realistic, Betas::Uniform, Keys::Correlated), packed);
  add("long", {2048, 1000}, inputs(Gates::Realistic, Betas::Two, Keys::Normal),
      packed);
  return problems;
}
