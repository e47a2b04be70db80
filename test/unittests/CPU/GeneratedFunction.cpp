//===- GeneratedFunction.cpp - Run what the target step makes -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "GeneratedFunction.h"
#include "deltanet/Codegen/EmitObject.h"
#include "deltanet/Codegen/KernelLibrary.h"
#include "deltanet/Pipelines/CPUPipeline.h"
#include "deltanet/Pipelines/Registration.h"
#include "deltanet/Target/Target.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace mlir;
using namespace mlir::deltanet;

static std::string functionText(StringRef in, StringRef out, int lanes,
                                StringRef body) {
  if (lanes == 0)
    return llvm::formatv(R"(
      func.func @f(%in: memref<?x{0}>, %out: memref<?x{1}>) {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %n = memref.dim %in, %c0 : memref<?x{0}>
        scf.for %i = %c0 to %n step %c1 {{
          %x = memref.load %in[%i] : memref<?x{0}>
          {2}
          memref.store %y, %out[%i] : memref<?x{1}>
        }
        return
      })",
                         in, out, body);
  return llvm::formatv(R"(
    func.func @f(%in: memref<?x{0}>, %out: memref<?x{1}>) {{
      %c0 = arith.constant 0 : index
      %step = arith.constant {2} : index
      %n = memref.dim %in, %c0 : memref<?x{0}>
      scf.for %i = %c0 to %n step %step {{
        %x = vector.load %in[%i] : memref<?x{0}>, vector<{2}x{0}>
        {3}
        vector.store %y, %out[%i] : memref<?x{1}>, vector<{2}x{1}>
      }
      return
    })",
                       in, out, lanes, body);
}

GeneratedFunction::GeneratedFunction(StringRef target, StringRef in,
                                     StringRef out, int lanes, StringRef body) {
  build(target, functionText(in, out, lanes, body));
}

void GeneratedFunction::build(StringRef target, StringRef text) {
  DialectRegistry registry;
  registerDialects(registry);
  registerLLVMTranslations(registry);
  context.appendDialectRegistry(registry);
  auto report = [&] { return emitError(UnknownLoc::get(&context)); };
  TargetAttr machine = *lookupTarget(&context, target, report);

  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  (*module)->setAttr(DeltaNetDialect::kTargetAttr, machine);
  PassManager passes(&context);
  CPUPipelineOptions options;
  buildStage(passes, Stage::Target, options);
  buildStage(passes, Stage::Llvm, options);
  ASSERT_TRUE(succeeded(passes.run(*module)));

  // Only the instructions of the level, whatever this machine has.
  TargetNames names = getTargetNames(machine);
  auto llvmMachine = createTargetMachine(machine, report);
  ASSERT_TRUE(succeeded(llvmMachine));
  auto translate = [&](Operation *op, llvm::LLVMContext &llvmContext) {
    auto result = translateModuleToLLVMIR(op, llvmContext);
    for (llvm::Function &f : *result) {
      f.addFnAttr("target-cpu", names.cpu);
      f.addFnAttr("target-features", names.features);
      f.addFnAttr("no-builtins");
    }
    return result;
  };
  auto optimize = [&](llvm::Module *llvmModule) {
    optimizeLibrary(*llvmModule, **llvmMachine);
    return llvm::Error::success();
  };
  ExecutionEngineOptions engineOptions;
  engineOptions.llvmModuleBuilder = translate;
  engineOptions.transformer = optimize;
  engineOptions.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  auto created = ExecutionEngine::create(*module, engineOptions);
  ASSERT_TRUE(bool(created)) << llvm::toString(created.takeError());
  engine = std::move(*created);
  auto symbol = engine->lookup("f");
  ASSERT_TRUE(bool(symbol)) << llvm::toString(symbol.takeError());
  function = reinterpret_cast<decltype(function)>(*symbol);
}

bool GeneratedFunction::runs(StringRef target) {
  MLIRContext context;
  context.loadDialect<DeltaNetDialect>();
  auto report = [&] { return emitError(UnknownLoc::get(&context)); };
  TargetAttr wanted = *lookupTarget(&context, target, report);
  FailureOr<TargetAttr> host = getHostTarget(&context, report);
  return succeeded(host) && host->getArch() == wanted.getArch() &&
         host->getIsa() >= wanted.getIsa();
}

void GeneratedFunction::run(const void *in, void *out, int64_t count) {
#if defined(__x86_64__)
  unsigned saved = _mm_getcsr();
  _mm_setcsr(saved | 0x8040);
  function(in, in, 0, count, 1, out, out, 0, count, 1);
  _mm_setcsr(saved);
#else
  function(in, in, 0, count, 1, out, out, 0, count, 1);
#endif
}
