//===- LowerToStage.h - Modules at the stage to execute ---------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_LOWERTOSTAGE_H
#define DELTANET_VERIFICATION_LOWERTOSTAGE_H

#include "deltanet/IR/DeltaNet.h"
#include "deltanet/Verification/StagedRunner.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::deltanet::verification {

/// Whether a function is a kernel in canonical form.
bool isKernel(func::FuncOp function);

/// Brings a module to the stage, unless its kernels are in canonical form: then
/// it must be at the stage. Emits located errors: a stage that does not execute
/// as scalar code for the module's target, a target or schedules that
/// contradict the module, and what the passes say.
LogicalResult lowerToStage(ModuleOp module, const StagedRunOptions &options);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_LOWERTOSTAGE_H
