//===- PlainLoops.h - Own operations as they are defined --------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_VERIFICATION_PLAINLOOPS_H
#define DELTANET_LIB_VERIFICATION_PLAINLOOPS_H

#include "deltanet/IR/DeltaNet.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::deltanet::verification {

/// Replaces every operation of the dialect by loops over elements that follow
/// the formula of its documentation word by word. Shares nothing with the
/// product's expansions, so that these are tested where they run.
void writeAsPlainLoops(ModuleOp module);

/// The part for whole rules.
void writeAsPlainLoops(DeltaRuleOp rule);

} // namespace mlir::deltanet::verification

#endif // DELTANET_LIB_VERIFICATION_PLAINLOOPS_H
