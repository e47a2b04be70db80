//===- Levels.cpp - What a command line and a module compile for ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Levels.h"
#include "GpuName.h"
#include "deltanet/Target/Target.h"
#include "llvm/ADT/StringExtras.h"

using namespace delta_compile;
using namespace mlir;
using namespace mlir::deltanet;

/// The names that stand for --isa's, in the table of targets.
static SmallVector<StringRef> targetNames(const Options &options) {
  bool x86 = options.arch == Arch::X86_64;
  StringRef generic = x86 ? "generic" : "generic-aarch64";
  SmallVector<StringRef> names;
  llvm::StringRef isa = options.isa.empty() ? "all" : StringRef(options.isa);
  for (StringRef name : llvm::split(isa, ',')) {
    if (name == "all") {
      names.push_back(generic);
      if (x86)
        names.append({"avx2", "avx512", "avx512_bf16", "amx"});
    } else {
      names.push_back(name == "generic" ? generic : name);
    }
  }
  return names;
}

/// The names that stand for --sm's, in the table of targets.
static SmallVector<std::string> gpuNames(const Options &options) {
  SmallVector<std::string> names;
  bool isAsked = options.gpuGiven || options.isOfGpuCode();
  StringRef sm = options.sm.empty() && isAsked ? "all" : StringRef(options.sm);
  if (sm.empty())
    return names;
  for (StringRef name : llvm::split(sm, ',')) {
    if (name == "all")
      for (StringRef known : getKnownGpuNames())
        names.push_back(known.str());
    else
      names.push_back(gpuNameOf(name));
  }
  return names;
}

static llvm::Error addLevels(const Options &options, MLIRContext *context,
                             EmitErrorFn emitError, const std::string &problem,
                             Targets &targets) {
  for (StringRef name : targetNames(options)) {
    FailureOr<TargetAttr> target = lookupTarget(context, name, emitError);
    if (failed(target))
      return llvm::createStringError("--isa: " + problem);
    if (target->getArch() != options.arch)
      return llvm::createStringError("--isa: expected a level of " +
                                     stringifyArch(options.arch) + ", got '" +
                                     name + "'");
    for (Attribute other : targets)
      if (cast<TargetAttr>(other).getIsa() == target->getIsa())
        return llvm::createStringError(
            "--isa: expected one target a level, got '" + name + "' for " +
            stringifyIsa(target->getIsa()) + " again");
    targets.push_back(*target);
  }
  return llvm::Error::success();
}

llvm::Expected<Targets> delta_compile::readLevels(const Options &options,
                                                  MLIRContext *context) {
  std::string problem;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    problem = diagnostic.str();
    return success();
  });
  auto report = [&] { return emitError(UnknownLoc::get(context)); };
  Targets targets;
  if (!options.wantsOnlyGpus())
    if (llvm::Error error =
            addLevels(options, context, report, problem, targets))
      return std::move(error);
  for (const std::string &name : gpuNames(options)) {
    FailureOr<GpuTargetAttr> target = lookupGpuTarget(context, name, report);
    if (failed(target))
      return llvm::createStringError("--sm: " + problem);
    if (llvm::is_contained(targets, *target))
      return llvm::createStringError("--sm: expected a GPU once, got '" +
                                     StringRef(name).drop_front(3) + "' again");
    targets.push_back(*target);
  }
  return targets;
}

/// Where the command line asks for other targets than that of the module.
static LogicalResult checkOwnTarget(const Options &options,
                                    ArrayRef<Attribute> levels, Attribute own,
                                    ModuleOp module) {
  auto cpu = dyn_cast<TargetAttr>(own);
  if (options.archGiven && (!cpu || cpu.getArch() != options.arch))
    return module.emitError("expected a deltanet.target of ")
           << stringifyArch(options.arch) << ", as --target says, got " << own;
  if (cpu && options.wantsOnlyGpus())
    return module.emitError("expected a deltanet.target of a GPU, as ")
           << (options.gpuGiven ? "--target says" : "the output needs")
           << ", got " << own;
  // Another one of the same level would be another machine all the same.
  for (Attribute level : levels) {
    bool isGpu = isa<GpuTargetAttr>(level);
    bool isAskedFor = isGpu ? !options.sm.empty() : !options.isa.empty();
    if (isAskedFor && level != own)
      return module.emitError("expected a deltanet.target of ")
             << level << ", as " << (isGpu ? "--sm" : "--isa") << " says, got "
             << own;
  }
  return success();
}

FailureOr<Targets> delta_compile::chooseTargets(const Options &options,
                                                ArrayRef<Attribute> levels,
                                                ModuleOp module) {
  if (!module->hasAttr(DeltaNetDialect::kTargetAttr))
    return Targets(levels);
  FailureOr<Attribute> own = getCpuOrGpuTarget(module);
  if (failed(own) || failed(checkOwnTarget(options, levels, *own, module)))
    return failure();
  return Targets{*own};
}
