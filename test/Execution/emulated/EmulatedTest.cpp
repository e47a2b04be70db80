//===- EmulatedTest.cpp - Every level's kernels in the emulator -----------===//
//
// Part of the Delta-Net project.
//
// Kernels of all levels, those that this machine cannot execute as well: right
// by the reference, silent under the emulator's checks, and where the machine
// can, the same bits as natively.
//
//===----------------------------------------------------------------------===//

#include "Runs.h"
#include "deltanet/Verification/EmulatedRunner.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

/// Few rules that differ in as much as possible, each by every algorithm.
static std::vector<KernelSpec> makeSpecs() {
  KernelSpec packed;
  packed.indexType = DN_TYPE_I32;
  packed.hv = 4;
  packed.k = 64;
  packed.v = 32;
  packed.l2normEps = 1e-6;
  KernelSpec plain;
  plain.rule = DN_RULE_DELTA;
  plain.headMap = DN_HEAD_MAP_TILED;
  plain.stateLayout = DN_STATE_LAYOUT_VK;
  plain.ioType = DN_TYPE_F16;
  plain.hv = 4;
  plain.k = 48;
  plain.v = 80;
  plain.takesState = false;
  KernelSpec single;
  single.ioType = DN_TYPE_F32;
  single.k = 32;
  single.v = 16;
  std::vector<KernelSpec> specs;
  for (const KernelSpec &spec : {packed, plain, single})
    llvm::append_range(specs, everyAlgorithm(spec, /*chunk=*/32));
  for (size_t i = 0; i < specs.size(); ++i)
    specs[i].name = "emulated" + std::to_string(i);
  return specs;
}

namespace {
class Emulated : public testing::TestWithParam<KernelSpec> {
protected:
  void SetUp() override {
    if (!llvm::sys::fs::exists(emulation::Machine::bochsPath()))
      GTEST_SKIP() << "expected Bochs in '" << emulation::Machine::bochsPath()
                   << "', got no such file; build the target deltanet-bochs";
  }

  void expectEmulated(const Variant &variant, const MemoryLayout &layout) {
    const KernelSpec &spec = variant.spec;
    std::vector<int64_t> lengths = {37};
    if (spec.indexType != DN_TYPE_NONE)
      lengths = {5, 0, 37, 1};
    Problem problem = makeProblem(spec, lengths);
    auto runner = EmulatedRunner::create(*variant.kernel, layout);
    ASSERT_TRUE(bool(runner)) << llvm::toString(runner.takeError());
    auto result = (*runner)->run(problem);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    for (const std::string &fault : result->faults)
      ADD_FAILURE() << variant.text() << ": " << fault;
    expectReference(variant, problem, *result, computeReference(problem, {}));
    if (dn_isa_check(dn_isa(variant.kernel->isa), nullptr, 0) != DN_OK)
      return;
    LibraryRunOptions options;
    options.layout = layout;
    RunResult native = run(variant, problem, options);
    EXPECT_TRUE(sameBits(result->o, native.o)) << variant.text();
    EXPECT_TRUE(sameBits(result->finalState, native.finalState))
        << variant.text();
  }
};
} // namespace

TEST_P(Emulated, EveryLevel) {
  CompiledKernels kernels(GetParam());
  auto library = KernelLibrary::open(kernels.path());
  ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
  const dn_kernel_set &set = *library->kernels()[0];
  EXPECT_GE(set.variant_count, 2u);
  for (uint32_t i = 0; i < set.variant_count; ++i) {
    Variant variant{GetParam(), set.variants[i]};
    expectEmulated(variant, {});
    expectEmulated(variant, {Strides::Padded, 4, false});
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Emulated, testing::ValuesIn(makeSpecs()),
                         [](const testing::TestParamInfo<KernelSpec> &info) {
                           return info.param.name;
                         });
