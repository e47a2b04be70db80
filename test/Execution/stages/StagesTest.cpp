//===- StagesTest.cpp - The IR of every stage, executed -------------------===//
//
// Part of the Delta-Net project.
//
// Some kernels at each stage from rule to buffers, as delta-run executes them:
// a wrong pass shows at the stage that it makes.
//
//===----------------------------------------------------------------------===//

#include "KernelSpec.h"
#include "Tools.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;

static KernelSpec small(const char *name, dn_type type, const char *schedule) {
  KernelSpec spec;
  spec.name = name;
  spec.ioType = type;
  spec.k = 32;
  spec.v = 16;
  spec.schedules = {schedule};
  return spec;
}

/// Few kernels that differ in as much as possible.
static std::vector<KernelSpec> makeSpecs() {
  std::vector<KernelSpec> specs = {
      small("memory", DN_TYPE_F32, "recurrent, max_tokens = 1, state = memory"),
      small("blocked", DN_TYPE_BF16,
            "recurrent, tokens = 2, rows = 2, block = 8"),
      small("sliced", DN_TYPE_F16,
            "recurrent, tokens = 3, columns = 8, value_slice = 8, block = 9"),
      small("one_pass", DN_TYPE_F32, "chunked, chunk = 16"),
      small("two_stage", DN_TYPE_BF16,
            "chunked, chunk = 32, staging = two_stage"),
      small("by_length", DN_TYPE_F32, "recurrent, max_tokens = 16"),
      small("matrix", DN_TYPE_BF16, "chunked, chunk = 32, matrix = amx")};
  specs[0].rule = DN_RULE_DELTA;
  specs[0].stateLayout = DN_STATE_LAYOUT_VK;
  specs[0].indexType = DN_TYPE_I32;
  specs[1].l2normEps = 1e-6;
  specs[1].hv = 4;
  specs[2].headMap = DN_HEAD_MAP_TILED;
  specs[2].hv = 6;
  specs[2].indexType = DN_TYPE_I64;
  specs[3].stateLayout = DN_STATE_LAYOUT_VK;
  specs[3].l2normEps = 1e-6;
  specs[4].hv = 6;
  specs[4].indexType = DN_TYPE_I32;
  specs[5].rule = DN_RULE_DELTA;
  specs[5].indexType = DN_TYPE_I32;
  specs[5].schedules.push_back("chunked, min_tokens = 17, chunk = 16");
  specs[6].v = 32;
  specs[6].levels = "amx";
  return specs;
}

static const char *const stages[] = {"rule",  "chunks",  "fused",  "layout",
                                     "tiles", "vectors", "buffers"};

namespace {
class Stages : public testing::TestWithParam<std::tuple<KernelSpec, int>> {
protected:
  const KernelSpec &spec() const { return std::get<0>(GetParam()); }
  const char *stage() const { return stages[std::get<1>(GetParam())]; }
};
} // namespace

TEST_P(Stages, Execute) {
  std::string source = writeSource(spec().toMlir());
  const char *lengths = "37";
  if (spec().name == "memory")
    lengths = "1,1,0,1";
  else if (spec().indexType != DN_TYPE_NONE)
    lengths = "5,0,37,16,1";
  std::vector<std::string> arguments = {
      source, std::string("--stage=") + stage(),
      std::string("--lengths=") + lengths, "--strides=padded"};
  if (!spec().levels.empty())
    arguments.push_back("--target=" + spec().levels);
  expectSuccess(DELTA_RUN, arguments);
  if (spec().rule == DN_RULE_GATED) {
    arguments.push_back("--gates=neginf");
    expectSuccess(DELTA_RUN, arguments);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Stages,
    testing::Combine(testing::ValuesIn(makeSpecs()), testing::Range(0, 7)),
    [](const testing::TestParamInfo<std::tuple<KernelSpec, int>> &info) {
      return std::get<0>(info.param).name + "_" +
             stages[std::get<1>(info.param)];
    });
