//===- MatrixTiles.h - Operands and products of a matrix unit -------------===//
//
// Part of the Delta-Net project.
//
// A matrix unit multiplies tiles of 16 rows of 16 pairs: a product of bf16
// matrices [M,L] and [L,N] is one of tiles
//
//   left   [M/16, L/32, 16 rows, 16 pairs, 2]
//   right  [L/32, N/16, 16 pairs, 16 columns, 2]
//   sums   [M/16, 16, N/16, 16], rows of f32 as they lie
//
// where a pair are two neighbours along L. Every tile of an operand is 1 KB of
// neighbours in memory.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_MATRIXTILES_H
#define DELTANET_LIB_TRANSFORMS_MATRIXTILES_H

#include "TileBuilder.h"
#include "deltanet/IR/DeltaNet.h"
#include "deltanet/Transforms/TileReads.h"

namespace mlir::deltanet {

/// How an operand lies before it is packed.
enum class OperandForm { Left, LeftTransposed, Right, RightTransposed };

/// What of the elements of f32 is packed: rounded to bf16, or what rounding
/// took away, rounded as well.
enum class OperandPart { Rounded, Rest };

/// The loops of a product of tiles.
enum ProductLoop : unsigned {
  TileRow,
  TileColumn,
  TileSum,
  Row,
  Column,
  Pair,
  PairElement
};

/// matrix [R,S] of f32 → bf16 tiles in new scratch. R and S are multiples of
/// what the form asks for.
Value packTiles(TileBuilder &b, Value matrix, OperandForm form,
                OperandPart part);

/// Whether the operation packs this part of matrices of this form, as
/// packTiles() does.
bool isPackOf(linalg::GenericOp pack, OperandForm form, OperandPart part);

/// sums + left·right.
Value multiplyTiles(TileBuilder &b, Value left, Value right, Value sums);

/// Whether the operation is one of multiplyTiles(). All but the number of sums
/// is static.
bool isProductOfTiles(linalg::GenericOp product);

/// An error unless the operation, which has the attribute of tiles, is a pack
/// or a product of them.
LogicalResult verifyMatrixTiles(linalg::LinalgOp op);

/// [M,N] ↔ [M/16,16,N/16,16].
Value splitSums(TileBuilder &b, Value sums);
Value joinSums(TileBuilder &b, Value sums, RankedTensorType type);

/// Vectors in place of a pack of one tile or of a product of a block of tiles.
/// The product is a loop over the sums that carries [16,16] of f32 a tile, to
/// which products [16,32] × [32,16] of extended bf16 are added; memory holds
/// the sums of a tile as [16,1,16].
LogicalResult vectorizeMatrixTiles(RewriterBase &rewriter, linalg::LinalgOp op);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_MATRIXTILES_H
