//===- KernelLibrary.h - Kernel variants as one LLVM module ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_CODEGEN_KERNELLIBRARY_H
#define DELTANET_CODEGEN_KERNELLIBRARY_H

#include "deltanet/ABI/Level.h"
#include "deltanet/Codegen/DeviceImage.h"
#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir::deltanet {

/// One variant of a kernel, as a module at the stage `llvm` tells it.
struct KernelVariant {
  std::string kernel; ///< its name
  abi::Level level;
  KernelAttr facts;
  SmallVector<Role> roles; ///< of its arguments, in order
};

/// The kernel variants of a module at the stage `llvm`, in its order. Errors:
/// no kernel, or a descriptor that does not go with the module's target.
FailureOr<SmallVector<KernelVariant>> getKernelVariants(ModuleOp module);

/// Makes the dialects of the stage `llvm`, on CPUs and GPUs, translatable to
/// LLVM IR.
void registerLLVMTranslations(DialectRegistry &registry);

struct LibraryOptions {
  /// Also export dn_query, for a shared library.
  bool query = false;
  /// What made the library, e.g. "delta-compile 0.1.0, LLVM 22.1.8".
  std::string producer;
  /// Of what CPUs do for the variants for GPUs, on any machine of it.
  Arch arch = Arch::X86_64;
  DeviceOptions device;
};

/// Translates modules at the stage `llvm`, one an instruction set level of one
/// architecture or a kind of GPU, with the images of its code, and links them
/// into one LLVM module. It exports one `const dn_kernel_set dn_NAME` a kernel,
/// its variants from the highest level down, and is otherwise internal. Errors:
/// those of getKernelVariants and makeDeviceImage, functions for another
/// machine than their module's target, a level twice, modules that hold
/// different kernels.
FailureOr<std::unique_ptr<llvm::Module>>
buildLibrary(ArrayRef<ModuleOp> modules, llvm::LLVMContext &context,
             const LibraryOptions &options);

} // namespace mlir::deltanet

#endif // DELTANET_CODEGEN_KERNELLIBRARY_H
