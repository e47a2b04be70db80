//===- MatrixPieces.h - Operands of tensor cores from shared memory -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_MATRIXPIECES_H
#define DELTANET_LIB_GPU_MATRIXPIECES_H

#include "ThreadPlace.h"

namespace mlir::deltanet {

/// Reads by `ldmatrix`: of 8 by 8 elements of 16 bits, lane l gets those in row
/// ⌊l/4⌋ and the columns 2 (l mod 4) and the next.
class MatrixPieces {
public:
  /// Rows and columns are those of the memory or, transposed, the other way
  /// round; the warp's part of them begins at the origin.
  MatrixPieces(Value memory, bool isTransposed, bool isSwizzled,
               std::array<Value, 2> origin, ThreadPlace &place)
      : memory(memory), isTransposed(isTransposed), isSwizzled(isSwizzled),
        origin(origin), place(place) {}

  using Offset = std::array<int64_t, 2>;

  /// Two pieces, at an offset and a step from there, or four, those and what is
  /// another step from each of them: an i32 of two elements each.
  SmallVector<Value> load(OpBuilder &builder, Location loc, Offset offset,
                          ArrayRef<Offset> steps) const;

private:
  Value memory;
  bool isTransposed, isSwizzled;
  std::array<Value, 2> origin;
  ThreadPlace &place;
};

/// Two elements of 16 bits in a register of a tensor core, and back.
Value packPair(OpBuilder &builder, Location loc, Value low, Value high);
std::array<Value, 2> unpackPair(OpBuilder &builder, Location loc, Value packed,
                                Type elementType);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_MATRIXPIECES_H
