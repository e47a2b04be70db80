//===- Simplification.h - Canonical form between the steps of a pass ------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TRANSFORMS_SIMPLIFICATION_H
#define DELTANET_TRANSFORMS_SIMPLIFICATION_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::deltanet {

/// Applies the canonicalization patterns of all loaded dialects but those of
/// `scf.forall`, together with `extra`, to `root` until nothing changes, then
/// removes common subexpressions. For use inside a pass, between two steps.
void simplify(Operation *root, RewritePatternSet &&extra);
void simplify(Operation *root);

} // namespace mlir::deltanet

#endif // DELTANET_TRANSFORMS_SIMPLIFICATION_H
