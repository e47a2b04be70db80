//===- ScalarPipeline.cpp - Execute the IR of a stage ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Pipelines/ScalarPipeline.h"
#include "deltanet/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::deltanet;

static void expandRules(OpPassManager &manager) {
  SelectScheduleOptions plain;
  plain.schedule = "#deltanet.schedule<recurrent>";
  manager.addPass(createFormKernels());
  manager.addPass(createSelectSchedule(plain));
  manager.addPass(createExpandRecurrence());
}

static void expandOwnOperations(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createVectorizeRecurrencePass());
  manager.addNestedPass<func::FuncOp>(createVectorizeTokenStep());
  manager.addNestedPass<func::FuncOp>(createVectorizeTrilSolve());
}

void mlir::deltanet::buildScalarPipeline(OpPassManager &manager, Stage from) {
  assert(from <= Stage::Buffers && "later stages run as machine code");
  // Whoever forms the kernels says more of a module that is none of rules.
  if (from == Stage::Rule)
    expandRules(manager);
  else
    manager.addPass(createVerifyStage({getStageInfo(from).name.str()}));
  if (from < Stage::Vectors)
    expandOwnOperations(manager);
  if (from < Stage::Buffers)
    manager.addPass(createBufferizeKernels({/*allowCopies=*/true}));

  manager.addPass(createVerifyLoopsOnMemory());
  manager.addNestedPass<func::FuncOp>(createForallToForLoopPass());
  manager.addNestedPass<func::FuncOp>(createWriteTileProductsAsLoops());
  manager.addPass(createConvertLinalgToLoopsPass());
  bufferization::buildBufferDeallocationPipeline(
      manager, bufferization::BufferDeallocationPipelineOptions());
  manager.addNestedPass<func::FuncOp>(LLVM::createLLVMRequestCWrappersPass());
  manager.addPass(createConvertVectorToSCFPass(
      VectorTransferToSCFOptions().enableFullUnroll()));
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  manager.addPass(arith::createArithExpandOpsPass(expand));
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createConvertToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

void mlir::deltanet::registerScalarPipelines() {
  for (const StageInfo &info : getStages()) {
    if (info.stage > Stage::Buffers)
      return;
    Stage from = info.stage;
    PassPipelineRegistration<>(
        ("deltanet-scalar-from-" + info.name).str(),
        ("from the stage '" + info.name + "' to plain scalar code").str(),
        [from](OpPassManager &manager) { buildScalarPipeline(manager, from); });
  }
}
