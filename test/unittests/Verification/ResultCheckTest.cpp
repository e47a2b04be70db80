//===- ResultCheckTest.cpp - Schedules, groups and reports ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/ResultCheck.h"
#include "deltanet/Verification/Report.h"
#include "gtest/gtest.h"
#include <limits>

using namespace mlir::deltanet::verification;

namespace {

std::vector<Schedule> parse(llvm::StringRef text) {
  return llvm::cantFail(parseSchedules(text));
}

TEST(Schedules, ParsesLinesAndRanges) {
  auto schedules = parse("recurrent max_tokens=31 tokens=2 columns=16\n"
                         "chunked min_tokens=32 chunk=64 staging=two_stage\n");
  ASSERT_EQ(schedules.size(), 2u);
  EXPECT_EQ(schedules[0].algorithm, Algorithm::Recurrent);
  EXPECT_EQ(schedules[0].minTokens, 0);
  EXPECT_EQ(schedules[0].maxTokens, 31);
  EXPECT_EQ(schedules[1].minTokens, 32);
  EXPECT_EQ(schedules[1].maxTokens, INT64_MAX);
  EXPECT_EQ(schedules[1].text,
            "chunked min_tokens=32 chunk=64 staging=two_stage");
  EXPECT_EQ(scheduleFor(schedules, 31), &schedules[0]);
  EXPECT_EQ(scheduleFor(schedules, 32), &schedules[1]);
  EXPECT_EQ(scheduleFor(parse("recurrent max_tokens=3"), 4), nullptr);
  EXPECT_TRUE(parse("").empty());
}

TEST(Schedules, NamesBadLines) {
  auto error = [](llvm::StringRef text) {
    return llvm::toString(parseSchedules(text).takeError());
  };
  EXPECT_EQ(error("fast"), "schedules: expected a line that begins with an "
                           "algorithm, got 'fast'");
  EXPECT_EQ(error("chunked min_tokens=x"),
            "schedules: expected a number after 'min_tokens=', got 'chunked "
            "min_tokens=x'");
}

/// N sequences of the given lengths, H = HV = K = V = 1.
struct Tiny {
  Problem problem;
  RunnerTraits traits;
  RunResult result;
  std::vector<double> o, state;

  Tiny(std::vector<int64_t> lengths, llvm::StringRef schedules) {
    RuleFacts &facts = problem.facts;
    facts.h = facts.hv = facts.k = facts.v = 1;
    traits.name = "tiny";
    traits.schedules = parse(schedules);
    problem.sequences = int64_t(lengths.size());
    problem.cuSeqlens = {0};
    for (int64_t length : lengths)
      problem.cuSeqlens.push_back(problem.tokens += length);
    o.assign(problem.tokens, 1.0);
    state.assign(problem.sequences, 1.0);
    result.o.assign(o.begin(), o.end());
    result.finalState.assign(state.begin(), state.end());
  }
  std::vector<AlgorithmGroup> groups(int64_t tokensPerCall = 0) {
    return llvm::cantFail(
        groupByAlgorithm(traits, problem, tokensPerCall, std::nullopt));
  }
  std::string error() {
    return llvm::toString(
        groupByAlgorithm(traits, problem, 0, std::nullopt).takeError());
  }
};

constexpr llvm::StringLiteral both =
    "recurrent max_tokens=3\nchunked min_tokens=4";

TEST(ResultCheck, SequencesAreGroupedByTheirOwnLength) {
  Tiny tiny({2, 5, 0, 3}, both);
  auto groups = tiny.groups();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].sequences, (std::vector<int64_t>{0, 2, 3}));
  EXPECT_EQ(groups[1].algorithm, Algorithm::Chunked);
  EXPECT_EQ(groups[1].sequences, (std::vector<int64_t>{1}));
  EXPECT_EQ(groups[1].schedules,
            (std::vector<std::string>{"chunked min_tokens=4"}));
}

TEST(ResultCheck, EmptySequencesJoinTheOthers) {
  auto groups = Tiny({0, 5, 0}, both).groups();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].algorithm, Algorithm::Chunked);
  EXPECT_EQ(groups[0].sequences, (std::vector<int64_t>{0, 1, 2}));
  groups = Tiny({0}, "").groups();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].algorithm, Algorithm::Recurrent);
  EXPECT_TRUE(Tiny({}, "").groups().empty());
}

TEST(ResultCheck, PiecesCountInsteadOfSequences) {
  Tiny tiny({2, 9}, both);
  EXPECT_EQ(tiny.groups(1).size(), 1u);
  auto groups = tiny.groups(4); // 9 = 4 + 4 + 1: both, so the wider limits
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[1].sequences, (std::vector<int64_t>{1}));
  EXPECT_EQ(groups[1].schedules.size(), 2u);
}

TEST(ResultCheck, LengthsThatNothingServes) {
  Tiny tiny({2, 9}, "recurrent max_tokens=3");
  EXPECT_EQ(tiny.error(),
            "kernel 'tiny': expected a schedule that serves 9 tokens, got "
            "none; --limits says which limits to use");
  auto forced = llvm::cantFail(
      groupByAlgorithm(tiny.traits, tiny.problem, 0, Algorithm::Chunked));
  ASSERT_EQ(forced.size(), 1u);
  EXPECT_EQ(forced[0].sequences.size(), 2u);
}

TEST(ResultCheck, EmptySequencesWantAScheduleToo) {
  EXPECT_EQ(Tiny({2, 0}, "recurrent min_tokens=1").error(),
            "kernel 'tiny': expected a schedule that serves 0 tokens, got "
            "none; --limits says which limits to use");
}

TEST(ResultCheck, EachGroupHasItsLimits) {
  Tiny tiny({2, 5}, both);
  tiny.result.o[1] = tiny.result.o[4] = 1 + 1e-5f; // too much for two tokens
  auto comparisons = compareResult(tiny.problem, tiny.groups(), tiny.result,
                                   {"reference", tiny.o, tiny.state, {}});
  ASSERT_EQ(comparisons.size(), 4u);
  EXPECT_EQ(comparisons[0].tensor, "o recurrent");
  EXPECT_EQ(comparisons[0].verdict, Verdict::Fail);
  EXPECT_EQ(comparisons[0].limit, 1e-6);
  EXPECT_EQ(comparisons[0].shape, (std::vector<int64_t>{2, 1, 1}));
  EXPECT_EQ(comparisons[0].worstIndex, (std::vector<int64_t>{1, 0, 0}));
  EXPECT_EQ(comparisons[1].tensor, "ht recurrent");
  EXPECT_EQ(comparisons[1].verdict, Verdict::Pass);
  EXPECT_EQ(comparisons[2].tensor, "o chunked");
  EXPECT_EQ(comparisons[2].verdict, Verdict::Pass);
  EXPECT_EQ(comparisons[2].worstIndex, (std::vector<int64_t>{4, 0, 0}));
}

TEST(ResultCheck, FewRoundedValuesMayMissTheLimit) {
  // One bf16 value halfway up to the next: 0.31 % off when rounded at its best.
  Tiny tiny({1}, both);
  tiny.problem.facts.ioType = DN_TYPE_BF16;
  tiny.o = {1 + 0.8 / 256};
  auto verdict = [&](float got) {
    tiny.result.o = {got};
    return compareResult(tiny.problem, tiny.groups(), tiny.result,
                         {"reference", tiny.o, tiny.state, {}})[0]
        .verdict;
  };
  EXPECT_EQ(verdict(1), Verdict::Pass);
  EXPECT_EQ(verdict(1 + 1.0 / 128), Verdict::Fail);
  tiny.problem.facts.ioType = DN_TYPE_F32;
  EXPECT_EQ(verdict(1), Verdict::Fail);
}

TEST(ResultCheck, OneFlippedElementAmongManyFails) {
  for (dn_type type : {DN_TYPE_F32, DN_TYPE_BF16, DN_TYPE_F16}) {
    Tiny tiny({50000}, both);
    tiny.problem.facts.ioType = type;
    auto compare = [&] {
      return compareResult(tiny.problem, tiny.groups(), tiny.result,
                           {"reference", tiny.o, tiny.state, {}})[0];
    };
    EXPECT_EQ(compare().verdict, Verdict::Pass);
    // Small, so that the RMS of the whole tensor does not see it.
    tiny.result.o[31] = 0x1p-11f;
    tiny.o[31] = -0x1p-11;
    EXPECT_EQ(compare().verdict, Verdict::Fail);
    EXPECT_LE(compare().error, compare().limit);
  }
}

TEST(ResultCheck, Case61NearZeroIsVoidUnlessAskedFor) {
  Tiny tiny({3}, both);
  for (int64_t t = 0; t < 3; ++t)
    tiny.o[t] = tiny.result.o[t] = 0x1p-40f;
  ExpectedResult expected{"reference", tiny.o, tiny.state, {}};
  auto verdict = [&](auto... nearZero) {
    return compareResult(tiny.problem, tiny.groups(), tiny.result, expected,
                         nearZero...)[0]
        .verdict;
  };
  EXPECT_EQ(verdict(), Verdict::Void);
  EXPECT_EQ(verdict(NearZero::Compare), Verdict::Pass);
  tiny.result.o[1] = 0;
  EXPECT_EQ(verdict(NearZero::Compare), Verdict::Fail);
}

TEST(ResultCheck, OnlyWhatBothSidesHave) {
  Tiny tiny({3}, both);
  tiny.result.finalState.clear();
  auto comparisons = compareResult(tiny.problem, tiny.groups(), tiny.result,
                                   {"reference", tiny.o, tiny.state, tiny.o});
  ASSERT_EQ(comparisons.size(), 1u);
  EXPECT_EQ(comparisons[0].tensor, "o");
  tiny.result.o.clear(); // an output may not be missing
  comparisons = compareResult(tiny.problem, tiny.groups(), tiny.result,
                              {"reference", tiny.o, tiny.state, tiny.o});
  EXPECT_EQ(comparisons[0].verdict, Verdict::Fail);
}

TEST(Report, MedianAndRange) {
  EXPECT_EQ(summarize({3, 1, 2}).median, 2);
  EXPECT_EQ(summarize({4, 1, 2, 3}).median, 2.5);
  TimeSummary summary = summarize({5, 1, 9});
  EXPECT_EQ(summary.least, 1);
  EXPECT_EQ(summary.most, 9);
  EXPECT_EQ(summarize({}).runs, 0u);
}

TEST(Report, TablesAlignWithoutTrailingBlanks) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printTable({{"a", "bcd", "e"}, {"fgh", "i"}}, os);
  EXPECT_EQ(text, "a    bcd  e\nfgh  i\n");
}

TEST(Report, FaultsAndVerdictsDecide) {
  RunReport report;
  EXPECT_TRUE(report.passed());
  report.comparisons.push_back(
      compareTensor("o", "reference", {1}, {1.f}, {1.0}, 1e-6));
  EXPECT_TRUE(report.passed());
  report.faults = {"o: broken"};
  EXPECT_FALSE(report.passed());
  report.faults.clear();
  report.comparisons.push_back(
      compareTensor("o", "reference", {1}, {1.f}, {1e-12}, 1e-6));
  EXPECT_EQ(report.comparisons.back().verdict, Verdict::Void);
  EXPECT_FALSE(report.passed());
}

TEST(Report, JsonHoldsNoNaN) {
  RunReport report;
  report.comparisons.push_back(
      compareTensor("o", "reference", {1},
                    {std::numeric_limits<float>::quiet_NaN()}, {1.0}, 1e-6));
  llvm::json::Value value = reportToJson(report);
  const llvm::json::Object &comparison =
      *(*value.getAsObject()->getArray("comparisons"))[0].getAsObject();
  EXPECT_TRUE(comparison.get("error")->getAsNull().has_value());
  EXPECT_TRUE(comparison.get("worst_got")->getAsNull().has_value());
  EXPECT_EQ(comparison.getString("verdict"), "fail");
  EXPECT_EQ(value.getAsObject()->getBoolean("passed"), false);
}

} // namespace
