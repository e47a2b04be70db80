//===- LibraryRunner.cpp - Problems on a compiled kernel ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/LibraryRunner.h"
#include "CallDescription.h"
#include "CallTensors.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <chrono>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

static constexpr size_t scratchGuardBytes = 4096;

llvm::Expected<std::unique_ptr<LibraryRunner>>
LibraryRunner::create(const dn_kernel &kernel,
                      const LibraryRunOptions &options) {
  auto fail = [&](const llvm::Twine &what) {
    return llvm::createStringError("kernel '" + llvm::Twine(kernel.name) +
                                   "': " + what);
  };
  std::unique_ptr<LibraryRunner> runner(new LibraryRunner(kernel, options));
  llvm::Expected<RunnerTraits> traits = traitsOf(kernel);
  if (!traits)
    return traits.takeError();
  runner->kernelTraits = std::move(*traits);
  if (options.layout.inPlaceState &&
      (!runner->kernelTraits.takesState || !runner->kernelTraits.givesState))
    return fail("expected an initial and a final state to update in place, "
                "got none");
  if (!llvm::isPowerOf2_32(kernel.scratch_align))
    return fail("expected scratch_align to be a power of two, got " +
                llvm::Twine(kernel.scratch_align));
  if (options.threads == 1)
    return runner;
  runner->pool = dn_pool_create(options.threads);
  if (!runner->pool)
    return fail("expected to start " + llvm::Twine(options.threads) +
                " threads, got fewer");
  return runner;
}

LibraryRunner::~LibraryRunner() { dn_pool_destroy(pool); }

llvm::Expected<RunResult> LibraryRunner::run(const Problem &problem) {
  CallTensors tensors(kernelTraits, problem, options.layout);
  dn_args args = describeCall(kernel, problem, tensors);
  args.workspace_bytes = kernel.workspace_bytes(&args);
  if (args.workspace_bytes)
    args.workspace = tensors.addWorkspace(args.workspace_bytes);
  tensors.prepare();
  char message[DN_MESSAGE_BYTES];
  if (dn_check(&kernel, &args, message, sizeof(message)) != DN_OK)
    return llvm::createStringError(
        llvm::formatv("kernel '{0}': {1}", kernel.name, message));
  if (pool && dn_pool_reserve(pool, &kernel) != DN_OK)
    return llvm::createStringError(llvm::formatv(
        "kernel '{0}': {1}", kernel.name, dn_status_string(DN_ERROR_MEMORY)));

  // A single thread brings its own scratch, so that it can be guarded.
  GuardedMemory scratch(kernel.scratch_bytes, scratchGuardBytes,
                        kernel.scratch_align, 0);
  scratch.remember();
  RunResult result;
  const int untimed = options.warmUp ? 1 : 0;
  for (int i = 0; i < untimed + options.repeat; ++i) {
    if (i > 0)
      tensors.prepare();
    auto begin = std::chrono::steady_clock::now();
    if (pool)
      dn_run(&kernel, &args, pool);
    else
      dn_run_serial(&kernel, &args, scratch.data());
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - begin;
    if (i >= untimed)
      result.seconds.push_back(time.count());
    if (i == 0)
      tensors.collect(result);
    else if (!tensors.sameOutputs(result))
      result.faults.push_back(llvm::formatv(
          "repetition {0} gave other bits than the first", i + 1));
  }
  scratch.accept(scratch.data(), scratch.size());
  if (std::optional<std::string> damage = scratch.damage())
    result.faults.push_back("scratch: " + *damage);
  return result;
}
