//===- GPUPipeline.cpp - The passes that lead to each stage, for GPUs -----===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Pipelines/GPUPipeline.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::deltanet;

void mlir::deltanet::buildGpuStage(OpPassManager &manager, Stage stage,
                                   const CPUPipelineOptions &options) {
  switch (stage) {
  case Stage::Rule:
  case Stage::Chunks:
  case Stage::Fused:
    return buildStage(manager, stage, options);
  case Stage::Fragments:
    manager.addNestedPass<func::FuncOp>(createExpandGpuDecay());
    manager.addNestedPass<func::FuncOp>(createExpandGpuTriangularInverse());
    manager.addNestedPass<func::FuncOp>(createConvertToFragments());
    manager.addNestedPass<func::FuncOp>(createNarrowSums());
    manager.addNestedPass<func::FuncOp>(createPadRows());
    break;
  case Stage::Buffers:
    manager.addPass(createBufferizeKernels());
    manager.addNestedPass<func::FuncOp>(createPipelineCopies());
    manager.addNestedPass<func::FuncOp>(createPlaceScratch());
    break;
  case Stage::Target:
    manager.addPass(createSplitIntoWorkItems());
    manager.addPass(createMapToBlocks());
    manager.addPass(createAwaitCopies());
    manager.addPass(createInsertBarriers());
    manager.addPass(createDistributeToThreads());
    manager.addPass(createVersionByAlignment());
    manager.addNestedPass<func::FuncOp>(createLowerFragments());
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
    break;
  case Stage::Llvm:
    manager.addPass(createExpandMath());
    manager.addPass(createEmitGpuKernelAbi());
    manager.addPass(createSCFToControlFlowPass());
    manager.addPass(memref::createExpandStridedMetadataPass());
    manager.addPass(createLowerAffinePass());
    manager.addPass(createConvertToLLVMPass());
    manager.addPass(createReconcileUnrealizedCastsPass());
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
    break;
  case Stage::Layout:
  case Stage::Tiles:
  case Stage::Vectors:
  case Stage::Asm:
  case Stage::Obj:
    llvm_unreachable("a stage of CPUs");
  case Stage::Ptx:
  case Stage::Cubin:
    llvm_unreachable("stages after llvm are reached by lib/Codegen");
  }
  manager.addPass(
      createVerifyStage({getStageInfo(stage, Processor::GPU).name.str()}));
}

void mlir::deltanet::registerGPUPipelines() {
  for (const StageInfo &last : getStages(Processor::GPU)) {
    if (last.dialects.empty() || last.stage <= Stage::Fused)
      continue;
    PassPipelineRegistration<CPUPipelineOptions>(
        ("deltanet-gpu-to-" + last.name).str(),
        ("from the input to: " + last.sentence).str(),
        [&last](OpPassManager &manager, const CPUPipelineOptions &options) {
          for (const StageInfo &info : getStages(Processor::GPU)) {
            buildGpuStage(manager, info.stage, options);
            if (info.stage == last.stage)
              return;
          }
        });
  }
}
