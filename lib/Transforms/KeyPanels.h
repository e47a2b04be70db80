//===- KeyPanels.h - Transposed right-hand sides as panels ----------------===//
//
// Part of the Delta-Net project.
//
// A product with the transpose of some rows, like k kᵀ, would read its
// right-hand side down a column. As panels [C/16,K,16], packed once a tile,
// every step of the reduction reads 16 neighbours.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_KEYPANELS_H
#define DELTANET_LIB_TRANSFORMS_KEYPANELS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::deltanet {

/// One product and the first row of the tile of those whose transpose it takes.
struct TransposedProduct {
  linalg::MatmulOp product;
  OpFoldResult firstRow;
};

/// A tile [C,K] and the products with transposed blocks of its rows.
struct KeyPanels {
  Value tile;
  int64_t width;
  SmallVector<TransposedProduct> products;
};

/// The tiles inside `root` that are worth packing: those of which products take
/// aligned blocks of rows, transposed.
SmallVector<KeyPanels> findKeyPanels(Operation *root);

/// Packs the tile in front of its first product; the products read panels.
void packKeyPanels(const KeyPanels &panels);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_KEYPANELS_H
