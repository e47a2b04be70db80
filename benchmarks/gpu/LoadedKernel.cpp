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
    : kernel(other.kernel), chosen(other.chosen),
      kernelTraits(std::move(other.kernelTraits)),
      handle(std::exchange(other.handle, nullptr)) {}

llvm::Expected<LoadedKernel> LoadedKernel::load(const OpenedGpu &gpu,
                                                const GpuKernel &kernel) {
  dn_selection selection;
  if (dn_status status = dn_cuda_select(gpu.driver(), kernel.set, &selection);
      status != DN_OK)
    return errorOf(status, selection.reason);
  LoadedKernel loaded;
  loaded.kernel = &kernel;
  loaded.chosen = selection.kernel;
  llvm::Expected<RunnerTraits> traits = traitsOf(*loaded.chosen);
  if (!traits)
    return traits.takeError();
  loaded.kernelTraits = std::move(*traits);
  char message[DN_MESSAGE_BYTES];
  if (dn_status status = dn_cuda_load(gpu.driver(), loaded.chosen,
                                      &loaded.handle, message, sizeof message);
      status != DN_OK)
    return errorOf(status, message);
  return loaded;
}

llvm::Error LoadedKernel::launch(const dn_args &args, void *stream) const {
  char message[DN_MESSAGE_BYTES];
  return errorOf(dn_cuda_launch(handle, &args, stream, message, sizeof message),
                 message);
}
