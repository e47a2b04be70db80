//===- delta-translate.cpp - IR to LLVM IR and to C headers ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CudaHome.h"
#include "FatalErrors.h"
#include "Version.h"
#include "deltanet/Codegen/AssemblePtx.h"
#include "deltanet/Codegen/EmitHeader.h"
#include "deltanet/Codegen/EmitPtx.h"
#include "deltanet/IR/ModuleLocation.h"
#include "deltanet/Pipelines/Registration.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace mlir::deltanet;

static llvm::cl::opt<std::string>
    chip("chip",
         llvm::cl::desc("Chip that nvvm-to-ptx makes PTX for (default: that of "
                        "the module's target)"),
         llvm::cl::value_desc("sm_NN"));

static llvm::cl::opt<std::string>
    cuda("cuda",
         llvm::cl::desc("CUDA toolkit with ptxas (default: that in PATH, or "
                        "else in CUDA_HOME)"),
         llvm::cl::value_desc("folder"));

/// PTX of a module, and the chip that it is for.
static LogicalResult makePtx(ModuleOp module, SmallVectorImpl<char> &ptx,
                             std::string &name) {
  locateImplicitModule(module);
  name = chip;
  if (name.empty()) {
    FailureOr<GpuTargetAttr> target = getGpuTarget(module);
    if (failed(target))
      return failure();
    name = stringifyChip(target->getChip());
  }
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, "deltanet");
  return success(translated && succeeded(emitPtx(*translated, name, ptx, [&] {
                   return module.emitError();
                 })));
}

static LogicalResult writePtx(ModuleOp module, raw_ostream &output) {
  SmallVector<char> ptx;
  std::string name;
  if (failed(makePtx(module, ptx, name)))
    return failure();
  output.write(ptx.data(), ptx.size());
  return success();
}

static LogicalResult writeCubin(ModuleOp module, raw_ostream &output) {
  SmallVector<char> ptx, cubin;
  SmallVector<KernelResources> resources;
  std::string name;
  auto report = [&] { return module.emitError(); };
  FailureOr<std::string> ptxas = findToolkit(cuda).require("ptxas", report);
  if (failed(ptxas) || failed(makePtx(module, ptx, name)) ||
      failed(assemblePtx({ptx.data(), ptx.size()}, name, *ptxas, cubin,
                         resources, report)))
    return failure();
  reportResources(module, name, resources);
  output.write(cubin.data(), cubin.size());
  return success();
}

static void registerTranslations() {
  auto dialects = [](DialectRegistry &registry) {
    registerDialects(registry);
    registerLLVMTranslations(registry);
  };
  static TranslateFromMLIRRegistration toLLVMIR(
      "mlir-to-llvmir", "a module at the stage llvm to LLVM IR",
      [](Operation *op, raw_ostream &output) -> LogicalResult {
        llvm::LLVMContext context;
        std::unique_ptr<llvm::Module> module =
            translateModuleToLLVMIR(op, context, "deltanet");
        if (!module)
          return failure();
        module->print(output, nullptr);
        return success();
      },
      dialects);
  static TranslateFromMLIRRegistration toPtx(
      "nvvm-to-ptx", "kernels in the dialects llvm and nvvm to PTX", writePtx,
      dialects);
  static TranslateFromMLIRRegistration toCubin(
      "nvvm-to-cubin",
      "the same to machine code of one chip, by ptxas; a remark a kernel tells "
      "what it takes",
      writeCubin, dialects);
  static TranslateFromMLIRRegistration toHeader(
      "deltanet-to-header", "a module at the stage llvm to its C header",
      [](ModuleOp module, raw_ostream &output) -> LogicalResult {
        locateImplicitModule(module);
        FailureOr<SmallVector<KernelVariant>> variants =
            getKernelVariants(module);
        if (failed(variants))
          return failure();
        emitHeader(output, "kernels.h", *variants);
        return success();
      },
      dialects);
}

int main(int argc, char **argv) {
  reportFatalErrors("delta-translate");
  setVersion("delta-translate");
  registerTranslations();
  return failed(
      mlirTranslateMain(argc, argv, "Delta-Net translation driver\n"));
}
