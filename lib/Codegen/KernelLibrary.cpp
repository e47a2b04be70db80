//===- KernelLibrary.cpp - Kernel variants as one LLVM module -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Codegen/KernelLibrary.h"
#include "LibraryConstants.h"
#include "deltanet/Target/Target.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"

using namespace mlir;
using namespace mlir::deltanet;

/// A kernel runs on every machine of its level, so its functions may assume no
/// other one; the code generator aborts where it does not know the name. What a
/// CPU does for a GPU says nothing of it.
static LogicalResult setMachine(ModuleOp module, llvm::Module &translated,
                                const TargetNames &names, bool isForGpu) {
  for (llvm::Function &function : translated) {
    if (function.isDeclaration())
      continue;
    for (auto [attribute, expected] : {std::pair{"target-cpu", names.cpu},
                                       {"target-features", names.features},
                                       {"tune-cpu", names.tuneCpu}}) {
      StringRef got = function.getFnAttribute(attribute).getValueAsString();
      if (isForGpu && got.empty() && !expected.empty()) {
        function.addFnAttr(attribute, expected);
        continue;
      }
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

/// Gives a variant for a GPU the images of its code.
static LogicalResult addImages(ModuleOp module, llvm::Module &translated,
                               const KernelVariant &variant,
                               GpuTargetAttr target,
                               const DeviceOptions &options) {
  std::string name = abi::getDescriptorName(variant.kernel, variant.level);
  auto find = [&](StringRef suffix, bool isDefined) -> llvm::GlobalVariable * {
    llvm::GlobalVariable *global =
        translated.getNamedGlobal((name + suffix).str());
    if (global && global->isDeclaration() != isDefined)
      return global;
    module.emitError("expected the ")
        << (isDefined ? "constant '" : "declaration '") << name << suffix
        << "' of a kernel for a GPU, got " << (global ? "another" : "none");
    return nullptr;
  };
  llvm::GlobalVariable *code = find(".cuda", /*isDefined=*/false);
  if (!code)
    return failure();
  llvm::GlobalVariable *stages = find(".stages", /*isDefined=*/true);
  if (!stages)
    return failure();
  FailureOr<ModuleOp> device = findDeviceModule(module, variant.kernel);
  if (failed(device))
    return failure();
  FailureOr<DeviceImage> image = makeDeviceImage(*device, target, options);
  if (failed(image))
    return failure();
  LibraryConstants(translated)
      .defineCode(code, stages, target.getChip(), *image);
  return success();
}

/// LLVM IR of a module, for the machine of its target, or for any of the
/// architecture where that is a GPU.
static FailureOr<std::unique_ptr<llvm::Module>>
translateLevel(ModuleOp module, ArrayRef<KernelVariant> variants,
               llvm::LLVMContext &context, const LibraryOptions &options) {
  FailureOr<Attribute> target = getCpuOrGpuTarget(module);
  if (failed(target))
    return failure();
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, "deltanet");
  if (!translated)
    return module.emitError("expected a module of the LLVM dialect");
  auto gpu = dyn_cast<GpuTargetAttr>(*target);
  TargetAttr machine = gpu ? getBaseline(module.getContext(), options.arch)
                           : cast<TargetAttr>(*target);
  if (failed(setMachine(module, *translated, getTargetNames(machine), !!gpu)))
    return failure();
  if (gpu)
    for (const KernelVariant &variant : variants)
      if (failed(addImages(module, *translated, variant, gpu, options.device)))
        return failure();
  return translated;
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
    FailureOr<std::unique_ptr<llvm::Module>> translated =
        translateLevel(module, variants, context, options);
    if (failed(translated))
      return failure();
    if (linker.linkInModule(std::move(*translated)))
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
  LibraryConstants exports(*library);
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
