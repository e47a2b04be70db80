//===- RecordedTest.cpp - Results of public model code --------------------===//
//
// Part of the Delta-Net project.
//
// Each file of golden/ runs through delta-run, as a user would run it: every
// algorithm at every level and for a GPU, whole and token by token. Levels that
// this machine lacks run in the emulator; what the compiler chooses for the
// others runs there as well, and must give the same bits. The GPU is simulated.
//
//===----------------------------------------------------------------------===//

#include "CompiledKernels.h"
#include "Tools.h"
#include "deltanet/Verification/RecordedProblem.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

static std::vector<std::string> recordedFiles() {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(GOLDEN_DIR, error), end;
       it != end && !error; it.increment(error))
    if (llvm::sys::path::extension(it->path()) == ".npz")
      files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return files;
}

namespace {
class Recorded : public testing::TestWithParam<std::string> {};
} // namespace

/// The kernel that a file asks for.
static KernelSpec specOf(const RecordedProblem &recorded) {
  const RuleFacts &facts = recorded.problem.facts;
  KernelSpec spec;
  spec.rule = facts.rule;
  spec.headMap = facts.headMap;
  spec.ioType = facts.ioType;
  spec.indexType = recorded.packed ? DN_TYPE_I32 : DN_TYPE_NONE;
  spec.h = facts.h;
  spec.hv = facts.hv;
  spec.k = facts.k;
  spec.v = facts.v;
  spec.l2normEps = facts.l2normEps;
  spec.scale = facts.scale;
  return spec;
}

TEST_P(Recorded, EveryAlgorithmAndLevel) {
  llvm::Expected<NpzArchive> archive = readNpz(GetParam());
  ASSERT_TRUE(bool(archive)) << llvm::toString(archive.takeError());
  llvm::Expected<RecordedProblem> recorded =
      readRecordedProblem(*archive, GetParam());
  ASSERT_TRUE(bool(recorded)) << llvm::toString(recorded.takeError());
  CompiledKernels kernels(everyAlgorithm(specOf(*recorded)));
  bool snapshots = !recorded->states.empty(), emulates = hasEmulator();
  for (const Variant &variant : kernels.variants()) {
    std::vector<std::string> arguments = {
        variant.library, "--kernel=" + variant.spec.name, variant.runOption(),
        "--inputs=" + GetParam()};
    expectSuccess(DELTA_RUN, arguments);
    if (variant.isNative && emulates && variant.spec.name == "chosen")
      expectSuccess(DELTA_RUN,
                    {variant.library, "--kernel=chosen",
                     "--emulate=" + variant.level(), "--inputs=" + GetParam()});
    // With the state after each token, if the file has it.
    if (snapshots || recorded->problem.tokens <= 33) {
      arguments.push_back("--steps");
      expectSuccess(DELTA_RUN, arguments);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Recorded, testing::ValuesIn(recordedFiles()),
                         [](const testing::TestParamInfo<std::string> &info) {
                           return llvm::sys::path::stem(info.param).str();
                         });

TEST(RecordedFiles, AllAreHere) { EXPECT_EQ(recordedFiles().size(), 22u); }
