//===- EmitPtx.cpp - LLVM IR to PTX ---------------------------------------===//
//
// Part of the Delta-Net project.
//
// Upstream's path through gpu.module asks for a version of PTX by hand and ends
// the process where it is too low; with no features named, the code generator
// takes the least that the chip needs.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Codegen/EmitPtx.h"
#include "deltanet/Codegen/EmitObject.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace mlir;
using namespace mlir::deltanet;

static constexpr unsigned kSharedAddressSpace = 3;

static FailureOr<std::unique_ptr<llvm::TargetMachine>>
createGpuMachine(StringRef chip, EmitErrorFn emitError) {
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return emitError() << "expected an LLVM with the target " << triple.str()
                       << ": " << message;
  std::unique_ptr<llvm::MCSubtargetInfo> chips(
      target->createMCSubtargetInfo(triple, /*CPU=*/"", /*Features=*/""));
  if (!chip.starts_with("sm_") || !chips->isCPUStringValid(chip))
    return emitError() << "expected a chip that LLVM knows, such as sm_80 or "
                          "sm_90a, got '"
                       << chip << "'";
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, chip, /*Features=*/"", llvm::TargetOptions(), llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

static bool isKernel(const llvm::Function &function) {
  return function.getCallingConv() == llvm::CallingConv::PTX_Kernel &&
         !function.isDeclaration();
}

/// `.extern .shared x[]`: it begins after what the kernel itself declares.
static bool isDynamicShared(const llvm::GlobalVariable &variable) {
  return variable.getAddressSpace() == kSharedAddressSpace &&
         variable.getValueType()->isArrayTy() &&
         variable.getValueType()->getArrayNumElements() == 0;
}

LogicalResult mlir::deltanet::emitPtx(llvm::Module &module, StringRef chip,
                                      SmallVectorImpl<char> &out,
                                      EmitErrorFn emitError) {
  FailureOr<std::unique_ptr<llvm::TargetMachine>> machine =
      createGpuMachine(chip, emitError);
  if (failed(machine))
    return failure();
  if (llvm::none_of(module, isKernel))
    return emitError() << "expected a function with nvvm.kernel, got none";
  for (const llvm::Function &function : module)
    if (isKernel(function) && !function.getReturnType()->isVoidTy())
      return emitError() << "expected kernels without results, got one of '"
                         << function.getName() << "'";
  for (llvm::GlobalVariable &variable : module.globals())
    if (isDynamicShared(variable)) {
      variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
      variable.setInitializer(nullptr);
    }
  llvm::internalizeModule(module, [](const llvm::GlobalValue &value) {
    auto *function = dyn_cast<llvm::Function>(&value);
    return function && isKernel(*function);
  });
  optimizeLibrary(module, **machine);
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty())
      return emitError() << "expected kernels without calls, got one of '"
                         << function.getName() << "'";
  return emitMachineCode(module, **machine, llvm::CodeGenFileType::AssemblyFile,
                         out, emitError);
}
