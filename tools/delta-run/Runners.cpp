//===- Runners.cpp - What the options say to run --------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "deltanet/Verification/CrossCheckedRunner.h"
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
  return NamedRunner{std::move(*runner), dn_isa_name(chosen->kernel->isa),
                     chosen->reason, nullptr};
}

llvm::Expected<NamedRunner>
verification::makeEmulatedRunner(const KernelLibrary &library,
                                 const Options &options) {
  llvm::Expected<const dn_kernel_set *> set = library.find(options.kernel);
  if (!set)
    return set.takeError();
  if ((*set)->variant_count == 0)
    return llvm::createStringError("kernel '" + options.kernel +
                                   "': expected a variant, got none");
  uint32_t highest = (*set)->variants[0]->isa;
  llvm::Expected<const dn_kernel *> kernel =
      findVariant(**set, options.emulatedIsa.value_or(dn_isa(highest)));
  if (!kernel)
    return kernel.takeError();
  auto runner = CrossCheckedRunner::create(**kernel, options.layout);
  if (!runner)
    return runner.takeError();
  CrossCheckedRunner *crossChecked = runner->get();
  return NamedRunner{std::move(*runner), dn_isa_name((*kernel)->isa),
                     "emulated", crossChecked};
}

llvm::Expected<NamedRunner>
verification::makeStagedRunner(const Options &options) {
  StagedRunOptions staged;
  staged.stage = *options.stage;
  staged.kernel = options.kernel;
  staged.target = options.target;
  staged.schedule = options.schedule;
  staged.layout = options.layout;
  staged.repeat = options.repeat;
  auto runner = StagedRunner::create(options.file, staged);
  if (!runner)
    return runner.takeError();
  return NamedRunner{std::move(*runner),
                     "stage " + getStageInfo(staged.stage).name.str(),
                     "as scalar code", nullptr};
}
