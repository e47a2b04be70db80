//===- Runners.cpp - What the options say to run --------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "GpuName.h"
#include "KernelRun.h"
#include "deltanet/Verification/CrossCheckedRunner.h"
#include "deltanet/Verification/DeviceRunner.h"
#include "deltanet/Verification/StagedRunner.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

llvm::Expected<NamedRunner>
verification::makeLibraryRunner(const KernelLibrary &library,
                                const Options &options) {
  llvm::Expected<const dn_kernel_set *> set = library.find(options.kernel);
  if (!set)
    return set.takeError();
  llvm::Expected<ChosenVariant> chosen = chooseVariant(**set, options.isa);
  if (!chosen)
    return chosen.takeError();
  // Of many short calls the first one matters little.
  bool warmUp = options.tokensPerCall == 0;
  auto runner =
      LibraryRunner::create(*chosen->kernel, {options.layout, options.threads,
                                              options.repeat, warmUp});
  if (!runner)
    return runner.takeError();
  return NamedRunner{std::move(*runner), variantName(*chosen->kernel),
                     chosen->reason};
}

llvm::Expected<NamedRunner>
verification::makeEmulatedRunner(const KernelLibrary &library,
                                 const Options &options) {
  llvm::Expected<const dn_kernel_set *> set = library.find(options.kernel);
  if (!set)
    return set.takeError();
  llvm::ArrayRef<const dn_kernel *> variants((*set)->variants,
                                             (*set)->variant_count);
  auto highest = llvm::find_if(
      variants, [](const dn_kernel *each) { return !isForGpus(*each); });
  if (highest == variants.end())
    return llvm::createStringError("kernel '" + options.kernel +
                                   "': expected a variant for CPUs, got none");
  llvm::Expected<const dn_kernel *> kernel =
      findVariant(**set, options.emulatedIsa.value_or(dn_isa((*highest)->isa)));
  if (!kernel)
    return kernel.takeError();
  auto runner = CrossCheckedRunner::create(**kernel, options.layout);
  if (!runner)
    return runner.takeError();
  CrossCheckedRunner *crossChecked = runner->get();
  return NamedRunner{std::move(*runner), variantName(**kernel), "emulated",
                     crossChecked};
}

llvm::Expected<NamedRunner>
verification::makeDeviceRunner(const KernelLibrary &library,
                               const Options &options) {
  llvm::Expected<const dn_kernel_set *> set = library.find(options.kernel);
  if (!set)
    return set.takeError();
  bool warmUp = options.tokensPerCall == 0;
  auto runner = DeviceRunner::create(
      **set, {*options.device, options.layout, options.repeat, warmUp});
  if (!runner)
    return runner.takeError();
  DeviceRunner *onDevice = runner->get();
  NamedRunner named{std::move(*runner), variantName(onDevice->kernel()),
                    onDevice->reason().str()};
  named.onDevice = onDevice;
  return named;
}

llvm::Expected<NamedRunner>
verification::makeStagedRunner(const Options &options) {
  StagedRunOptions staged;
  staged.stage = *options.stage;
  staged.kernel = options.kernel;
  staged.target = options.sm.empty() ? options.target : gpuNameOf(options.sm);
  staged.schedule = options.schedule;
  staged.layout = options.layout;
  staged.repeat = options.repeat;
  auto runner = StagedRunner::create(options.file, staged);
  if (!runner)
    return runner.takeError();
  return NamedRunner{std::move(*runner),
                     "stage " + getStageName(staged.stage).str(),
                     "as scalar code"};
}
