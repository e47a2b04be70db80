//===- LowerToStage.cpp - Modules at the stage to execute -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "LowerToStage.h"
#include "deltanet/Pipelines/CPUPipeline.h"
#include "deltanet/Target/Target.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

bool verification::isKernel(func::FuncOp function) {
  return function->hasAttr(DeltaNetDialect::kKernelAttr);
}

/// The target called `name`: "sm_80" is a GPU, other names are of CPUs.
static FailureOr<Attribute> findTarget(ModuleOp module, StringRef name) {
  auto emitError = [&] { return module.emitError(); };
  if (name.starts_with("sm_")) {
    FailureOr<GpuTargetAttr> gpu =
        lookupGpuTarget(module.getContext(), name, emitError);
    return failed(gpu) ? FailureOr<Attribute>(failure()) : Attribute(*gpu);
  }
  FailureOr<TargetAttr> cpu = lookupTarget(
      module.getContext(), name.empty() ? "native" : name, emitError);
  return failed(cpu) ? FailureOr<Attribute>(failure()) : Attribute(*cpu);
}

/// Sets the target of the passes, which a module may name itself.
static LogicalResult chooseTarget(ModuleOp module, StringRef name) {
  Attribute own;
  if (module->hasAttr(DeltaNetDialect::kTargetAttr)) {
    FailureOr<Attribute> given = getCpuOrGpuTarget(module);
    if (failed(given))
      return failure();
    own = *given;
  }
  if (own && name.empty())
    return success();
  FailureOr<Attribute> target = findTarget(module, name);
  if (failed(target))
    return failure();
  if (own && own != *target)
    return module.emitError("expected a deltanet.target of ")
           << *target << ", as was asked for, got " << own;
  module->setAttr(DeltaNetDialect::kTargetAttr, *target);
  return success();
}

/// Refuses stages of which the module's processor has no scalar code.
static LogicalResult checkExecutes(ModuleOp module, Stage stage) {
  Processor processor = getProcessor(module);
  bool isGpu = processor == Processor::GPU;
  Stage last = isGpu ? Stage::Fused : Stage::Buffers;
  if (hasStage(stage, processor) && stage <= last)
    return success();
  std::string names;
  for (const StageInfo &info : getStages(processor))
    if (info.stage < last)
      names += (names.empty() ? "" : ", ") + info.name.str();
  InFlightDiagnostic error = module.emitError();
  error << "expected a stage that executes as scalar code for a "
        << (isGpu ? "GPU, " : "CPU, ") << names << " or " << getStageName(last)
        << ", got '" << getStageName(stage) << "'";
  if (isGpu)
    error.attachNote() << "the stages after '" << getStageName(last)
                       << "' run as a library: delta-compile --sm=…, then "
                          "delta-run --device=sim";
  return error;
}

LogicalResult verification::lowerToStage(ModuleOp module,
                                         const StagedRunOptions &options) {
  if (llvm::any_of(module.getOps<func::FuncOp>(), isKernel)) {
    if (!options.target.empty() || !options.schedule.empty())
      return module.emitError("expected rules to choose a target or schedules "
                              "for, got kernels in canonical form");
    if (failed(checkExecutes(module, options.stage)))
      return failure();
    return verifyInput(module, options.stage);
  }
  if (failed(chooseTarget(module, options.target)) ||
      failed(checkExecutes(module, options.stage)))
    return failure();
  CPUPipelineOptions pipeline;
  pipeline.schedule = options.schedule;
  PassManager manager(module->getName());
  // Up to `fused` it serves GPUs as well.
  buildPipelineTo(manager, options.stage, pipeline);
  if (failed(manager.run(module)))
    return failure();
  // A rule that is still whole was not lowered at all; running it as defined
  // would hide that.
  return verifyInput(module, options.stage);
}
