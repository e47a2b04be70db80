//===- VerifyStage.cpp - The verifier between stages ----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/IR/DeltaNet.h"
#include "deltanet/Pipelines/Stages.h"
#include "deltanet/Transforms/Passes.h"

namespace mlir::deltanet {
#define GEN_PASS_DEF_VERIFYSTAGE
#include "deltanet/Transforms/Passes.h.inc"
} // namespace mlir::deltanet

using namespace mlir;
using namespace mlir::deltanet;

namespace {

struct VerifyStage : deltanet::impl::VerifyStageBase<VerifyStage> {
  using VerifyStageBase::VerifyStageBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Processor processor = getProcessor(module);
    std::optional<Stage> parsed = findStage(processor);
    if (!parsed) {
      reportUnknown(module, processor);
      return signalPassFailure();
    }
    if (failed(verifyStage(module, *parsed)))
      signalPassFailure();
  }

  /// One whose modules are MLIR.
  std::optional<Stage> findStage(Processor processor) {
    std::optional<Stage> parsed = parseStage(stage, processor);
    if (parsed && getStageInfo(*parsed, processor).dialects.empty())
      return std::nullopt;
    return parsed;
  }

  void reportUnknown(ModuleOp module, Processor processor) {
    StringRef name = DeltaNetDialect::kTargetAttr;
    bool isGpu = processor == Processor::GPU;
    if (!findStage(isGpu ? Processor::CPU : Processor::GPU)) {
      module.emitError("expected a stage from rule to llvm, got '")
          << stage << "'";
      return;
    }
    InFlightDiagnostic error =
        module.emitError("expected a ")
        << (isGpu ? "#deltanet.target" : "#deltanet.gpu_target") << " in '"
        << name << "' for the stage '" << stage << "', got ";
    if (Attribute target = module->getAttr(name))
      error << target;
    else
      error << "none";
  }
};

} // namespace
