//===- delta-compile.cpp - One-shot driver: rules to kernel libraries -----===//
//
// Part of the Delta-Net project.
//
// Exit codes: 0 done, 1 the input or a file is at fault, 2 the command line is.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "RemarkFile.h"
#include "deltanet/Codegen/EmitHeader.h"
#include "deltanet/IR/ModuleLocation.h"
#include "deltanet/Pipelines/Registration.h"
#include "deltanet/Target/Target.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace delta_compile;
using namespace mlir;
using namespace mlir::deltanet;

namespace {

LogicalResult fail(const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "delta-compile") << message << "\n";
  return failure();
}

LogicalResult writeFile(StringRef path,
                        function_ref<void(raw_ostream &)> write) {
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return fail(message);
  write(file->os());
  file->os().flush();
  if (file->os().has_error()) {
    message = file->os().error().message();
    file->os().clear_error();
    return fail("cannot write '" + path + "': " + message);
  }
  file->keep();
  return success();
}

/// The targets to compile for: one a level, of one architecture.
FailureOr<SmallVector<TargetAttr>> chooseTargets(const Options &options,
                                                 ModuleOp module) {
  auto report = [&] { return module.emitError(); };
  std::vector<std::string> names = options.isa;
  if (names.empty()) {
    if (auto given =
            module->getAttrOfType<TargetAttr>(DeltaNetDialect::kTargetAttr))
      return SmallVector<TargetAttr>{given};
    if (options.arch == Arch::AArch64)
      names = {"generic-aarch64"};
    else
      names = {"generic", "avx2"};
    if (options.isText() && names.size() > 1)
      return module.emitError("expected one level for text output, pass "
                              "--isa=generic or --isa=avx2");
  }
  SmallVector<TargetAttr> targets;
  for (const std::string &name : names) {
    FailureOr<TargetAttr> target =
        lookupTarget(module.getContext(), name, report);
    if (failed(target))
      return failure();
    if (target->getArch() != options.arch)
      return module.emitError("expected a level of ")
             << stringifyArch(options.arch) << ", got '" << name << "'";
    for (TargetAttr other : targets)
      if (other.getIsa() == target->getIsa())
        return module.emitError("expected each level once, got '")
               << name << "' for " << stringifyIsa(other.getIsa()) << " again";
    targets.push_back(*target);
  }
  return targets;
}

/// Writes DIR/NN-STAGE.ISA.mlir.
LogicalResult dumpStage(StringRef folder, TargetAttr target, Stage stage,
                        ModuleOp module) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return fail("cannot create '" + folder + "': " + error.message());
  std::string path =
      llvm::formatv("{0}/{1,0+2}-{2}.{3}.mlir", folder, int(stage),
                    getStageInfo(stage).name, stringifyIsa(target.getIsa()));
  return writeFile(path, [&](raw_ostream &os) { os << module << "\n"; });
}

LogicalResult writeHeader(const Options &options,
                          ArrayRef<OwningOpRef<ModuleOp>> levels) {
  SmallVector<KernelVariant> variants;
  for (const OwningOpRef<ModuleOp> &level : levels) {
    FailureOr<SmallVector<KernelVariant>> some = getKernelVariants(level.get());
    if (failed(some))
      return failure();
    variants.append(*some);
  }
  return writeFile(options.header, [&](raw_ostream &os) {
    emitHeader(os, options.header, variants);
  });
}

LogicalResult compile(const Options &options, MLIRContext &context) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      openInputFile(options.input, &message);
  if (!buffer)
    return fail(message);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> input = parseSourceFile<ModuleOp>(sources, &context);
  if (!input)
    return failure();
  locateImplicitModule(*input);
  FailureOr<SmallVector<TargetAttr>> targets = chooseTargets(options, *input);
  if (failed(targets))
    return failure();

  SmallVector<OwningOpRef<ModuleOp>> levels;
  for (TargetAttr target : *targets) {
    Lowering lowering;
    lowering.first = options.first;
    lowering.last = options.last;
    lowering.schedule = options.schedule;
    if (!options.dumpStages.empty())
      lowering.observer = [&, target](Stage stage, ModuleOp module) {
        return dumpStage(options.dumpStages, target, stage, module);
      };
    FailureOr<OwningOpRef<ModuleOp>> level =
        lowerForTarget(*input, target, lowering);
    if (failed(level))
      return failure();
    levels.push_back(std::move(*level));
  }

  if (!options.header.empty() && failed(writeHeader(options, levels)))
    return failure();
  if (!options.artifact)
    return writeFile(options.output,
                     [&](raw_ostream &os) { os << *levels.front() << "\n"; });
  SmallVector<ModuleOp> modules =
      llvm::map_to_vector(levels, [](auto &level) { return level.get(); });
  SmallVector<char> bytes;
  if (failed(makeArtifact(modules, *options.artifact, getProducer(),
                          options.output, bytes)))
    return failure();
  if (*options.artifact == Artifact::SharedLibrary)
    return success(); // the linker has written it
  return writeFile(options.output, [&](raw_ostream &os) {
    os.write(bytes.data(), bytes.size());
  });
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM initialize(argc, argv);
  ParsedOptions parsed = parseOptions(argc, argv);
  if (!parsed.options)
    return parsed.exitCode;
  const Options &options = *parsed.options;

  DialectRegistry registry;
  registerDialects(registry);
  registerLLVMTranslations(registry);
  std::string remarks;
  MLIRContext context(registry);
  if (!options.remarks.empty())
    collectRemarks(context, remarks);
  bool done = succeeded(compile(options, context));
  // A failed compilation had its reasons too.
  if (!options.remarks.empty())
    done &= succeeded(
        writeFile(options.remarks, [&](raw_ostream &os) { os << remarks; }));
  return done ? 0 : 1;
}
