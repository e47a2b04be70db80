//===- KernelLibrary.cpp - Kernel variants as one LLVM module -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Codegen/KernelLibrary.h"
#include "deltanet-c/kernel_abi.h"
#include "deltanet/Target/Target.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// The exported constants of a library: what kernel_abi.h declares, as LLVM
/// constants.
class ExportBuilder {
public:
  explicit ExportBuilder(llvm::Module &module)
      : module(module), context(module.getContext()),
        pointer(llvm::PointerType::getUnqual(context)) {}

  /// dn_NAME: the variants of one kernel, given from the highest level down.
  llvm::Constant *addSet(StringRef kernel,
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

  /// dn_query and the dn_library it returns.
  void addQuery(ArrayRef<llvm::Constant *> sets, StringRef producer) {
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
    auto *query = llvm::Function::Create(
        llvm::FunctionType::get(pointer, false),
        llvm::GlobalValue::ExternalLinkage, "dn_query", module);
    query->addFnAttr(llvm::Attribute::NoUnwind);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", query));
    builder.CreateRet(library);
  }

private:
  llvm::Constant *integer(unsigned bits, uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getIntNTy(context, bits), value);
  }

  llvm::GlobalVariable *internal(const Twine &name, llvm::Constant *value) {
    return new llvm::GlobalVariable(module, value->getType(), true,
                                    llvm::GlobalValue::InternalLinkage, value,
                                    name);
  }

  llvm::Constant *text(StringRef value) {
    auto *global =
        internal("text", llvm::ConstantDataArray::getString(context, value));
    global->setLinkage(llvm::GlobalValue::PrivateLinkage);
    global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    return global;
  }

  llvm::Constant *array(const Twine &name, ArrayRef<llvm::Constant *> values) {
    auto *type = llvm::ArrayType::get(pointer, values.size());
    return internal(name, llvm::ConstantArray::get(type, values));
  }

  llvm::GlobalVariable *constant(const Twine &name,
                                 ArrayRef<llvm::Constant *> fields) {
    return internal(name, llvm::ConstantStruct::getAnon(context, fields));
  }

  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::PointerType *pointer;
};

} // namespace

/// A kernel runs on every machine of its level, so its functions may assume no
/// other one; the code generator aborts where it does not know the name.
static LogicalResult verifyMachine(ModuleOp module, llvm::Module &translated) {
  FailureOr<TargetAttr> target = getTarget(module);
  if (failed(target))
    return failure();
  TargetNames names = getTargetNames(*target);
  for (llvm::Function &function : translated) {
    if (function.isDeclaration())
      continue;
    for (auto [attribute, expected] : {std::pair{"target-cpu", names.cpu},
                                       {"target-features", names.features},
                                       {"tune-cpu", names.tuneCpu}}) {
      StringRef got = function.getFnAttribute(attribute).getValueAsString();
      if (got == expected)
        continue;
      Operation *op = SymbolTable::lookupSymbolIn(module, function.getName());
      return emitError(op ? op->getLoc() : module.getLoc())
             << "expected " << attribute << " '" << expected
             << "', as deltanet.target says, got '" << got << "'";
    }
  }
  return success();
}

void mlir::deltanet::registerLLVMTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

FailureOr<std::unique_ptr<llvm::Module>>
mlir::deltanet::buildLibrary(ArrayRef<ModuleOp> modules,
                             llvm::LLVMContext &context,
                             const LibraryOptions &options) {
  // Highest level first, as dn_kernel_set wants them.
  SmallVector<std::pair<ModuleOp, SmallVector<KernelVariant>>> levels;
  for (ModuleOp module : modules) {
    FailureOr<SmallVector<KernelVariant>> variants = getKernelVariants(module);
    if (failed(variants))
      return failure();
    levels.push_back({module, std::move(*variants)});
  }
  llvm::sort(levels, [](const auto &a, const auto &b) {
    return a.second.front().level.isa > b.second.front().level.isa;
  });

  auto library = std::make_unique<llvm::Module>("deltanet", context);
  llvm::Linker linker(*library);
  std::map<std::string, SmallVector<llvm::Constant *>> sets;
  SmallVector<std::string> order;
  for (auto &[module, variants] : levels) {
    std::unique_ptr<llvm::Module> translated =
        translateModuleToLLVMIR(module, context, "deltanet");
    if (!translated)
      return module.emitError("expected a module of the LLVM dialect");
    if (failed(verifyMachine(module, *translated)))
      return failure();
    if (linker.linkInModule(std::move(translated)))
      return module.emitError("expected a module that links with the other "
                              "instruction set levels");
    for (const KernelVariant &variant : variants) {
      auto &set = sets[variant.kernel];
      if (set.empty())
        order.push_back(variant.kernel);
      std::string name = abi::getDescriptorName(variant.kernel, variant.level);
      llvm::GlobalVariable *descriptor = library->getNamedGlobal(name);
      // The linker leaves out what it may.
      if (!descriptor)
        return module.emitError("expected the descriptor '")
               << name << "' with a linkage that keeps it";
      set.push_back(descriptor);
    }
  }

  for (llvm::GlobalValue &value : library->global_values())
    if (!value.isDeclaration()) {
      value.setVisibility(llvm::GlobalValue::DefaultVisibility);
      value.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  ExportBuilder exports(*library);
  SmallVector<llvm::Constant *> all;
  for (const std::string &kernel : order) {
    if (sets[kernel].size() != modules.size())
      return emitError(ModuleOp(modules.front()).getLoc())
             << "expected the kernel '" << kernel << "' once in each of "
             << modules.size() << " modules, got it " << sets[kernel].size()
             << " times";
    all.push_back(exports.addSet(kernel, sets[kernel]));
  }
  if (options.query)
    exports.addQuery(all, options.producer);
  library->setPICLevel(llvm::PICLevel::BigPIC);
  return library;
}
