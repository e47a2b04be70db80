//===- EmitObject.cpp - LLVM IR to machine code ---------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Codegen/EmitObject.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::deltanet;

namespace {

/// Turns what LLVM says into errors: the first one is kept.
struct ErrorCollector : llvm::DiagnosticHandler {
  explicit ErrorCollector(std::string &message) : message(message) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    bool tooMuchStack = info.getKind() == llvm::DK_StackSize;
    if ((info.getSeverity() == llvm::DS_Error || tooMuchStack) &&
        message.empty()) {
      llvm::raw_string_ostream os(message);
      llvm::DiagnosticPrinterRawOStream printer(os);
      info.print(printer);
    }
    return true;
  }

  std::string &message;
};

/// Nothing may become a call of the C library.
llvm::TargetLibraryInfoImpl noLibrary(const llvm::Triple &triple) {
  llvm::TargetLibraryInfoImpl library(triple);
  library.disableAllFunctions();
  return library;
}

void initializeTargets() {
  static const bool once = [] {
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    return true;
  }();
  (void)once;
}

} // namespace

FailureOr<std::unique_ptr<llvm::TargetMachine>>
mlir::deltanet::createTargetMachine(TargetAttr target, EmitErrorFn emitError) {
  initializeTargets();
  llvm::Triple triple(getTargetNames(target).triple);
  std::string message;
  const llvm::Target *found =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!found)
    return emitError() << "expected an LLVM with the target " << triple.str()
                       << ": " << message;
  return std::unique_ptr<llvm::TargetMachine>(found->createTargetMachine(
      triple, "generic", "", llvm::TargetOptions(), llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

void mlir::deltanet::optimizeLibrary(llvm::Module &module,
                                     llvm::TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  functions.registerPass([&] {
    return llvm::TargetLibraryAnalysis(noLibrary(machine.getTargetTriple()));
  });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

LogicalResult mlir::deltanet::emitMachineCode(llvm::Module &module,
                                              llvm::TargetMachine &machine,
                                              llvm::CodeGenFileType kind,
                                              SmallVectorImpl<char> &out,
                                              EmitErrorFn emitError) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("warn-stack-size", llvm::utostr(kStackLimit));
  llvm::raw_svector_ostream os(out);
  llvm::legacy::PassManager passes;
  passes.add(new llvm::TargetLibraryInfoWrapperPass(
      noLibrary(machine.getTargetTriple())));
  if (machine.addPassesToEmitFile(passes, os, nullptr, kind))
    return emitError() << "expected a target that can emit this kind of file";
  std::string message;
  module.getContext().setDiagnosticHandler(
      std::make_unique<ErrorCollector>(message));
  passes.run(module);
  if (!message.empty())
    return emitError() << "code generation: " << message;
  return success();
}

LogicalResult mlir::deltanet::checkObject(llvm::MemoryBufferRef object,
                                          EmitErrorFn emitError) {
  auto fail = [&](llvm::Error error) {
    return emitError() << "expected a readable object, got "
                       << llvm::toString(std::move(error));
  };
  auto file = llvm::object::ObjectFile::createObjectFile(object);
  if (!file)
    return fail(file.takeError());
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<StringRef> name = symbol.getName();
    if (!flags)
      return fail(flags.takeError());
    if (!name)
      return fail(name.takeError());
    using llvm::object::SymbolRef;
    if ((*flags & SymbolRef::SF_Undefined) && !name->empty())
      return emitError() << "expected kernels without calls, got one of '"
                         << *name << "'";
    if ((*flags & SymbolRef::SF_Global) && !name->starts_with("dn_"))
      return emitError() << "expected to export only names that begin with "
                            "dn_, got '"
                         << *name << "'";
  }
  return success();
}
