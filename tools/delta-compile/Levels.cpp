//===- Levels.cpp - What a command line and a module compile for ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Levels.h"
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

llvm::Expected<Targets> delta_compile::readLevels(const Options &options,
                                                  MLIRContext *context) {
  std::string problem;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    problem = diagnostic.str();
    return success();
  });
  Targets targets;
  for (StringRef name : targetNames(options)) {
    FailureOr<TargetAttr> target = lookupTarget(
        context, name, [&] { return emitError(UnknownLoc::get(context)); });
    if (failed(target))
      return llvm::createStringError("--isa: " + problem);
    if (target->getArch() != options.arch)
      return llvm::createStringError("--isa: expected a level of " +
                                     stringifyArch(options.arch) + ", got '" +
                                     name + "'");
    for (TargetAttr other : targets)
      if (other.getIsa() == target->getIsa())
        return llvm::createStringError(
            "--isa: expected one target a level, got '" + name + "' for " +
            stringifyIsa(other.getIsa()) + " again");
    targets.push_back(*target);
  }
  return targets;
}

FailureOr<Targets> delta_compile::chooseTargets(const Options &options,
                                                ArrayRef<TargetAttr> levels,
                                                ModuleOp module) {
  if (!module->hasAttr(DeltaNetDialect::kTargetAttr))
    return Targets(levels);
  FailureOr<TargetAttr> given = getTarget(module);
  if (failed(given))
    return failure();
  TargetAttr own = *given;
  if (options.archGiven && own.getArch() != options.arch)
    return module.emitError("expected a deltanet.target of ")
           << stringifyArch(options.arch) << ", as --target says, got " << own;
  // Another one of the same level would be another machine all the same.
  if (!options.isa.empty())
    for (TargetAttr level : levels)
      if (level != own)
        return module.emitError("expected a deltanet.target of ")
               << level << ", as --isa says, got " << own;
  return Targets{own};
}
