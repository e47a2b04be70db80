//===- RecordedProblemTest.cpp - The reference against public model code --===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/RecordedProblem.h"
#include "deltanet/Verification/Comparison.h"
#include "deltanet/Verification/Reference.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::deltanet::verification;

namespace {

std::vector<std::string> goldenFiles() {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(GOLDEN_DIR, error), end;
       it != end && !error; it.increment(error))
    if (llvm::sys::path::extension(it->path()) == ".npz")
      files.push_back(llvm::sys::path::stem(it->path()).str());
  llvm::sort(files);
  return files;
}

std::string pathOf(const std::string &stem) {
  return std::string(GOLDEN_DIR) + "/" + stem + ".npz";
}

/// RMS(got - expected) / RMS(expected).
double relativeError(const std::vector<double> &got,
                     const std::vector<double> &expected) {
  double error2 = 0, expected2 = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    error2 += (got[i] - expected[i]) * (got[i] - expected[i]);
    expected2 += expected[i] * expected[i];
  }
  return std::sqrt(error2 / expected2);
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, ReferenceReproducesEveryArray) {
  std::string path = pathOf(GetParam());
  NpzArchive archive = llvm::cantFail(readNpz(path));
  RecordedProblem recorded = llvm::cantFail(readRecordedProblem(archive, path));
  ReferenceOptions options;
  options.keepStates = !recorded.states.empty();
  ReferenceResult result = computeReference(recorded.problem, options);

  auto check = [&](const char *name, const std::vector<double> &got,
                   const std::vector<double> &expected) {
    if (expected.empty())
      return;
    ASSERT_EQ(got.size(), expected.size()) << name;
    // f32 arrays were rounded once, f64 arrays not at all.
    double limit = archive.at(name).type == NpyType::F32 ? 1e-7 : 1e-13;
    EXPECT_LE(relativeError(got, expected), limit) << name;
  };
  ASSERT_FALSE(recorded.o.empty());
  ASSERT_FALSE(recorded.finalState.empty());
  check("o", result.o, recorded.o);
  check("ht", result.finalState, recorded.finalState);
  check("h_all", result.states, recorded.states);
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, testing::ValuesIn(goldenFiles()),
                         [](const auto &info) { return info.param; });

TEST(GoldenFiles, AllAreHere) { EXPECT_EQ(goldenFiles().size(), 22u); }

class Malformed : public testing::Test {
protected:
  NpzArchive archive = llvm::cantFail(readNpz(pathOf("gdn_t3_64x32_gva2_l2")));

  std::string error() {
    llvm::Expected<RecordedProblem> recorded =
        readRecordedProblem(archive, "x.npz");
    return recorded ? "" : llvm::toString(recorded.takeError());
  }
  void meta(llvm::StringRef text) {
    archive["meta_json"] = NpyArray::make<char>(
        NpyType::U8, {int64_t(text.size())}, {text.data(), text.size()});
  }
};

TEST_F(Malformed, Meta) {
  EXPECT_EQ(error(), "");
  meta("{\"kind\": \"kda\"}");
  EXPECT_EQ(error(), "x.npz: array 'meta_json': expected kind 'gdn' or "
                     "'delta', got 'kda'");
  meta("{\"kind\": \"gdn\", \"head_map\": \"odd\"}");
  EXPECT_EQ(error(), "x.npz: array 'meta_json': expected head_map 'grouped' or "
                     "'tiled', got 'odd'");
  meta("{\"kind\": \"gdn\", \"state_layout\": \"VK\"}");
  EXPECT_EQ(error(), "x.npz: array 'meta_json': expected state_layout 'KV', "
                     "got 'VK'");
  meta("{\"kind\": \"gdn\", \"steps_per_token\": 2}");
  EXPECT_EQ(error(),
            "x.npz: array 'meta_json': expected steps_per_token 1, got 2");
  meta("{\"kind\": \"gdn\", \"l2norm\": \"yes\"}");
  EXPECT_EQ(error(), "x.npz: array 'meta_json': expected l2norm to be a "
                     "number, got \"yes\"");
  meta("{\"kind\": \"gdn\", \"head_map\": 1}");
  EXPECT_EQ(error(), "x.npz: array 'meta_json': expected head_map 'grouped' or "
                     "'tiled', got ''");
  meta("[1]");
  EXPECT_EQ(error(), "x.npz: array 'meta_json': expected a JSON object");
  meta(std::string(1 << 20, '['));
  EXPECT_EQ(error(), "x.npz: array 'meta_json': expected at most 4096 bytes, "
                     "got 1048576");
  meta("{");
  EXPECT_NE(error().find("x.npz: array 'meta_json': ["), std::string::npos);
  archive["meta_json"] = NpyArray::make<float>(NpyType::F32, {1}, {0.f});
  EXPECT_EQ(error(), "x.npz: array 'meta_json': expected bytes of JSON text of "
                     "type |u1, got <f4");
}

TEST_F(Malformed, Activations) {
  NpzArchive good = archive;
  archive["q"] = archive["q_bf16"];
  EXPECT_EQ(error(), "x.npz: array 'q_bf16': expected exactly one of 'q' and "
                     "'q_bf16'");
  archive = good;
  archive.erase("v_bf16");
  EXPECT_EQ(error(), "x.npz: array 'v': expected exactly one of 'v' and "
                     "'v_bf16'");
  archive = good;
  archive["k_bf16"].type = NpyType::F16;
  EXPECT_EQ(error(), "x.npz: array 'k_bf16': expected type <u2, got <f2");
  archive = good;
  archive["k_bf16"].shape = {6, 64};
  EXPECT_EQ(error(), "x.npz: array 'k_bf16': expected three dimensions, got "
                     "shape [6,64]");
  archive["k_bf16"].shape = {3, 1, 128};
  EXPECT_EQ(error(), "x.npz: expected one shape of q and k, got [3,2,64] and "
                     "[3,1,128]");
  archive = good;
  archive["v"] = archive["v_bf16"];
  archive["v"].type = NpyType::F16;
  archive.erase("v_bf16");
  EXPECT_EQ(error(), "x.npz: expected one type of q, k and v, got bf16, bf16 "
                     "and f16");
}

TEST_F(Malformed, GatesStateAndScale) {
  NpzArchive good = archive;
  archive["g"].shape = {4, 3};
  EXPECT_EQ(error(), "x.npz: array 'g': expected <f4 of shape [3,4], got <f4 "
                     "of shape [4,3]");
  archive.erase("g");
  EXPECT_EQ(error(),
            "x.npz: array 'g': expected shape [3,4], got no such array");
  archive = good;
  archive["h0"].shape = {1, 4, 32, 64};
  EXPECT_EQ(error(), "x.npz: array 'h0': expected <f4 of shape [1,4,64,32], "
                     "got <f4 of shape [1,4,32,64]");
  archive = good;
  archive["scale"].type = NpyType::F32;
  EXPECT_EQ(error(), "x.npz: array 'scale': expected one <f8, got <f4 of shape "
                     "[]");
  archive = good;
  archive["o"].shape = {4, 3, 32};
  EXPECT_EQ(error(), "x.npz: array 'o': expected <f4 or <f8 of shape [3,4,32], "
                     "got <f4 of shape [4,3,32]");
}

TEST_F(Malformed, Sequences) {
  archive["cu_seqlens"] = NpyArray::make<int64_t>(NpyType::I64, {2}, {0, 4});
  EXPECT_EQ(error(), "x.npz: cu_seqlens: expected offsets up to T = 3, got 4");
  archive["cu_seqlens"] = NpyArray::make<int32_t>(NpyType::I32, {0}, {});
  EXPECT_EQ(error(), "x.npz: array 'cu_seqlens': expected <i4 or <i8 of shape "
                     "[N+1], got <i4 of shape [0]");
  // There would be nothing to compare.
  archive["cu_seqlens"] = NpyArray::make<int32_t>(NpyType::I32, {1}, {0});
  EXPECT_EQ(error(),
            "x.npz: array 'cu_seqlens': expected at least one sequence "
            "to compare, got none");
}

/// What every file may leave out, and what is then meant.
TEST(Defaults, WithoutMetaAndScale) {
  NpzArchive archive = llvm::cantFail(readNpz(pathOf("gdn_t3_64x32_gva2_l2")));
  archive.erase("meta_json");
  archive.erase("scale");
  auto facts = [&] {
    return llvm::cantFail(readRecordedProblem(archive, "x.npz")).problem.facts;
  };
  EXPECT_EQ(facts().rule, DN_RULE_GATED);
  EXPECT_EQ(facts().headMap, DN_HEAD_MAP_GROUPED);
  EXPECT_FALSE(facts().l2normEps.has_value());
  EXPECT_EQ(facts().scale, 0.125);
  archive.erase("g");
  EXPECT_EQ(facts().rule, DN_RULE_DELTA);
}

TEST(WriteResults, KeepsTypesAndNames) {
  Problem problem;
  problem.facts.ioType = DN_TYPE_BF16;
  problem.facts.h = problem.facts.hv = problem.facts.k = 1;
  problem.facts.v = 2;
  problem.tokens = 1;
  NpzArchive archive = writeResults(problem, {1.f, -2.f}, {3.f, 4.f}, {});
  ASSERT_EQ(archive.size(), 2u);
  EXPECT_EQ(archive["o_bf16"].shape, (std::vector<int64_t>{1, 1, 2}));
  EXPECT_EQ(archive["o_bf16"].values<uint16_t>(),
            (std::vector<uint16_t>{0x3F80, 0xC000}));
  EXPECT_EQ(archive["ht"].values<float>(), (std::vector<float>{3.f, 4.f}));
  problem.facts.ioType = DN_TYPE_F32;
  EXPECT_EQ(writeResults(problem, {1.f, 2.f}, {}, {}).count("o"), 1u);
}

} // namespace
