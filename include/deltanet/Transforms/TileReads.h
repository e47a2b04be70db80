//===- TileReads.h - Where the operands of products of tiles are read -----===//
//
// Part of the Delta-Net project.
//
// A product of tiles on vectors adds products of [16,32] and [32,16] to
// [16,16], all of f32. Each operand is a tile [16,16,2] of bf16 that is read,
// extended, on the right side transposed to [16,2,16], and cast.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_TRANSFORMS_TILEREADS_H
#define DELTANET_TRANSFORMS_TILEREADS_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::deltanet {

/// Rows and columns of a tile of sums.
constexpr int64_t kTileSide = 16;
/// Elements of a row of the left operand: 16 pairs.
constexpr int64_t kTileSums = 32;

/// The tile that an operand of a product is made of, or null.
Value getTile(Value operand);

/// The read that this tile comes from, or null.
vector::TransferReadOp getTileRead(Value operand);

/// Whether a tile can be loaded or stored in place of this read or write: all
/// of it, from rows of neighbours in memory at a constant distance.
bool isTileAccess(VectorTransferOpInterface transfer);

/// Whether this is a product of tiles, both read by such accesses.
bool isTileProduct(vector::ContractionOp op);

/// Left and right.
std::array<OpOperand *, 2> getTileOperands(vector::ContractionOp product);

/// Products of one block that follow each other without a loop between.
using TileRun = SmallVector<vector::ContractionOp>;

/// The runs of all products of tiles in `root`, in the order of the text.
SmallVector<TileRun> findTileRuns(Operation *root);

/// The first operation with a region from `op` on and before `end`, which
/// follows in the block, or null.
Operation *findRegionBetween(Operation *op, Operation *end);

/// Makes products that have the tile of `read` as an operand read it again,
/// once before the first of them; `products` are of one block, in order. False,
/// and nothing is done, if the memory may have been written since.
bool readTileAgain(vector::TransferReadOp read,
                   ArrayRef<vector::ContractionOp> products);

} // namespace mlir::deltanet

#endif // DELTANET_TRANSFORMS_TILEREADS_H
