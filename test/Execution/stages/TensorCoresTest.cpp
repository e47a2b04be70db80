//===- TensorCoresTest.cpp - Chunks for tensor cores, as scalar code ------===//
//
// Part of the Delta-Net project.
//
// What rules are for tensor cores while they still are tensors: the roundings
// and scales of the algorithm, before any thread shares it.
//
//===----------------------------------------------------------------------===//

#include "KernelSpec.h"
#include "Runs.h"
#include "Tools.h"
#include "deltanet/Verification/StagedRunner.h"
#include "gtest/gtest.h"
#include <limits>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

static KernelSpec make(const char *name, dn_type type, int64_t k, int64_t v,
                       const char *schedule) {
  KernelSpec spec;
  spec.name = name;
  spec.ioType = type;
  spec.k = k;
  spec.v = v;
  spec.schedules = {
      std::string("chunked, staging = two_stage, matrix = mma, ") + schedule};
  return spec;
}

/// Few kernels that differ in as much as possible.
static std::vector<KernelSpec> makeSpecs() {
  std::vector<KernelSpec> specs = {
      make("gated", DN_TYPE_BF16, 32, 32,
           "chunk = 32, value_slice = 32, warps = 2"),
      make("delta", DN_TYPE_F16, 48, 64, "value_slice = 32, warps = 2"),
      make("packed", DN_TYPE_BF16, 128, 16, "value_slice = 16, warps = 1"),
      make("tiled", DN_TYPE_F16, 16, 32, "value_slice = 32, warps = 1"),
      make("raw", DN_TYPE_BF16, 64, 48,
           "chunk = 32, value_slice = 48, warps = 3, intra_warps = 4"),
      make("stateless", DN_TYPE_F16, 32, 16,
           "chunk = 32, value_slice = 16, warps = 1")};
  specs[0].l2normEps = 1e-6;
  specs[0].hv = 4;
  specs[0].indexType = DN_TYPE_I32;
  specs[1].rule = DN_RULE_DELTA;
  specs[1].headMap = DN_HEAD_MAP_TILED;
  specs[1].stateLayout = DN_STATE_LAYOUT_VK;
  specs[1].hv = 6;
  specs[2].rule = DN_RULE_DELTA;
  specs[2].l2normEps = 1e-6;
  specs[2].indexType = DN_TYPE_I64;
  specs[3].headMap = DN_HEAD_MAP_TILED;
  specs[3].stateLayout = DN_STATE_LAYOUT_VK;
  specs[3].l2normEps = 1e-6;
  specs[3].hv = 4;
  specs[3].indexType = DN_TYPE_I32;
  specs[4].stateLayout = DN_STATE_LAYOUT_VK;
  specs[5].rule = DN_RULE_DELTA;
  specs[5].takesState = specs[5].givesState = false;
  specs[5].indexType = DN_TYPE_I32;
  return specs;
}

namespace {
class TensorCores
    : public testing::TestWithParam<std::tuple<KernelSpec, Stage>> {
protected:
  const KernelSpec &spec() const { return std::get<0>(GetParam()); }

  void SetUp() override {
    llvm::StringRef stage = getStageInfo(std::get<1>(GetParam())).name;
    std::string source = writeSource(spec().toMlir());
    std::string lowered = source + "." + stage.str() + ".mlir";
    ASSERT_TRUE(
        expectSuccess(DELTA_COMPILE, {source, "--target=nvptx", "--sm=80",
                                      "--emit=" + stage.str(), "-o", lowered}));
    StagedRunOptions options;
    options.stage = std::get<1>(GetParam());
    options.layout.strides = Strides::Padded;
    auto created = StagedRunner::create(lowered, options);
    ASSERT_TRUE(bool(created)) << llvm::toString(created.takeError());
    runner = std::move(*created);
  }

  std::vector<std::vector<int64_t>> lengths() const {
    if (spec().indexType != DN_TYPE_NONE)
      return {{0, 1, 63, 64, 65, 130}, {0}};
    return {{0}, {1}, {63}, {64}, {65}, {130}};
  }

  RunResult run(const Problem &problem) {
    llvm::Expected<RunResult> result = runner->run(problem);
    if (!result) {
      ADD_FAILURE() << llvm::toString(result.takeError());
      return {};
    }
    EXPECT_TRUE(result->faults.empty()) << result->faults.front();
    return std::move(*result);
  }

  void expectRight(const GeneratorOptions &options) {
    for (const std::vector<int64_t> &some : lengths()) {
      Problem problem = makeProblem(spec(), some, options);
      RunResult result = run(problem);
      ReferenceResult reference = computeReference(problem);
      auto groups = llvm::cantFail(groupByAlgorithm(
          runner->traits(), problem, /*tokensPerCall=*/0, std::nullopt));
      ExpectedResult expected{
          "reference", reference.o, reference.finalState, {}};
      for (const Comparison &comparison :
           compareResult(problem, groups, result, expected))
        EXPECT_EQ(comparison.verdict, Verdict::Pass)
            << comparison.tensor << " of " << problem.tokens
            << " tokens: " << comparison.reason << ", error "
            << comparison.error << ", limit " << comparison.limit;
    }
  }

  std::unique_ptr<StagedRunner> runner;
};
} // namespace

TEST_P(TensorCores, KeepTheLimits) {
  expectRight({});
  GeneratorOptions options;
  options.seed = 1;
  options.betas = Betas::Two;
  options.gates = Gates::Zero;
  expectRight(options);
}

TEST_P(TensorCores, KeepTheLimitsWithEqualKeys) {
  GeneratorOptions options;
  options.keys = Keys::Correlated;
  options.betas = Betas::One;
  options.gates = Gates::Weak;
  expectRight(options);
}

TEST_P(TensorCores, KeepTheLimitsWithZerosAndInfinities) {
  GeneratorOptions options;
  options.keys = Keys::Zero;
  options.gates = Gates::NegInf;
  expectRight(options);
  options.gates = Gates::Huge;
  options.betas = Betas::Zero;
  expectRight(options);
}

/// Powers of two are taken of what came before, so that no bit depends on what
/// follows, within a chunk either.
TEST_P(TensorCores, LaterTokensChangeNothing) {
  constexpr int64_t changed = 80;
  Problem clean = makeProblem(spec(), {100}), other = clean;
  // Far from each other, so that a common scale would cost the smaller ones
  // their bits.
  float large = spec().ioType == DN_TYPE_BF16 ? 0x1p40f : 0x1p12f;
  int64_t row = int64_t(other.v.size()) / clean.tokens;
  for (float &x : llvm::MutableArrayRef(other.v).drop_front(changed * row))
    x *= large;
  RunResult before = run(clean), after = run(other);
  EXPECT_TRUE(sameBits(outputsOf(clean, before, 0, changed),
                       outputsOf(clean, after, 0, changed)));
  EXPECT_FALSE(sameBits(outputsOf(clean, before, changed, 100),
                        outputsOf(clean, after, changed, 100)));
}

/// NaN and infinities reach their sequence alone, and there no earlier chunk.
TEST_P(TensorCores, NaNsStayInTheirSequence) {
  if (spec().indexType == DN_TYPE_NONE)
    GTEST_SKIP() << "one sequence";
  constexpr int64_t poisoned = 80;
  Problem clean = makeProblem(spec(), {100, 70});
  for (auto tensor : {&Problem::q, &Problem::k, &Problem::v, &Problem::beta})
    for (float value : {std::numeric_limits<float>::quiet_NaN(),
                        std::numeric_limits<float>::infinity()}) {
      Problem dirty = clean;
      std::vector<float> &values = dirty.*tensor;
      values[poisoned * int64_t(values.size()) / clean.tokens] = value;
      RunResult before = run(clean), after = run(dirty);
      for (auto [begin, end] : {std::pair(0, 64), std::pair(100, 170)})
        EXPECT_TRUE(sameBits(outputsOf(clean, before, begin, end),
                             outputsOf(clean, after, begin, end)))
            << value;
      EXPECT_TRUE(sameBits(finalStateOf(clean, before, 1),
                           finalStateOf(clean, after, 1)));
      EXPECT_TRUE(llvm::any_of(outputsOf(clean, after, poisoned, 100),
                               [](float x) { return std::isnan(x); }))
          << value;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, TensorCores,
    testing::Combine(testing::ValuesIn(makeSpecs()),
                     testing::Values(Stage::Chunks, Stage::Fused)),
    [](const testing::TestParamInfo<std::tuple<KernelSpec, Stage>> &info) {
      return std::get<0>(info.param).name + "_" +
             getStageInfo(std::get<1>(info.param)).name.str();
    });
