//===- LibraryRunnerTest.cpp - Kernels right and wrong --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/LibraryRunner.h"
#include "FakeKernels.h"
#include "deltanet/Verification/InputGenerator.h"
#include "deltanet/Verification/Reference.h"
#include "deltanet/Verification/ResultCheck.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::verification;

namespace {

std::unique_ptr<LibraryRunner> makeRunner(const char *name,
                                          LibraryRunOptions options = {}) {
  return llvm::cantFail(LibraryRunner::create(fakeKernel(name), options));
}

Problem makeProblem(const ProblemRunner &runner,
                    std::vector<int64_t> lengths = {5, 0, 9}) {
  GeneratorOptions options;
  options.initialState = runner.traits().takesState;
  return llvm::cantFail(
      generateProblem(runner.traits().facts, lengths, options));
}

RunResult run(const char *name, LibraryRunOptions options = {}) {
  auto runner = makeRunner(name, options);
  return llvm::cantFail(runner->run(makeProblem(*runner)));
}

/// Every comparison with the reference passes and there are no faults.
void expectRight(const RunnerTraits &traits, const Problem &problem,
                 const RunResult &result) {
  EXPECT_TRUE(result.faults.empty()) << result.faults.front();
  ReferenceOptions options;
  options.keepStates = !result.states.empty();
  ReferenceResult reference = computeReference(problem, options);
  auto groups =
      llvm::cantFail(groupByAlgorithm(traits, problem, 0, std::nullopt));
  auto comparisons = compareResult(
      problem, groups, result,
      {"reference", reference.o, reference.finalState, reference.states});
  EXPECT_GE(comparisons.size(), 1u);
  for (const Comparison &comparison : comparisons)
    EXPECT_EQ(comparison.verdict, Verdict::Pass)
        << comparison.tensor << ": " << comparison.reason;
}

TEST(LibraryRunner, EveryLayoutGivesTheSameBits) {
  auto packed = makeRunner("gdn");
  Problem problem = makeProblem(*packed);
  RunResult expected = llvm::cantFail(packed->run(problem));
  expectRight(packed->traits(), problem, expected);
  for (Strides strides :
       {Strides::Packed, Strides::Padded, Strides::Heads, Strides::QKV})
    for (unsigned misalign : {0u, 4u, 20u})
      for (bool inPlace : {false, true}) {
        LibraryRunOptions options;
        options.layout = {strides, misalign, inPlace};
        auto runner = makeRunner("gdn", options);
        RunResult result = llvm::cantFail(runner->run(problem));
        EXPECT_TRUE(result.faults.empty());
        EXPECT_EQ(result.o, expected.o);
        EXPECT_EQ(result.finalState, expected.finalState);
      }
}

TEST(LibraryRunner, RightKernelsOfAllKindsPass) {
  for (const char *name :
       {"gdn", "gdn_bf16", "gdn_norm", "gdn_grouped3", "gdn_tiled",
        "gdn_square", "gdn_mixed", "two_stages"}) {
    SCOPED_TRACE(name);
    auto runner = makeRunner(name);
    Problem problem = makeProblem(*runner, {3, 0, 20});
    expectRight(runner->traits(), problem,
                llvm::cantFail(runner->run(problem)));
  }
  for (const char *name : {"delta", "gdn_plain"}) {
    SCOPED_TRACE(name);
    auto runner = makeRunner(name);
    Problem problem = makeProblem(*runner, {20});
    expectRight(runner->traits(), problem,
                llvm::cantFail(runner->run(problem)));
  }
}

TEST(LibraryRunner, NoTokensAndNoSequences) {
  auto runner = makeRunner("gdn");
  for (std::vector<int64_t> lengths :
       {std::vector<int64_t>{}, {0}, {0, 0, 0}}) {
    Problem problem = makeProblem(*runner, lengths);
    RunResult result = llvm::cantFail(runner->run(problem));
    EXPECT_TRUE(result.faults.empty());
    EXPECT_EQ(result.finalState, problem.stateIn);
  }
}

TEST(LibraryRunner, AbsentStateIsZeros) {
  auto runner = makeRunner("gdn");
  Problem problem = makeProblem(*runner);
  problem.stateIn.clear();
  RunResult absent = llvm::cantFail(runner->run(problem));
  problem.stateIn.assign(problem.stateElements(), 0.f);
  RunResult zeros = llvm::cantFail(runner->run(problem));
  EXPECT_EQ(absent.finalState, zeros.finalState);
}

TEST(LibraryRunner, ScaleReplacesTheKernelsOwn) {
  auto runner = makeRunner("gdn");
  Problem problem = makeProblem(*runner);
  problem.facts.scale = 0.37;
  llvm::cantFail(matchProblem(runner->traits(), problem, "x"));
  expectRight(runner->traits(), problem, llvm::cantFail(runner->run(problem)));
}

TEST(LibraryRunner, TokensOfNoSequenceAreZero) {
  auto runner = makeRunner("gdn");
  Problem problem = makeProblem(*runner);
  problem.cuSeqlens = {0, 5, 5, 10};
  llvm::cantFail(validate(problem));
  expectRight(runner->traits(), problem, llvm::cantFail(runner->run(problem)));
}

TEST(LibraryRunner, ThreadsAndRepetitionsChangeNoBit) {
  RunResult one = run("two_stages");
  for (int threads : {2, 3, 16}) {
    LibraryRunOptions options;
    options.threads = threads;
    options.repeat = 3;
    RunResult many = run("two_stages", options);
    EXPECT_TRUE(many.faults.empty());
    EXPECT_EQ(many.seconds.size(), 3u);
    EXPECT_EQ(one.o, many.o);
    EXPECT_EQ(one.finalState, many.finalState);
  }
}

TEST(LibraryRunner, FaultsAreFound) {
  auto faults = [](const char *name, LibraryRunOptions options = {}) {
    return llvm::join(run(name, options).faults, "; ");
  };
  LibraryRunOptions padded, twice;
  padded.layout.strides = Strides::Padded;
  twice.repeat = 2;
  EXPECT_EQ(faults("unwritten"),
            "o: 56 of 1792 elements never written, first [0,0,31]");
  EXPECT_EQ(faults("overrun"),
            "o: 4 bytes changed, first 4 bytes after the end");
  EXPECT_EQ(faults("before"),
            "o: 4 bytes changed, first 8 bytes before the begin");
  EXPECT_EQ(faults("input"), "q: 4 bytes changed, first at byte 12 of 1792");
  EXPECT_EQ(faults("gap", padded),
            "o: 224 bytes changed, first at byte 128 of 8088");
  EXPECT_EQ(faults("random", twice),
            "repetition 2 gave other bits than the first");
  EXPECT_EQ(faults("bad_scratch"),
            "scratch: 4 bytes changed, first 0 bytes after the end");
  EXPECT_EQ(faults("bad_workspace"),
            "workspace: 1 bytes changed, first 0 bytes after the end");
}

TEST(LibraryRunner, WrongResultsAreFound) {
  for (const char *name : {"late_decay", "not_finite", "transposed"}) {
    auto runner = makeRunner(name);
    Problem problem = makeProblem(*runner);
    RunResult result = llvm::cantFail(runner->run(problem));
    ReferenceResult reference = computeReference(problem);
    auto groups = llvm::cantFail(
        groupByAlgorithm(runner->traits(), problem, 0, std::nullopt));
    auto comparisons = compareResult(
        problem, groups, result,
        {"reference", reference.o, reference.finalState, reference.states});
    EXPECT_EQ(comparisons.front().verdict, Verdict::Fail) << name;
  }
}

TEST(LibraryRunner, StepsEqualOneCall) {
  auto runner = makeRunner("gdn_norm");
  Problem problem = makeProblem(*runner, {5, 0, 9});
  RunResult whole = llvm::cantFail(runner->run(problem));
  for (int64_t tokens : {1, 2, 9, 100}) {
    RunResult steps =
        llvm::cantFail(runInSteps(*runner, problem, tokens, tokens == 1));
    EXPECT_EQ(steps.o, whole.o);
    EXPECT_EQ(steps.finalState, whole.finalState);
    EXPECT_EQ(steps.states.empty(), tokens != 1);
    expectRight(runner->traits(), problem, steps);
  }
}

TEST(LibraryRunner, StepsNameTheTokenOfAFault) {
  auto runner = makeRunner("overrun");
  RunResult result =
      llvm::cantFail(runInSteps(*runner, makeProblem(*runner, {2}), 1, false));
  ASSERT_EQ(result.faults.size(), 2u);
  EXPECT_EQ(result.faults[1], "call at token 1: o: 4 bytes changed, first 4 "
                              "bytes after the end");
}

TEST(LibraryRunner, RefusesWhatAKernelCannot) {
  auto plain = makeRunner("gdn_plain");
  llvm::Expected<RunResult> steps =
      runInSteps(*plain, makeProblem(*plain, {4}), 1, false);
  EXPECT_EQ(llvm::toString(steps.takeError()),
            "kernel 'gdn_plain': expected an initial and a final state to run "
            "in steps, got none");
  LibraryRunOptions options;
  options.layout.inPlaceState = true;
  auto inPlace = LibraryRunner::create(fakeKernel("gdn_plain"), options);
  EXPECT_EQ(llvm::toString(inPlace.takeError()),
            "kernel 'gdn_plain': expected an initial and a final state to "
            "update in place, got none");
}

TEST(MatchProblem, NamesBothSides) {
  auto runner = makeRunner("gdn_tiled"); // 2/6/16/32 bf16 tiled
  auto message = [&](Problem problem) {
    llvm::Error error = matchProblem(runner->traits(), problem, "x.npz");
    return error ? llvm::toString(std::move(error)) : std::string();
  };
  Problem problem = makeProblem(*runner);
  EXPECT_EQ(message(problem), "");
  problem.facts.headMap = DN_HEAD_MAP_GROUPED;
  problem.facts.k = 32;
  problem.facts.ioType = DN_TYPE_F32;
  EXPECT_EQ(message(problem),
            "kernel 'gdn_tiled' with x.npz: expected type bf16, got f32; "
            "expected K 16, got 32; expected head map tiled, got grouped");
  problem = makeProblem(*runner);
  problem.facts.l2normEps = 1e-6;
  EXPECT_EQ(message(problem), "kernel 'gdn_tiled' with x.npz: expected L2 norm "
                              "eps none, got 1.00e-06");
  runner = makeRunner("gdn_plain");
  problem = makeProblem(*runner, {3});
  problem.stateIn.assign(problem.stateElements(), 0.f);
  EXPECT_EQ(message(problem), "kernel 'gdn_plain' with x.npz: expected initial "
                              "state none, got one");
  runner = makeRunner("gdn_static");
  EXPECT_EQ(message(makeProblem(*runner, {9})),
            "kernel 'gdn_static' with x.npz: expected T 8, got 9");
  runner = makeRunner("gdn_norm");
  problem = makeProblem(*runner);
  problem.facts.l2normEps = 1e-6; // in f32 the kernel's own
  EXPECT_EQ(message(problem), "");
}

TEST(MatchProblem, OneValueHeadAKeyHeadFitsBothMaps) {
  auto runner = makeRunner("gdn_square");
  Problem problem = makeProblem(*runner);
  problem.facts.headMap = DN_HEAD_MAP_TILED;
  EXPECT_FALSE(bool(matchProblem(runner->traits(), problem, "x")));
}

TEST(TraitsOf, RefusesUnknownFields) {
  auto message = [](void (*change)(dn_kernel &)) {
    dn_kernel kernel = fakeKernel("gdn");
    change(kernel);
    llvm::Expected<RunnerTraits> traits = traitsOf(kernel);
    return traits ? std::string() : llvm::toString(traits.takeError());
  };
  EXPECT_EQ(message([](dn_kernel &) {}), "");
  EXPECT_EQ(message([](dn_kernel &k) { k.rule = 9; }),
            "kernel 'gdn': expected rule of at most 1, got 9");
  EXPECT_EQ(message([](dn_kernel &k) { k.io_type = DN_TYPE_I32; }),
            "kernel 'gdn': expected io_type of at most 3, got 4");
  EXPECT_EQ(message([](dn_kernel &k) { k.operands = 1 << 4; }),
            "kernel 'gdn': expected operands of at most 15, got 16");
  EXPECT_EQ(message([](dn_kernel &k) { k.state_type = DN_TYPE_BF16; }),
            "kernel 'gdn': expected an f32 state, got type 2");
  EXPECT_EQ(message([](dn_kernel &k) { k.rule = DN_RULE_DELTA; }),
            "kernel 'gdn': expected a gate for the rule gated only");
  EXPECT_EQ(message([](dn_kernel &k) { k.index_type = DN_TYPE_NONE; }),
            "kernel 'gdn': expected index_type i32 or i64, got 0");
  EXPECT_EQ(message([](dn_kernel &k) { k.hv = 3; }),
            "kernel 'gdn': expected HV to be a multiple of H, got HV = 3 and "
            "H = 2");
  EXPECT_EQ(message([](dn_kernel &k) { k.schedules = "magic"; }),
            "kernel 'gdn': schedules: expected a line that begins with an "
            "algorithm, got 'magic'");
}

TEST(ChooseVariant, ByName) {
  const dn_kernel_set &set = *dn_library_find(dn_query(), "gdn");
  ChosenVariant chosen = llvm::cantFail(chooseVariant(set, DN_ISA_GENERIC));
  EXPECT_EQ(chosen.kernel->isa, uint32_t(DN_ISA_GENERIC));
  EXPECT_EQ(chosen.reason, "asked for by name");
}

} // namespace
