//===- VerifyStage.cpp - The verifier between stages ----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

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
    std::optional<Stage> parsed = parseStage(stage, processor);
    if (!parsed || getStageInfo(*parsed, processor).dialects.empty()) {
      InFlightDiagnostic error =
          module.emitError("expected one of the stages ");
      llvm::interleaveComma(
          llvm::make_filter_range(
              getStages(processor),
              [](const StageInfo &info) { return !info.dialects.empty(); }),
          error, [&](const StageInfo &info) { error << info.name; });
      error << (processor == Processor::GPU ? " of a GPU" : "") << ", got '"
            << stage << "'";
      return signalPassFailure();
    }
    if (failed(verifyStage(module, *parsed)))
      signalPassFailure();
  }
};

} // namespace
