//===- GPUPipeline.h - The passes that lead to each stage, for GPUs -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_PIPELINES_GPUPIPELINE_H
#define DELTANET_PIPELINES_GPUPIPELINE_H

#include "deltanet/Pipelines/CPUPipeline.h"

namespace mlir::deltanet {

/// As buildStage, for a module whose `deltanet.target` is a
/// `#deltanet.gpu_target`. Up to Fused both are the same. Stages after Llvm are
/// not MLIR and are reached by lib/Codegen.
void buildGpuStage(OpPassManager &manager, Stage stage,
                   const CPUPipelineOptions &options);

/// Registers `deltanet-gpu-to-STAGE` for each stage after Fused.
void registerGPUPipelines();

} // namespace mlir::deltanet

#endif // DELTANET_PIPELINES_GPUPIPELINE_H
