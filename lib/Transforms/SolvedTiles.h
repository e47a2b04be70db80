//===- SolvedTiles.h - Solutions written as tiles -------------------------===//
//
// Part of the Delta-Net project.
//
// A solution of deltanet.tril_solve that only packs of right-hand operands read
// is written as the tiles that they would make: its rows are at hand in pairs.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_SOLVEDTILES_H
#define DELTANET_LIB_TRANSFORMS_SOLVEDTILES_H

#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::deltanet {

/// Results of solves, one below the other in one matrix, and all that reads
/// them.
struct SolvedTiles {
  /// From the first rows to the last.
  SmallVector<OpResult> results;
  /// Where each lies in the matrix; none if one result is all of it.
  SmallVector<tensor::InsertSliceOp> inserts;
  /// Of the matrix, and of single results.
  SmallVector<linalg::GenericOp> packs;
};

/// The solutions that `pack` reads, if they can be tiles, or why not. A pack of
/// one result of several is found with those of their matrix.
struct SolvedTilesDecision {
  std::optional<SolvedTiles> tiles;
  StringRef reason;
};
SolvedTilesDecision decideSolvedTiles(linalg::GenericOp pack);

/// Lets the solves write tiles, and erases the packs.
void writeSolvedTiles(SolvedTiles tiles);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_SOLVEDTILES_H
