//===- Calls.cpp - The dynamic choices of the grid ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "deltanet/Verification/ElementTypes.h"
#include "deltanet/Verification/Reference.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

/// On GPUs chunks have 32 or 64 tokens, of which products take 16 at once, and
/// simulated tokens take long.
static std::vector<int64_t> tokenCounts(const KernelSpec &spec) {
  if (spec.isForGpu())
    return {0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200};
  return {0, 1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 129, 200, 333};
}

/// Choices with the names that delta-run gives them.
template <typename T> struct Named {
  T value;
  const char *name;
};
static const std::vector<Named<Gates>> gateChoices = {
    {Gates::Realistic, "realistic"}, {Gates::Weak, "weak"},
    {Gates::Strong, "strong"},       {Gates::Mixed, "mixed"},
    {Gates::Reset, "reset"},         {Gates::Huge, "huge"},
    {Gates::Zero, "zero"},           {Gates::NegInf, "neginf"}};
static const std::vector<Named<Betas>> betaChoices = {
    {Betas::Uniform, "uniform"},
    {Betas::Zero, "zero"},
    {Betas::One, "one"},
    {Betas::Two, "two"}};
static const std::vector<Named<Keys>> keyChoices = {
    {Keys::Normal, "normal"},
    {Keys::Correlated, "correlated"},
    {Keys::Zero, "zero"}};
static const std::vector<Named<Strides>> strideChoices = {
    {Strides::Packed, "packed"},
    {Strides::Padded, "padded"},
    {Strides::Heads, "heads"},
    {Strides::QKV, "qkv"}};

template <typename T>
static const char *nameOf(const std::vector<Named<T>> &choices, T value) {
  for (const Named<T> &choice : choices)
    if (choice.value == value)
      return choice.name;
  return "";
}

/// A state that decays and is not written any more vanishes, which leaves
/// nothing to compare with.
static bool vanishes(const GeneratorOptions &values) {
  Gates gates = values.gates;
  if (values.betas == Betas::Zero)
    return gates != Gates::Zero && gates != Gates::Weak;
  // The last key may be a zero vector.
  return values.keys == Keys::Zero &&
         (gates == Gates::Strong || gates == Gates::Mixed);
}

/// Nearly equal keys correct the state in one direction only: in the others,
/// without decay, roundings add up over many tokens. And of few tokens all
/// outputs may hang on one product of a key and a query that happens to be next
/// to nothing. Of a problem on which the plain recurrence in f32 is off by half
/// of 1e-6, the limit says nothing about a kernel.
static bool accumulates(const Problem &problem) {
  constexpr int64_t fewTokens = 4;
  if (!problem.correlatedKeys && problem.tokens > fewTokens)
    return false;
  ReferenceOptions inFloat;
  inFloat.float32 = true;
  ReferenceResult exact = computeReference(problem);
  ReferenceResult rounded = computeReference(problem, inFloat);
  auto isOff = [](llvm::ArrayRef<double> got, llvm::ArrayRef<double> expected) {
    double error2 = 0, expected2 = 0;
    for (auto [x, y] : llvm::zip_equal(got, expected)) {
      error2 += (x - y) * (x - y);
      expected2 += y * y;
    }
    return error2 > 0.5e-6 * 0.5e-6 * expected2;
  };
  return isOff(rounded.o, exact.o) ||
         isOff(rounded.finalState, exact.finalState);
}

/// Sequences of which one has `tokens` tokens, and some none.
static std::vector<int64_t> drawLengths(int64_t tokens, Draw &draw) {
  std::vector<int64_t> lengths = {tokens};
  int64_t others = draw.below(4);
  for (int64_t i = 0; i < others; ++i)
    lengths.push_back(draw.below(2) ? 0 : draw.below(40));
  draw.shuffle(lengths);
  return lengths;
}

std::vector<GridCall> execution::drawCalls(const KernelSpec &spec, Draw &draw) {
  std::vector<GridCall> calls;
  for (int64_t tokens : tokenCounts(spec)) {
    GridCall call;
    call.lengths = {tokens};
    if (spec.indexType != DN_TYPE_NONE) {
      call.lengths = drawLengths(tokens, draw);
      call.tail = draw.below(3) ? 0 : draw.below(20);
    }
    do {
      call.values.gates = draw.oneOf(gateChoices).value;
      call.values.betas = draw.oneOf(betaChoices).value;
      call.values.keys = draw.oneOf(keyChoices).value;
      call.values.initialState = spec.takesState && draw.below(4);
      call.values.seed = uint64_t(draw.below(1 << 20));
    } while (vanishes(call.values) || accumulates(call.problem(spec)));
    if (draw.below(4) == 0)
      call.scale = 0.37;
    call.memory.strides = draw.oneOf(strideChoices).value;
    call.memory.misalign = unsigned(draw.below(2) ? draw.below(64) : 0);
    call.memory.inPlaceState =
        spec.takesState && spec.givesState && draw.below(2);
    calls.push_back(std::move(call));
  }
  return calls;
}

Problem GridCall::problem(const KernelSpec &spec) const {
  std::vector<int64_t> all = lengths;
  if (tail > 0)
    all.push_back(tail);
  Problem problem = makeProblem(spec, all, values);
  if (scale)
    problem.facts.scale = float(*scale);
  if (tail > 0) {
    // The tokens stay, the sequence that owned them goes.
    --problem.sequences;
    problem.cuSeqlens.pop_back();
    if (!problem.stateIn.empty())
      problem.stateIn.resize(problem.stateElements());
  }
  return problem;
}

std::string GridCall::runOptions(const KernelSpec &spec) const {
  std::string text = llvm::formatv(
      "--lengths={0} --beta={1} --keys={2} --seed={3}",
      llvm::join(
          llvm::map_range(lengths, [](int64_t n) { return std::to_string(n); }),
          ","),
      nameOf(betaChoices, values.betas), nameOf(keyChoices, values.keys),
      values.seed);
  if (spec.rule == DN_RULE_GATED)
    text += llvm::formatv(" --gates={0}", nameOf(gateChoices, values.gates));
  if (spec.takesState && !values.initialState)
    text += " --zero-state";
  text += llvm::formatv(
      " --strides={0} --misalign={1}", nameOf(strideChoices, memory.strides),
      llvm::alignTo(memory.misalign, elementBytes(spec.ioType)));
  if (memory.inPlaceState)
    text += " --in-place";
  if (tail > 0)
    text += llvm::formatv(" (and {0} tokens of no sequence)", tail);
  if (scale)
    text += llvm::formatv(" (and scale {0})", *scale);
  return text;
}
