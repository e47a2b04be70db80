//===- delta-run.cpp - Runs, verifies and times kernels -------------------===//
//
// Part of the Delta-Net project.
//
// Exit status: 0 if everything passed, 1 for a mismatch or an error of the
// inputs, 2 for wrong usage.
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace mlir::deltanet::verification;

static int report(llvm::Error error) {
  llvm::WithColor::error(llvm::errs(), "delta-run")
      << llvm::toString(std::move(error)) << "\n";
  return 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options = parseCommandLine(argc, argv);
  llvm::Expected<KernelLibrary> library = KernelLibrary::open(options.library);
  if (!library)
    return report(library.takeError());
  if (options.list) {
    listKernels(*library, options.json);
    return 0;
  }
  llvm::Expected<bool> passed = runKernel(*library, options);
  if (!passed)
    return report(passed.takeError());
  return *passed ? 0 : 1;
}
