//===- TileProductLoops.h - Products of tiles as loops --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_PIPELINES_TILEPRODUCTLOOPS_H
#define DELTANET_LIB_PIPELINES_TILEPRODUCTLOOPS_H

#include "mlir/Pass/Pass.h"

namespace mlir::deltanet {

/// A pass on functions that makes linalg operations on memory of the products
/// of tiles (TileReads.h) and of what their operands are made of. As vectors a
/// product is 8192 multiplications without a loop, which LLVM is slow with.
std::unique_ptr<Pass> createWriteTileProductsAsLoops();

} // namespace mlir::deltanet

#endif // DELTANET_LIB_PIPELINES_TILEPRODUCTLOOPS_H
