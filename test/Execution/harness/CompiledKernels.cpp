//===- CompiledKernels.cpp - Kernels made by delta-compile ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CompiledKernels.h"
#include "Tools.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

std::string Variant::text() const {
  return llvm::formatv("{0} at {1}", spec.name, dn_isa_name(kernel->isa));
}

CompiledKernels::CompiledKernels(llvm::ArrayRef<KernelSpec> specs) {
  std::string text;
  for (const KernelSpec &spec : specs)
    text += spec.toMlir();
  std::optional<std::string> compiled = compileLibrary(text);
  if (!compiled)
    return;
  file = std::move(*compiled);
  llvm::Expected<KernelLibrary> opened = KernelLibrary::open(file);
  if (!opened) {
    ADD_FAILURE() << llvm::toString(opened.takeError());
    return;
  }
  library.emplace(std::move(*opened));
  for (const KernelSpec &spec : specs) {
    llvm::Expected<const dn_kernel_set *> set = library->find(spec.name);
    if (!set) {
      ADD_FAILURE() << llvm::toString(set.takeError());
      continue;
    }
    for (uint32_t i = 0; i < (*set)->variant_count; ++i) {
      const dn_kernel *kernel = (*set)->variants[i];
      if (dn_isa_check(kernel->isa, nullptr, 0) == DN_OK)
        list.push_back({spec, kernel});
    }
  }
}

std::vector<Variant> CompiledKernels::variants(llvm::StringRef name) const {
  std::vector<Variant> some;
  for (const Variant &variant : list)
    if (variant.spec.name == name)
      some.push_back(variant);
  return some;
}
