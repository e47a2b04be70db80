//===- CPUPipeline.h - The passes that lead to each stage, for CPU --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_PIPELINES_CPUPIPELINE_H
#define DELTANET_PIPELINES_CPUPIPELINE_H

#include "deltanet/Pipelines/Stages.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::deltanet {

struct CPUPipelineOptions : PassPipelineOptions<CPUPipelineOptions> {
  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc("use these schedules instead of the cost model's: one or "
                     "more #deltanet.schedule<…>, separated by ';'"),
      llvm::cl::init("")};
};

/// Appends the passes that bring a module from the stage before to `stage`
/// (Rule: to the canonical rule form with its schedules chosen), ending with
/// the verifier of the stage. The module needs a `deltanet.target`. Stages
/// after Llvm are not MLIR and are reached by lib/Codegen.
void buildStage(OpPassManager &manager, Stage stage,
                const CPUPipelineOptions &options);

/// Appends buildStage for every stage up to and including `last`.
void buildPipelineTo(OpPassManager &manager, Stage last,
                     const CPUPipelineOptions &options);

/// Registers `deltanet-to-STAGE` for each stage and `deltanet-cpu-pipeline`,
/// which runs to the LLVM dialect.
void registerCPUPipelines();

} // namespace mlir::deltanet

#endif // DELTANET_PIPELINES_CPUPIPELINE_H
