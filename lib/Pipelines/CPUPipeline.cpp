//===- CPUPipeline.cpp - The passes that lead to each stage, for CPU ------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Pipelines/CPUPipeline.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::deltanet;

void mlir::deltanet::buildStage(OpPassManager &manager, Stage stage,
                                const CPUPipelineOptions &options) {
  switch (stage) {
  case Stage::Rule:
    manager.addPass(createFormKernels());
    manager.addPass(createSelectSchedule({options.schedule}));
    manager.addPass(createSpecializeByLength());
    break;
  case Stage::Chunks:
    manager.addPass(createExpandRecurrence());
    manager.addPass(createSplitSequenceIntoChunks());
    break;
  case Stage::Fused:
    manager.addNestedPass<func::FuncOp>(createFuseParallelDomains());
    manager.addNestedPass<func::FuncOp>(createExpandSlotSequence());
    break;
  case Stage::Layout:
    manager.addNestedPass<func::FuncOp>(createAssignLayouts());
    manager.addNestedPass<func::FuncOp>(createAssignMatrixTiles());
    manager.addNestedPass<func::FuncOp>(createSinkPacks());
    break;
  case Stage::Tiles:
    manager.addNestedPass<func::FuncOp>(createExpandDecay());
    manager.addPass(createExpandTriangularInverse());
    manager.addNestedPass<func::FuncOp>(createTileToRegisters());
    break;
  case Stage::Vectors:
    manager.addNestedPass<func::FuncOp>(createVectorizeRecurrencePass());
    manager.addNestedPass<func::FuncOp>(createVectorizeTokenStep());
    manager.addNestedPass<func::FuncOp>(createVectorizeTrilSolve());
    manager.addNestedPass<func::FuncOp>(createVectorizeTiles());
    break;
  case Stage::Buffers:
    manager.addPass(createBufferizeKernels());
    manager.addNestedPass<func::FuncOp>(createSinkTileReads());
    manager.addNestedPass<func::FuncOp>(createPlaceScratch());
    manager.addNestedPass<func::FuncOp>(createPrefetchState());
    break;
  case Stage::Target:
    manager.addPass(createSplitIntoWorkItems());
    manager.addPass(createConvertToAmx());
    manager.addPass(createExpandNarrowFloats());
    manager.addPass(createExpandExp());
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
    manager.addPass(createLowerVectors());
    manager.addPass(createCSEPass());
    manager.addPass(createKeepLoops());
    break;
  case Stage::Llvm:
    manager.addPass(createEmitKernelAbi());
    manager.addPass(createSCFToControlFlowPass());
    manager.addPass(memref::createExpandStridedMetadataPass());
    manager.addPass(createLowerAffinePass());
    manager.addPass(createConvertToLLVMPass());
    manager.addPass(createStreamTiles());
    manager.addPass(createReconcileUnrealizedCastsPass());
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
    break;
  case Stage::Asm:
  case Stage::Obj:
    llvm_unreachable("stages after llvm are reached by lib/Codegen");
  case Stage::Fragments:
  case Stage::Ptx:
  case Stage::Cubin:
    llvm_unreachable("a stage of GPUs");
  }
  manager.addPass(createVerifyStage({getStageInfo(stage).name.str()}));
}

void mlir::deltanet::buildPipelineTo(OpPassManager &manager, Stage last,
                                     const CPUPipelineOptions &options) {
  for (const StageInfo &info : getStages()) {
    buildStage(manager, info.stage, options);
    if (info.stage == last)
      return;
  }
}

void mlir::deltanet::registerCPUPipelines() {
  for (const StageInfo &info : getStages()) {
    if (info.dialects.empty())
      continue;
    Stage stage = info.stage;
    PassPipelineRegistration<CPUPipelineOptions>(
        ("deltanet-to-" + info.name).str(),
        ("from the input to: " + info.sentence).str(),
        [stage](OpPassManager &manager, const CPUPipelineOptions &options) {
          buildPipelineTo(manager, stage, options);
        });
  }
  PassPipelineRegistration<CPUPipelineOptions>(
      "deltanet-cpu-pipeline", "from the input to the LLVM dialect",
      [](OpPassManager &manager, const CPUPipelineOptions &options) {
        buildPipelineTo(manager, Stage::Llvm, options);
      });
}
