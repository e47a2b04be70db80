//===- LoadedKernel.cpp - A kernel that a GPU is ready to run -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "LoadedKernel.h"
#include <utility>

using namespace mlir::deltanet;
using namespace mlir::deltanet::gpubench;
using namespace mlir::deltanet::verification;

LoadedKernel::LoadedKernel(LoadedKernel &&other)
    : kernel(other.kernel), kernelVariant(other.kernelVariant),
      chosen(other.chosen), kernelTraits(std::move(other.kernelTraits)),
      handle(std::exchange(other.handle, nullptr)) {}

llvm::Expected<std::vector<LoadedKernel>>
LoadedKernel::load(const OpenedGpu &gpu, const GpuKernel &kernel) {
  dn_selection selection;
  if (dn_status status = dn_cuda_select(gpu.driver(), kernel.set, &selection);
      status != DN_OK)
    return errorOf(status, selection.reason);
  std::vector<const dn_kernel *> variants = {selection.kernel};
  for (const dn_kernel *variant :
       llvm::ArrayRef(kernel.set->variants, kernel.set->variant_count))
    if (isForGpus(*variant) && variant != selection.kernel)
      variants.push_back(variant);
  std::vector<LoadedKernel> all;
  for (const dn_kernel *variant : variants) {
    LoadedKernel loaded(kernel, *variant, variant == selection.kernel);
    llvm::Expected<RunnerTraits> traits = traitsOf(*variant);
    if (!traits)
      return traits.takeError();
    loaded.kernelTraits = std::move(*traits);
    char message[DN_MESSAGE_BYTES];
    dn_status status = dn_cuda_load(gpu.driver(), variant, &loaded.handle,
                                    message, sizeof message);
    if (status == DN_ERROR_DEVICE && !loaded.chosen)
      continue;
    if (status != DN_OK)
      return errorOf(status, message);
    all.push_back(std::move(loaded));
  }
  return all;
}

llvm::Error LoadedKernel::launch(const dn_args &args, void *stream) const {
  char message[DN_MESSAGE_BYTES];
  return errorOf(dn_cuda_launch(handle, &args, stream, message, sizeof message),
                 message);
}
