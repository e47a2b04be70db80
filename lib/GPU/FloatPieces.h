//===- FloatPieces.h - Operands of f32 from shared memory -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_FLOATPIECES_H
#define DELTANET_LIB_GPU_FLOATPIECES_H

#include "ThreadPlace.h"

namespace mlir::deltanet {

/// Reads swizzled memory of f32 by plain loads: of 8 by 8 elements, lane l gets
/// those in row ⌊l/4⌋ and the columns 2 (l mod 4) and the next.
class FloatPieces {
public:
  /// Rows and columns are those of the memory or, transposed, the other way
  /// round; the warp's part of them begins at the origin.
  FloatPieces(Value memory, bool isTransposed, std::array<Value, 2> origin,
              ThreadPlace &place)
      : memory(memory), isTransposed(isTransposed), origin(origin),
        place(place) {}

  /// The two elements of the piece at an offset.
  SmallVector<Value> load(OpBuilder &builder, Location loc,
                          std::array<int64_t, 2> offset) const;

private:
  Value memory;
  bool isTransposed;
  std::array<Value, 2> origin;
  ThreadPlace &place;
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_FLOATPIECES_H
