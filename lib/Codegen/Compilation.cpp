//===- Compilation.cpp - From a rule to files -----------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Codegen/Compilation.h"
#include "deltanet/Codegen/EmitLibrary.h"
#include "deltanet/Codegen/EmitObject.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;
using namespace mlir::deltanet;

FailureOr<OwningOpRef<ModuleOp>>
mlir::deltanet::lowerForTarget(ModuleOp input, TargetAttr target,
                               const Lowering &lowering) {
  if (lowering.first != Stage::Rule &&
      failed(verifyInput(input, lowering.first)))
    return failure();
  OwningOpRef<ModuleOp> module = input.clone();
  (*module)->setAttr(DeltaNetDialect::kTargetAttr, target);
  CPUPipelineOptions options;
  options.schedule = lowering.schedule;
  for (const StageInfo &info : getStages()) {
    if (info.stage > lowering.last)
      break;
    if (info.stage < lowering.first ||
        (info.stage == lowering.first && info.stage != Stage::Rule))
      continue;
    PassManager manager(module->getContext());
    buildStage(manager, info.stage, options);
    if (failed(manager.run(*module)))
      return failure();
    if (lowering.observer && failed(lowering.observer(info.stage, *module)))
      return failure();
  }
  return module;
}

LogicalResult mlir::deltanet::makeArtifact(ArrayRef<ModuleOp> modules,
                                           Artifact artifact,
                                           StringRef producer, StringRef path,
                                           SmallVectorImpl<char> &out) {
  ModuleOp first = modules.front();
  auto report = [&] { return first.emitError(); };
  FailureOr<TargetAttr> target = getTarget(first);
  if (failed(target))
    return failure();
  llvm::LLVMContext context;
  LibraryOptions options;
  options.query = artifact == Artifact::SharedLibrary;
  options.producer = producer.str();
  FailureOr<std::unique_ptr<llvm::Module>> library =
      buildLibrary(modules, context, options);
  FailureOr<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(*target, report);
  if (failed(library) || failed(machine))
    return failure();
  optimizeLibrary(**library, **machine);
  if (artifact == Artifact::LLVMIR) {
    llvm::raw_svector_ostream os(out);
    (*library)->print(os, nullptr);
    return success();
  }

  SmallVector<char> object;
  bool text = artifact == Artifact::Assembly;
  // Assembly is checked through the object it stands for.
  if (text) {
    std::unique_ptr<llvm::Module> copy = llvm::CloneModule(**library);
    if (failed(emitMachineCode(*copy, **machine,
                               llvm::CodeGenFileType::AssemblyFile, out,
                               report)))
      return failure();
  }
  if (failed(emitMachineCode(**library, **machine,
                             llvm::CodeGenFileType::ObjectFile, object,
                             report)))
    return failure();
  llvm::MemoryBufferRef buffer(StringRef(object.data(), object.size()), path);
  if (failed(checkObject(buffer, report)))
    return failure();
  switch (artifact) {
  case Artifact::LLVMIR:
  case Artifact::Assembly:
    return success();
  case Artifact::Object:
    out.append(object);
    return success();
  case Artifact::StaticLibrary:
    return emitArchive(buffer, (llvm::sys::path::stem(path) + ".o").str(), out,
                       report);
  case Artifact::SharedLibrary:
    return linkSharedLibrary(buffer, target->getArch(), path, report);
  }
  llvm_unreachable("unknown artifact");
}
