//===- LibraryConstants.h - Constants of the C ABI in LLVM IR -------------===//
//
// Part of the Delta-Net project.
//
// What kernel_abi.h declares and only a finished library knows.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_CODEGEN_LIBRARYCONSTANTS_H
#define DELTANET_LIB_CODEGEN_LIBRARYCONSTANTS_H

#include "deltanet/Codegen/DeviceImage.h"
#include "llvm/IR/Module.h"

namespace mlir::deltanet {

class LibraryConstants {
public:
  explicit LibraryConstants(llvm::Module &module)
      : module(module), context(module.getContext()),
        pointer(llvm::PointerType::getUnqual(context)) {}

  /// dn_NAME: the variants of one kernel, given from the highest level down.
  llvm::Constant *addSet(StringRef kernel, ArrayRef<llvm::Constant *> variants);

  /// dn_query and the dn_library it returns.
  void addQuery(ArrayRef<llvm::Constant *> sets, StringRef producer);

  /// A dn_cuda_code in place of its declaration, with copies of the images.
  void defineCode(llvm::GlobalVariable *declaration, llvm::Constant *stages,
                  Chip chip, const DeviceImage &image);

private:
  llvm::Constant *integer(unsigned bits, uint64_t value);
  llvm::GlobalVariable *internal(const Twine &name, llvm::Constant *value);
  llvm::Constant *text(StringRef value);
  llvm::Constant *array(const Twine &name, ArrayRef<llvm::Constant *> values);
  llvm::GlobalVariable *constant(const Twine &name,
                                 ArrayRef<llvm::Constant *> fields);
  llvm::Constant *bytes(const Twine &name, ArrayRef<char> value, bool isText);

  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::PointerType *pointer;
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_CODEGEN_LIBRARYCONSTANTS_H
