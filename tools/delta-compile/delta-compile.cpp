//===- delta-compile.cpp - One-shot driver: rules to kernel libraries -----===//
//
// Part of the Delta-Net project.
//
// Exit codes: 0 done, 1 the input or a file is at fault, 2 the command line is.
//
//===----------------------------------------------------------------------===//

#include "CudaHome.h"
#include "FatalErrors.h"
#include "Levels.h"
#include "OutputFiles.h"
#include "RemarkFile.h"
#include "deltanet/Codegen/EmitHeader.h"
#include "deltanet/IR/ModuleFile.h"
#include "deltanet/Pipelines/Registration.h"
#include "deltanet/Schedule/ScheduleText.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace delta_compile;
using namespace mlir;
using namespace mlir::deltanet;

namespace {

int usageFault(const Twine &message) {
  (void)fail(message);
  return kUsageFault;
}

LogicalResult dumpStage(StringRef folder, Attribute target, Stage stage,
                        ModuleOp module) {
  // As mkdir does: the umask says who may enter.
  if (std::error_code error = llvm::sys::fs::create_directories(
          folder, /*IgnoreExisting=*/true, llvm::sys::fs::all_all))
    return fail("cannot create '" + folder + "': " + error.message());
  return writeFile(
      dumpPath(folder, stage, getProcessor(module), abi::getLevel(target).name),
      [&](raw_ostream &os) { os << module << "\n"; });
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
    emitHeader(os, options.header == "-" ? "kernels.h" : options.header,
               variants);
  });
}

/// Lowers the input for each target, as far as the options say.
FailureOr<SmallVector<OwningOpRef<ModuleOp>>>
lower(const Options &options, ArrayRef<Attribute> targets, ModuleOp input) {
  SmallVector<OwningOpRef<ModuleOp>> levels;
  for (Attribute target : targets) {
    Lowering lowering;
    lowering.first = options.first;
    lowering.last = options.last;
    lowering.schedule = options.schedule;
    if (!options.dumpStages.empty())
      lowering.observer = [&, target](Stage stage, ModuleOp module) {
        return dumpStage(options.dumpStages, target, stage, module);
      };
    FailureOr<OwningOpRef<ModuleOp>> level =
        lowerForTarget(input, target, lowering);
    if (failed(level))
      return failure();
    levels.push_back(std::move(*level));
  }
  return levels;
}

LogicalResult writeOutputs(const Options &options,
                           ArrayRef<OwningOpRef<ModuleOp>> levels) {
  if (!options.header.empty() && failed(writeHeader(options, levels)))
    return failure();
  if (!options.artifact)
    return writeFile(options.output, [&](raw_ostream &os) {
      os << *levels.front().get() << "\n";
    });
  SmallVector<ModuleOp> modules =
      llvm::map_to_vector(levels, [](auto &level) { return level.get(); });
  ArtifactOptions artifact;
  artifact.producer = getProducer();
  artifact.path = options.output;
  artifact.arch = options.arch;
  artifact.device.cuda = findToolkit(options.cuda);
  artifact.device.verbose = options.verbose;
  SmallVector<char> bytes;
  if (failed(makeArtifact(modules, *options.artifact, artifact, bytes)))
    return failure();
  if (*options.artifact == Artifact::SharedLibrary)
    return success(); // the linker has written it
  return writeFile(options.output, [&](raw_ostream &os) {
    os.write(bytes.data(), bytes.size());
  });
}

/// What is wrong with a command line that gives several levels to an output of
/// one.
std::string manyLevelsFault(const Options &options) {
  auto given = [](const std::string &names) {
    return names.empty() ? "none" : "'" + names + "'";
  };
  if (options.sm.empty() && !options.wantsOnlyGpus())
    return "--isa: expected one level for text output, such as --isa=avx2, "
           "got " +
           given(options.isa);
  return "--sm: expected one GPU and no CPUs for this output, such as "
         "--target=nvptx --sm=80, got " +
         given(options.sm);
}

/// Returns the exit code.
int compile(const Options &options, MLIRContext &context) {
  llvm::Expected<Targets> levels = readLevels(options, &context);
  if (!levels)
    return usageFault(llvm::toString(levels.takeError()));
  if (!options.schedule.empty())
    if (auto schedules = parseSchedules(options.schedule, &context); !schedules)
      return usageFault("--schedule: " + llvm::toString(schedules.takeError()));

  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  std::string message;
  OwningOpRef<ModuleOp> input =
      readModuleFile(options.input, sources, &context, message);
  if (!input) {
    if (!message.empty())
      (void)fail(message);
    return kInputFault;
  }
  FailureOr<Targets> targets = chooseTargets(options, *levels, *input);
  if (failed(targets))
    return kInputFault;
  if (options.isOfOneLevel() && targets->size() > 1)
    return usageFault(manyLevelsFault(options));
  auto lowered = lower(options, *targets, *input);
  bool done = succeeded(lowered) && succeeded(writeOutputs(options, *lowered));
  return done ? 0 : kInputFault;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM initialize(argc, argv);
  reportFatalErrors("delta-compile");
  ParsedOptions parsed = parseOptions(argc, argv);
  if (!parsed.options)
    return parsed.exitCode;
  const Options &options = *parsed.options;

  DialectRegistry registry;
  registerDialects(registry);
  registerLLVMTranslations(registry);
  std::string remarks;
  MLIRContext context(registry);
  if (!options.remarks.empty() || options.verbose)
    collectRemarks(context, remarks, options.verbose);
  // A line of the source says more than an operation between two passes.
  context.printOpOnDiagnostic(false);
  int code = compile(options, context);
  // A compilation that fails had its reasons too.
  if (code != kUsageFault && !options.remarks.empty() &&
      failed(
          writeFile(options.remarks, [&](raw_ostream &os) { os << remarks; })))
    return kInputFault;
  return code;
}
