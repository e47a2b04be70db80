//===- ScalarPipeline.h - Execute the IR of a stage -----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_PIPELINES_SCALARPIPELINE_H
#define DELTANET_PIPELINES_SCALARPIPELINE_H

#include "deltanet/Pipelines/Stages.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::deltanet {

/// Appends upstream lowerings that take a module at one of the stages Rule to
/// Buffers to the LLVM dialect as plain code: parallel loops become sequential,
/// linalg becomes loops over elements, scratch is allocated. Slow, and made
/// without any of our own passes below that stage but the expansions of own
/// operations, so that it tells which stage broke a computation. Each function
/// gets a C wrapper `_mlir_ciface_NAME` on memref descriptors. A delta_rule
/// that is still whole becomes the recurrence, one token at a time.
void buildScalarPipeline(OpPassManager &manager, Stage from);

/// Registers `deltanet-scalar-from-STAGE` for the stages Rule to Buffers.
void registerScalarPipelines();

} // namespace mlir::deltanet

#endif // DELTANET_PIPELINES_SCALARPIPELINE_H
