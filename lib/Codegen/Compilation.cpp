//===- Compilation.cpp - From a rule to files -----------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Codegen/Compilation.h"
#include "deltanet/Codegen/DeviceArtifact.h"
#include "deltanet/Codegen/EmitLibrary.h"
#include "deltanet/Codegen/EmitObject.h"
#include "deltanet/Pipelines/GPUPipeline.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;
using namespace mlir::deltanet;

/// Error: modules for the processor of this one do not come by the stage.
static LogicalResult checkHasStage(ModuleOp module, Stage stage) {
  Processor processor = getProcessor(module);
  if (hasStage(stage, processor))
    return success();
  Processor other =
      processor == Processor::CPU ? Processor::GPU : Processor::CPU;
  auto names = llvm::map_range(getStages(processor),
                               [](const StageInfo &info) { return info.name; });
  return module.emitError("expected one of the stages ")
         << llvm::join(names, ", ") << " of the target, got "
         << getStageInfo(stage, other).name;
}

FailureOr<OwningOpRef<ModuleOp>>
mlir::deltanet::lowerForTarget(ModuleOp input, Attribute target,
                               const Lowering &lowering) {
  OwningOpRef<ModuleOp> module = input.clone();
  (*module)->setAttr(DeltaNetDialect::kTargetAttr, target);
  if (failed(checkHasStage(*module, lowering.first)) ||
      failed(checkHasStage(*module, lowering.last)))
    return failure();
  Processor processor = getProcessor(*module);
  if (lowering.first != Stage::Rule &&
      failed(verifyInput(*module, lowering.first)))
    return failure();
  CPUPipelineOptions options;
  options.schedule = lowering.schedule;
  for (const StageInfo &info : getStages(processor)) {
    if (info.stage > lowering.last)
      break;
    if (info.stage < lowering.first ||
        (info.stage == lowering.first && info.stage != Stage::Rule))
      continue;
    PassManager manager(module->getContext());
    if (processor == Processor::GPU)
      buildGpuStage(manager, info.stage, options);
    else
      buildStage(manager, info.stage, options);
    if (failed(manager.run(*module)))
      return failure();
    if (lowering.observer && failed(lowering.observer(info.stage, *module)))
      return failure();
  }
  return module;
}

bool mlir::deltanet::isForGpus(Artifact artifact) {
  return artifact == Artifact::Ptx || artifact == Artifact::Cubin ||
         artifact == Artifact::FatBinary;
}

/// The architecture of the first module for CPUs.
static Arch findArch(ArrayRef<ModuleOp> modules, Arch otherwise) {
  for (ModuleOp module : modules)
    if (auto target =
            module->getAttrOfType<TargetAttr>(DeltaNetDialect::kTargetAttr))
      return target.getArch();
  return otherwise;
}

/// An artifact of a library's LLVM IR.
static LogicalResult makeLibraryArtifact(llvm::Module &library,
                                         llvm::TargetMachine &machine,
                                         Artifact artifact, Arch arch,
                                         StringRef path, EmitErrorFn report,
                                         SmallVectorImpl<char> &out) {
  SmallVector<char> object;
  // Assembly is checked through the object it stands for.
  if (artifact == Artifact::Assembly) {
    std::unique_ptr<llvm::Module> copy = llvm::CloneModule(library);
    if (failed(emitMachineCode(
            *copy, machine, llvm::CodeGenFileType::AssemblyFile, out, report)))
      return failure();
  }
  if (failed(emitMachineCode(
          library, machine, llvm::CodeGenFileType::ObjectFile, object, report)))
    return failure();
  llvm::MemoryBufferRef buffer(StringRef(object.data(), object.size()), path);
  if (failed(checkObject(buffer, report)))
    return failure();
  if (artifact == Artifact::StaticLibrary)
    return emitArchive(buffer, (llvm::sys::path::stem(path) + ".o").str(), out,
                       report);
  if (artifact == Artifact::SharedLibrary)
    return linkSharedLibrary(buffer, arch, path, report);
  if (artifact == Artifact::Object)
    out.append(object);
  return success();
}

static LogicalResult makeLibrary(ArrayRef<ModuleOp> modules, Artifact artifact,
                                 const ArtifactOptions &options,
                                 SmallVectorImpl<char> &out) {
  ModuleOp first = modules.front();
  auto report = [&] { return first.emitError(); };
  llvm::LLVMContext context;
  LibraryOptions library;
  library.query = artifact == Artifact::SharedLibrary;
  library.producer = options.producer;
  library.arch = findArch(modules, options.arch);
  library.device = options.device;
  FailureOr<std::unique_ptr<llvm::Module>> made =
      buildLibrary(modules, context, library);
  FailureOr<std::unique_ptr<llvm::TargetMachine>> machine = createTargetMachine(
      getBaseline(first.getContext(), library.arch), report);
  if (failed(made) || failed(machine))
    return failure();
  optimizeLibrary(**made, **machine);
  if (artifact == Artifact::LLVMIR) {
    llvm::raw_svector_ostream os(out);
    (*made)->print(os, nullptr);
    return success();
  }
  return makeLibraryArtifact(**made, **machine, artifact, library.arch,
                             options.path, report, out);
}

LogicalResult mlir::deltanet::makeArtifact(ArrayRef<ModuleOp> modules,
                                           Artifact artifact,
                                           const ArtifactOptions &options,
                                           SmallVectorImpl<char> &out) {
  switch (artifact) {
  case Artifact::LLVMIR:
  case Artifact::Assembly:
  case Artifact::Object:
  case Artifact::StaticLibrary:
  case Artifact::SharedLibrary:
    return makeLibrary(modules, artifact, options, out);
  case Artifact::Ptx:
    return emitModulePtx(modules.front(), out);
  case Artifact::Cubin:
    return emitCubin(modules.front(), options.device, out);
  case Artifact::FatBinary:
    return emitFatBinary(modules, options.device, out);
  }
  llvm_unreachable("unknown artifact");
}
