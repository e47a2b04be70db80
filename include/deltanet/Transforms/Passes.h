//===- Passes.h - Every pass, in pipeline order ---------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TRANSFORMS_PASSES_H
#define DELTANET_TRANSFORMS_PASSES_H

#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::deltanet {

#define GEN_PASS_DECL
#include "deltanet/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "deltanet/Transforms/Passes.h.inc"

} // namespace mlir::deltanet

#endif // DELTANET_TRANSFORMS_PASSES_H
