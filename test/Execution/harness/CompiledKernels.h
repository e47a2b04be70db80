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

/// One kernel at one instruction set level, with what it was asked to be.
struct Variant {
  KernelSpec spec;
  const dn_kernel *kernel = nullptr;

  /// "recurrent at avx2".
  std::string text() const;
};

/// A shared library with some kernels, compiled by the real tool.
class CompiledKernels {
public:
  /// A compiler error is a failure of the running test and leaves no variants.
  explicit CompiledKernels(llvm::ArrayRef<KernelSpec> specs);
  explicit CompiledKernels(const KernelSpec &spec)
      : CompiledKernels(llvm::ArrayRef(spec)) {}

  /// Every kernel at every level that this machine executes.
  llvm::ArrayRef<Variant> variants() const & { return list; }
  llvm::ArrayRef<Variant> variants() const && = delete;

  /// Those of one kernel.
  std::vector<Variant> variants(llvm::StringRef name) const;

  /// The library's file.
  const std::string &path() const { return file; }

private:
  std::string file;
  std::optional<verification::KernelLibrary> library;
  std::vector<Variant> list;
};

} // namespace mlir::deltanet::execution

#endif // DELTANET_TEST_EXECUTION_COMPILEDKERNELS_H
