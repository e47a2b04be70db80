//===- Runs.h - Running kernels and judging what they gave ------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// Each function reports what is wrong as a failure of the running test.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_EXECUTION_RUNS_H
#define DELTANET_TEST_EXECUTION_RUNS_H

#include "CompiledKernels.h"
#include "deltanet/Verification/CrossCheckedRunner.h"
#include "deltanet/Verification/DeviceRunner.h"
#include "deltanet/Verification/Reference.h"
#include "deltanet/Verification/ResultCheck.h"

namespace mlir::deltanet::execution {

/// Runs a problem in guarded memory with poisoned outputs; or in the emulator
/// with all of its checks, once and by one thread whatever the options say; or
/// on a simulated GPU with all of its checks. A call that is refused and every
/// fault are failures.
verification::RunResult
run(const Variant &variant, const verification::Problem &problem,
    const verification::LibraryRunOptions &options = {});

/// The same in calls of at most `tokensPerCall` tokens.
verification::RunResult
runSteps(const Variant &variant, const verification::Problem &problem,
         int64_t tokensPerCall,
         const verification::LibraryRunOptions &options = {});

/// Runs a variant in the emulator and, if this machine can, natively; they must
/// agree as CrossCheckedRunner says.
void expectEmulatedAlike(const Variant &variant,
                         const verification::Problem &problem,
                         const verification::MemoryLayout &layout = {});

/// Compares with the reference within the limits of the schedules that ran.
void expectReference(const Variant &variant,
                     const verification::Problem &problem,
                     const verification::RunResult &result,
                     const verification::ReferenceResult &reference,
                     int64_t tokensPerCall = 0);

/// Runs every variant once and compares it with the reference.
void expectRight(const CompiledKernels &kernels,
                 const verification::Problem &problem,
                 const verification::LibraryRunOptions &options = {});

/// RMS(got - expected) / RMS(expected); 0 for two tensors of zeros.
double relativeError(llvm::ArrayRef<float> got, llvm::ArrayRef<float> expected);

/// The same bits, so that NaNs and signs of zeros count.
bool sameBits(llvm::ArrayRef<float> x, llvm::ArrayRef<float> y);

/// Outputs of the tokens [begin, end), [tokens,HV,V].
llvm::ArrayRef<float> outputsOf(const verification::Problem &problem,
                                const verification::RunResult &result,
                                int64_t begin, int64_t end);

/// Final state of one sequence, [HV,K,V]; empty without final states.
llvm::ArrayRef<float> finalStateOf(const verification::Problem &problem,
                                   const verification::RunResult &result,
                                   int64_t sequence);

/// Sequence `n` of a batch as a problem of its own.
verification::Problem soloProblem(const verification::Problem &problem,
                                  int64_t n);

} // namespace mlir::deltanet::execution

#endif // DELTANET_TEST_EXECUTION_RUNS_H
