//===- delta-run.cpp - Runs, verifies and times kernels -------------------===//
//
// Part of the Delta-Net project.
//
// Exit status: 0 if everything passed, 1 for a mismatch or an error of the
// inputs, 2 for wrong usage.
//
//===----------------------------------------------------------------------===//

#include "FatalErrors.h"
#include "KernelRun.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace mlir::deltanet::verification;

static llvm::Expected<bool> run(const Options &options) {
  if (options.stage) {
    llvm::Expected<NamedRunner> runner = makeStagedRunner(options);
    if (!runner)
      return runner.takeError();
    return runProblem(*runner, options);
  }
  llvm::Expected<KernelLibrary> library = KernelLibrary::open(options.file);
  if (!library)
    return library.takeError();
  if (options.list) {
    listKernels(*library, options.json);
    return true;
  }
  if (options.estimate) {
    if (llvm::Error error = estimateKernel(*library, options))
      return std::move(error);
    return true;
  }
  llvm::Expected<NamedRunner> runner =
      options.device    ? makeDeviceRunner(*library, options)
      : options.emulate ? makeEmulatedRunner(*library, options)
                        : makeLibraryRunner(*library, options);
  if (!runner)
    return runner.takeError();
  return runProblem(*runner, options);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::deltanet::reportFatalErrors("delta-run");
  llvm::Expected<bool> passed = run(parseCommandLine(argc, argv));
  if (passed)
    return *passed ? 0 : 1;
  llvm::WithColor::error(llvm::errs(), "delta-run")
      << llvm::toString(passed.takeError()) << "\n";
  return 1;
}
