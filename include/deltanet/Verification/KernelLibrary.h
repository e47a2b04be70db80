//===- KernelLibrary.h - Kernels found in a shared library ------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_KERNELLIBRARY_H
#define DELTANET_VERIFICATION_KERNELLIBRARY_H

#include "deltanet-c/runtime.h"
#include "deltanet/Verification/ProblemRunner.h"

namespace mlir::deltanet::verification {

/// A loaded kernel library; unloads it at the end.
class KernelLibrary {
public:
  static llvm::Expected<KernelLibrary> open(llvm::StringRef path);
  KernelLibrary(KernelLibrary &&other);
  KernelLibrary &operator=(KernelLibrary &&) = delete;
  ~KernelLibrary();

  const char *producer() const { return loaded.library->producer; }
  llvm::ArrayRef<const dn_kernel_set *> kernels() const {
    return {loaded.library->kernels, loaded.library->kernel_count};
  }

  /// The kernel called `name`; the error lists those that there are.
  llvm::Expected<const dn_kernel_set *> find(llvm::StringRef name) const;

private:
  KernelLibrary() = default;
  std::string path;
  dn_loaded_library loaded = {};
};

/// What a variant is for: "avx2", "sm_90a"; its number if that is unknown.
std::string variantName(const dn_kernel &kernel);

/// Whether a variant is for GPUs.
inline bool isForGpus(const dn_kernel &kernel) {
  return kernel.isa >= DN_ISA_CUDA;
}

/// A variant and why it was taken.
struct ChosenVariant {
  const dn_kernel *kernel;
  std::string reason;
};

/// The code of a variant for GPUs; null if it has none.
const dn_cuda_code *codeForGpus(const dn_kernel &kernel);

/// The variant for exactly one level.
llvm::Expected<const dn_kernel *> findVariant(const dn_kernel_set &set,
                                              dn_isa isa);

/// The variant that the runtime chooses, or with `isa` exactly that one, if
/// this machine can execute it.
llvm::Expected<ChosenVariant> chooseVariant(const dn_kernel_set &set,
                                            std::optional<dn_isa> isa);

/// What a descriptor says about a kernel. Fails for fields with values that
/// this build does not know.
llvm::Expected<RunnerTraits> traitsOf(const dn_kernel &kernel);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_KERNELLIBRARY_H
