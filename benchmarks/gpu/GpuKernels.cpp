//===- GpuKernels.cpp - The kernels for GPUs of some libraries ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "GpuKernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::gpubench;
using namespace mlir::deltanet::verification;

llvm::Expected<std::vector<GpuKernel>>
gpubench::gpuKernelsOf(llvm::ArrayRef<KernelLibrary> libraries,
                       const Options &options) {
  std::vector<GpuKernel> kernels;
  for (auto [library, path] : llvm::zip_equal(libraries, options.libraries))
    for (const dn_kernel_set *set : library.kernels())
      // Variants for GPUs come first.
      if (set->variant_count && isForGpus(*set->variants[0]) &&
          (options.kernel.empty() || options.kernel == set->name))
        kernels.push_back(
            {set, llvm::sys::path::stem(path).str(), set->variants[0]->hv});
  if (kernels.empty())
    return llvm::createStringError(
        options.kernel.empty()
            ? "expected kernels with variants for GPUs, got none"
            : "expected a kernel '" + options.kernel +
                  "' with variants for GPUs, got none");
  if (options.cases == Cases::Smoke) {
    int64_t fewest = INT64_MAX;
    for (const GpuKernel &kernel : kernels)
      fewest = std::min(fewest, kernel.heads);
    llvm::erase_if(kernels, [&](const GpuKernel &kernel) {
      return kernel.heads > fewest;
    });
  }
  return kernels;
}
