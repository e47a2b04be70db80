//===- DeterminismTest.cpp - The same bits, whoever computes --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Runs.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <thread>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

TEST(Cases, Case41_FiftyRunsGiveTheSameBits) {
  KernelSpec spec;
  spec.indexType = DN_TYPE_I32;
  CompiledKernels kernels(everyAlgorithm(spec));
  Problem problem = makeProblem(spec, {130, 7, 66});
  LibraryRunOptions options;
  options.threads = 4;
  options.repeat = 50;
  for (const Variant &variant : kernels.variants())
    run(variant, problem, options);
}

TEST(Cases, Case42_MoreThreadsThanHeads) {
  KernelSpec spec;
  CompiledKernels kernels(everyAlgorithm(spec));
  Problem problem = makeProblem(spec, {200});
  for (const Variant &variant : kernels.variants()) {
    RunResult one = run(variant, problem);
    for (int threads : {3, 16, 64}) {
      LibraryRunOptions options;
      options.threads = threads;
      RunResult many = run(variant, problem, options);
      EXPECT_TRUE(sameBits(one.o, many.o))
          << variant.text() << ", " << threads << " threads";
      EXPECT_TRUE(sameBits(one.finalState, many.finalState))
          << variant.text() << ", " << threads << " threads";
    }
  }
}

TEST(Cases, Case43_EveryLevelIsRightAndNamed) {
  KernelSpec spec;
  CompiledKernels kernels(spec);
  Problem problem = makeProblem(spec, {65});
  ReferenceResult reference = computeReference(problem);
  KernelLibrary library =
      llvm::cantFail(KernelLibrary::open(kernels.variants().front().library));
  const dn_kernel_set *set = llvm::cantFail(library.find(spec.name));
  const char *levels[] = {"generic", "avx2", "avx512", "avx512_bf16", "amx"};
  std::string expected;
  for (uint32_t isa = 0; isa < std::size(levels); ++isa) {
    if (dn_isa_check(isa, nullptr, 0) == DN_OK)
      expected = levels[isa];
    setenv("DELTANET_ISA", levels[isa], /*overwrite=*/1);
    dn_selection selection;
    dn_status status = dn_select(set, &selection);
    unsetenv("DELTANET_ISA");
    ASSERT_EQ(status, DN_OK) << selection.reason;
    llvm::StringRef reason = selection.reason;
    EXPECT_TRUE(reason.starts_with(expected + " chosen")) << selection.reason;
    EXPECT_EQ(dn_isa_name(selection.kernel->isa), expected);
    Variant variant{spec, selection.kernel, kernels.variants().front().library};
    expectReference(variant, problem, run(variant, problem), reference);
  }
  // Those that this machine lacks, in the emulator.
  expectRight(kernels, problem);
}

TEST(Cases, Case44_FreshThreadsCompute) {
  // Each thread is new to the kernel, and where the CPU has tiles, to them.
  KernelSpec spec;
  CompiledKernels kernels(everyAlgorithm(spec));
  Problem problem = makeProblem(spec, {70});
  for (const Variant &variant : kernels.nativeVariants()) {
    std::vector<RunResult> results(8);
    std::vector<std::thread> threads;
    for (RunResult &result : results)
      threads.emplace_back([&] { result = run(variant, problem); });
    for (std::thread &thread : threads)
      thread.join();
    for (const RunResult &result : results)
      EXPECT_TRUE(sameBits(result.o, results[0].o) &&
                  sameBits(result.finalState, results[0].finalState))
          << variant.text();
  }
}
