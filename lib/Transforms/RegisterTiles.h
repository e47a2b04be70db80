//===- RegisterTiles.h - How a linalg operation is cut for registers ------===//
//
// Part of the Delta-Net project.
//
// Pure decisions on one operation; TileToRegisters carries them out.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_REGISTERTILES_H
#define DELTANET_LIB_TRANSFORMS_REGISTERTILES_H

#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::deltanet {

enum class TileKind {
  /// out[.., r, c] += a[.., r, k] · b[.., k, c]: a block of rows and columns
  /// stays in registers while k runs.
  Contraction,
  /// out[.., r] += f(x[.., r, k]): one row at a time, k along the vector.
  RowReduction,
  /// The innermost dimension of an operand is not that of the first output.
  Transpose,
  /// A pack of tiles of a matrix unit: one tile at a time.
  MatrixPack,
  /// A product of such tiles: two by two of them are summed at once, which
  /// takes
  /// the eight registers of a unit: four of sums, two of each operand.
  MatrixProduct,
  /// Everything else: pieces of rows.
  Elementwise,
};

/// Tile sizes of the loops of one operation.
struct RegisterTile {
  TileKind kind;
  /// One a loop, 0 for all of it; the loops of a reduction have 0 here.
  SmallVector<int64_t> sizes;
  /// The loop along the rows of memory of the output.
  unsigned column;
  /// Where the block of a contraction comes from.
  std::string reason = {};
};

/// The tile of `op` in a parallel loop made from `schedule`.
RegisterTile chooseTile(linalg::LinalgOp op, ScheduleAttr schedule);

/// The operation at the end of the chain of elementwise operations that
/// consume the contraction `op` element by element, each the only user of the
/// one before; `op` itself where there is none. The whole chain is computed
/// while a block is in registers.
linalg::LinalgOp findEpilogue(linalg::LinalgOp op);

/// Whether `op` only prepares the accumulators of a contraction: a fill, or
/// arithmetic that is cheap enough to be done where a block starts.
bool isAccumulatorInit(Operation *op);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_REGISTERTILES_H
