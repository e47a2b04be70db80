//===- LibraryConstants.cpp - Constants of the C ABI in LLVM IR -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "LibraryConstants.h"
#include "deltanet-c/kernel_abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

using namespace mlir;
using namespace mlir::deltanet;

llvm::Constant *LibraryConstants::addSet(StringRef kernel,
                                         ArrayRef<llvm::Constant *> variants) {
  llvm::Constant *fields[] = {integer(32, sizeof(dn_kernel_set)),
                              integer(32, variants.size()), text(kernel),
                              array((kernel + ".variants").str(), variants)};
  static_assert(offsetof(dn_kernel_set, variant_count) == 4 &&
                offsetof(dn_kernel_set, name) == 8 &&
                offsetof(dn_kernel_set, variants) == 16 &&
                sizeof(dn_kernel_set) == 24);
  auto *set = constant(("dn_" + kernel).str(), fields);
  set->setLinkage(llvm::GlobalValue::ExternalLinkage);
  return set;
}

void LibraryConstants::addQuery(ArrayRef<llvm::Constant *> sets,
                                StringRef producer) {
  llvm::Constant *fields[] = {integer(32, sizeof(dn_library)),
                              integer(16, DN_ABI_MAJOR),
                              integer(16, DN_ABI_MINOR),
                              integer(32, sets.size()),
                              integer(32, 0),
                              array("library.kernels", sets),
                              text(producer)};
  static_assert(offsetof(dn_library, abi_major) == 4 &&
                offsetof(dn_library, kernel_count) == 8 &&
                offsetof(dn_library, kernels) == 16 &&
                offsetof(dn_library, producer) == 24 &&
                sizeof(dn_library) == 32);
  llvm::Constant *library = constant("library", fields);
  auto *query = llvm::Function::Create(llvm::FunctionType::get(pointer, false),
                                       llvm::GlobalValue::ExternalLinkage,
                                       "dn_query", module);
  query->addFnAttr(llvm::Attribute::NoUnwind);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", query));
  builder.CreateRet(library);
}

void LibraryConstants::defineCode(llvm::GlobalVariable *declaration,
                                  llvm::Constant *stages, Chip chip,
                                  const DeviceImage &image) {
  std::string name = declaration->getName().str();
  bool only = stringifyChip(chip).ends_with("a");
  llvm::Constant *cubin = llvm::ConstantPointerNull::get(pointer);
  if (!image.cubin.empty())
    cubin = bytes(name + ".cubin", image.cubin, /*isText=*/false);
  llvm::Constant *fields[] = {integer(32, sizeof(dn_cuda_code)),
                              integer(32, static_cast<uint32_t>(chip)),
                              integer(32, only),
                              integer(32, sizeof(dn_args)),
                              stages,
                              bytes(name + ".ptx", image.ptx, /*isText=*/true),
                              integer(64, image.ptx.size() + 1),
                              cubin,
                              integer(64, image.cubin.size())};
  static_assert(
      offsetof(dn_cuda_code, chip) == 4 && offsetof(dn_cuda_code, only) == 8 &&
      offsetof(dn_cuda_code, args_size) == 12 &&
      offsetof(dn_cuda_code, stages) == 16 &&
      offsetof(dn_cuda_code, ptx) == 24 &&
      offsetof(dn_cuda_code, ptx_bytes) == 32 &&
      offsetof(dn_cuda_code, cubin) == 40 &&
      offsetof(dn_cuda_code, cubin_bytes) == 48 && sizeof(dn_cuda_code) == 56);
  llvm::GlobalVariable *code = constant("", fields);
  code->takeName(declaration);
  declaration->replaceAllUsesWith(code);
  declaration->eraseFromParent();
}

llvm::Constant *LibraryConstants::integer(unsigned bits, uint64_t value) {
  return llvm::ConstantInt::get(llvm::Type::getIntNTy(context, bits), value);
}

llvm::GlobalVariable *LibraryConstants::internal(const Twine &name,
                                                 llvm::Constant *value) {
  return new llvm::GlobalVariable(module, value->getType(), true,
                                  llvm::GlobalValue::InternalLinkage, value,
                                  name);
}

llvm::Constant *LibraryConstants::text(StringRef value) {
  auto *global =
      internal("text", llvm::ConstantDataArray::getString(context, value));
  global->setLinkage(llvm::GlobalValue::PrivateLinkage);
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return global;
}

llvm::Constant *LibraryConstants::array(const Twine &name,
                                        ArrayRef<llvm::Constant *> values) {
  auto *type = llvm::ArrayType::get(pointer, values.size());
  return internal(name, llvm::ConstantArray::get(type, values));
}

llvm::GlobalVariable *
LibraryConstants::constant(const Twine &name,
                           ArrayRef<llvm::Constant *> fields) {
  return internal(name, llvm::ConstantStruct::getAnon(context, fields));
}

llvm::Constant *LibraryConstants::bytes(const Twine &name, ArrayRef<char> value,
                                        bool isText) {
  auto *global = internal(name, llvm::ConstantDataArray::getString(
                                    context, {value.data(), value.size()},
                                    /*AddNull=*/isText));
  global->setAlignment(llvm::Align(16));
  return global;
}
