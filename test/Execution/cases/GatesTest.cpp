//===- GatesTest.cpp - Gates that break kernels ---------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Runs.h"
#include "gtest/gtest.h"
#include <limits>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

/// f32 and bf16 kernels of every algorithm on the same gates.
template <typename Edit>
static void expectRightForGates(int64_t tokens, Gates gates, Edit edit) {
  for (dn_type type : {DN_TYPE_F32, DN_TYPE_BF16}) {
    KernelSpec spec;
    spec.ioType = type;
    GeneratorOptions options;
    options.gates = gates;
    Problem problem = makeProblem(spec, {tokens}, options);
    edit(problem);
    expectRight(CompiledKernels(everyAlgorithm(spec)), problem);
  }
}

static void keep(Problem &) {}

/// Every other gate.
static void everySecond(Problem &problem, float gate) {
  int64_t heads = problem.facts.hv;
  for (int64_t t = 0; t < problem.tokens; t += 2)
    std::fill_n(problem.g.begin() + t * heads, heads, gate);
}

TEST(Cases, Case05_GatesOfZero) { expectRightForGates(128, Gates::Zero, keep); }

TEST(Cases, Case05_HalfOfTheGatesZero) {
  expectRightForGates(128, Gates::Realistic,
                      [](Problem &problem) { everySecond(problem, 0); });
}

TEST(Cases, Case06_StrongDecayAtEveryToken) {
  expectRightForGates(64, Gates::Strong, keep);
}

TEST(Cases, Case06_StrongDecayOrNone) {
  expectRightForGates(64, Gates::Mixed, keep);
}

TEST(Cases, Case08_HugeDecays) { expectRightForGates(256, Gates::Huge, keep); }

TEST(Cases, Case08_HugeDecaysOrNone) {
  expectRightForGates(256, Gates::Huge,
                      [](Problem &problem) { everySecond(problem, 0); });
}

TEST(Cases, FullForgetIsExact) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  expectRightForGates(130, Gates::NegInf, keep);
  expectRightForGates(130, Gates::Realistic, [](Problem &problem) {
    std::fill(problem.g.begin(), problem.g.end(), -inf);
  });
}
