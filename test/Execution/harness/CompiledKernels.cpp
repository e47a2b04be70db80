//===- CompiledKernels.cpp - Kernels made by delta-compile ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CompiledKernels.h"
#include "Tools.h"
#include "deltanet/Emulation/X86/Machine.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <iostream>
#include <set>

using namespace mlir::deltanet;
using namespace mlir::deltanet::execution;
using namespace mlir::deltanet::verification;

std::string Variant::level() const {
  if (!isForGpu())
    return dn_isa_name(kernel->isa);
  return llvm::formatv("sm_{0}{1}", kernel->cuda->chip,
                       kernel->cuda->only ? "a" : "");
}

std::string Variant::runOption() const {
  if (isForGpu())
    return "--device=sim:" + level();
  return (isNative ? "--isa=" : "--emulate=") + level();
}

std::string Variant::text() const {
  const char *where = isNative ? "" : isForGpu() ? ", simulated" : ", emulated";
  return spec.name + " at " + level() + where;
}

bool execution::hasEmulator() {
  return llvm::sys::fs::exists(emulation::Machine::bochsPath());
}

/// Says once what becomes of a level that this machine lacks.
static void tell(uint32_t isa, llvm::StringRef reason) {
  static std::set<uint32_t> told;
  if (told.insert(isa).second)
    std::cout << dn_isa_name(isa) << ": "
              << (hasEmulator() ? "emulated, " : "not run without emulator, ")
              << reason.str() << std::endl;
}

CompiledKernels::CompiledKernels(llvm::ArrayRef<KernelSpec> specs) {
  llvm::MapVector<llvm::StringRef, std::vector<KernelSpec>> byLevels;
  for (const KernelSpec &spec : specs)
    byLevels[spec.levels].push_back(spec);
  for (const auto &[levels, some] : byLevels)
    addLibrary(some);
}

void CompiledKernels::addLibrary(llvm::ArrayRef<KernelSpec> specs) {
  std::string text;
  for (const KernelSpec &spec : specs)
    text += spec.toMlir();
  std::optional<std::string> file = compileLibrary(text, specs.front().levels);
  if (!file)
    return;
  llvm::Expected<KernelLibrary> opened = KernelLibrary::open(*file);
  if (!opened) {
    ADD_FAILURE() << llvm::toString(opened.takeError());
    return;
  }
  for (const KernelSpec &spec : specs) {
    llvm::Expected<const dn_kernel_set *> set = opened->find(spec.name);
    if (set)
      addVariants(spec, **set, *file);
    else
      ADD_FAILURE() << llvm::toString(set.takeError());
  }
  libraries.push_back(std::move(*opened));
}

void CompiledKernels::addVariants(const KernelSpec &spec,
                                  const dn_kernel_set &set,
                                  const std::string &path) {
  for (uint32_t i = 0; i < set.variant_count; ++i) {
    const dn_kernel *kernel = set.variants[i];
    if (kernel->isa >= DN_ISA_CUDA) {
      list.push_back({spec, kernel, path, /*isNative=*/false, &set});
      continue;
    }
    char reason[DN_MESSAGE_BYTES];
    bool isNative = dn_isa_check(kernel->isa, reason, sizeof(reason)) == DN_OK;
    if (!isNative)
      tell(kernel->isa, reason);
    if (isNative || hasEmulator())
      list.push_back({spec, kernel, path, isNative});
  }
}

std::vector<Variant> CompiledKernels::variants(llvm::StringRef name) const {
  std::vector<Variant> some;
  for (const Variant &variant : list)
    if (variant.spec.name == name)
      some.push_back(variant);
  return some;
}

std::vector<Variant> CompiledKernels::nativeVariants() const {
  std::vector<Variant> some;
  for (const Variant &variant : list)
    if (variant.isNative)
      some.push_back(variant);
  return some;
}
