//===- CompiledKernels.h - Kernels made by delta-compile --------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TEST_EXECUTION_COMPILEDKERNELS_H
#define DELTANET_TEST_EXECUTION_COMPILEDKERNELS_H

#include "KernelSpec.h"
#include "deltanet/Verification/LibraryRunner.h"

namespace mlir::deltanet::execution {

/// Bochs is there.
bool hasEmulator();

/// One kernel at one instruction set level or for one kind of GPU, with what it
/// was asked to be.
struct Variant {
  KernelSpec spec;
  const dn_kernel *kernel = nullptr;
  std::string library; ///< the file that it is in

  /// This machine executes its level; else it runs in the emulator, or on a
  /// simulated GPU.
  bool isNative = true;
  const dn_kernel_set *set = nullptr; ///< that a variant for a GPU is of

  bool isForGpu() const { return kernel->isa >= DN_ISA_CUDA; }

  /// "avx2", "sm_80".
  std::string level() const;
  /// The option of delta-run that runs it.
  std::string runOption() const;
  /// "recurrent at avx2", "matrix at amx, emulated".
  std::string text() const;
};

/// Some kernels, compiled by the real tool into a shared library for each list
/// of levels that they are for.
class CompiledKernels {
public:
  /// A compiler error is a failure of the running test and leaves no variants.
  explicit CompiledKernels(llvm::ArrayRef<KernelSpec> specs);
  explicit CompiledKernels(const KernelSpec &spec)
      : CompiledKernels(llvm::ArrayRef(spec)) {}

  /// Every kernel at every level of its own and for every GPU; without an
  /// emulator only at those levels that this machine executes.
  llvm::ArrayRef<Variant> variants() const & { return list; }
  llvm::ArrayRef<Variant> variants() const && = delete;

  /// Those of one kernel.
  std::vector<Variant> variants(llvm::StringRef name) const;

  /// Those that this machine executes.
  std::vector<Variant> nativeVariants() const;

private:
  void addLibrary(llvm::ArrayRef<KernelSpec> specs);
  void addVariants(const KernelSpec &spec, const dn_kernel_set &set,
                   const std::string &path);

  std::vector<verification::KernelLibrary> libraries;
  std::vector<Variant> list;
};

} // namespace mlir::deltanet::execution

#endif // DELTANET_TEST_EXECUTION_COMPILEDKERNELS_H
