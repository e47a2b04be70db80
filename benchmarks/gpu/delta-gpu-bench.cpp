//===- delta-gpu-bench.cpp - Checks and times kernels on a GPU ------------===//
//
// Part of the Delta-Net project.
//
// For a machine that has an NVIDIA driver and nothing else: linked with what a
// system without LLVM lacks.
//
// Exit status: 0 if everything passed, 1 if something failed, 2 for wrong
// usage.
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "Timing.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::gpubench;

static llvm::StringRef actionName(Action action) {
  switch (action) {
  case Action::Check:
    return "check";
  case Action::Time:
    return "time";
  case Action::Record:
    return "record";
  }
  return "unknown";
}

static llvm::Expected<bool> run(const Options &options) {
  std::vector<verification::KernelLibrary> libraries;
  llvm::json::Array producers;
  for (const std::string &path : options.libraries) {
    auto library = verification::KernelLibrary::open(path);
    if (!library)
      return library.takeError();
    libraries.push_back(std::move(*library));
    producers.push_back(libraries.back().producer());
  }
  llvm::Expected<std::vector<GpuKernel>> kernels =
      gpuKernelsOf(libraries, options);
  if (!kernels)
    return kernels.takeError();
  llvm::Expected<std::unique_ptr<OpenedGpu>> gpu = OpenedGpu::open(options);
  if (!gpu)
    return gpu.takeError();
  ResultFile file(options.json,
                  llvm::json::Object{{"action", actionName(options.action)},
                                     {"device", (*gpu)->name()},
                                     {"producers", std::move(producers)}});
  llvm::Expected<bool> passed = options.action == Action::Check
                                    ? runChecks(*kernels, options, file)
                                : options.action == Action::Record
                                    ? recordResults(*kernels, options, file)
                                    : runTiming(**gpu, *kernels, options, file);
  if (!passed)
    return passed.takeError();
  if (llvm::Error error = file.finish(*passed))
    return std::move(error);
  return *passed;
}

int main(int argc, char **argv) {
  llvm::Expected<bool> passed = run(parseOptions(argc, argv));
  if (passed)
    return *passed ? 0 : 1;
  llvm::WithColor::error(llvm::errs(), "delta-gpu-bench")
      << llvm::toString(passed.takeError()) << "\n";
  return 1;
}
