//===- Fragment.h - The fragment dialect, its types and operations --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_FRAGMENT_IR_FRAGMENT_H
#define DELTANET_FRAGMENT_IR_FRAGMENT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include <array>

namespace mlir::deltanet::fragment {

/// How one dimension of a tile is spread over a block: the thread in row and
/// column (i, j) of the lanes of the warp in (k, l) holds the elements at
///   offset + laneSteps · (i, j) + warpSteps · (k, l)
/// for each offset. Offsets ascend from 0.
struct Spread {
  std::array<int64_t, 2> laneSteps = {0, 0}, warpSteps = {0, 0};
  SmallVector<int64_t> offsets = {0};

  bool operator==(const Spread &other) const {
    return laneSteps == other.laneSteps && warpSteps == other.warpSteps &&
           offsets == other.offsets;
  }
};

/// Threads of a warp.
constexpr int64_t kWarpSize = 32;
/// Bytes that a thread reads or writes at once, at most.
constexpr int64_t kMaxAccessBytes = 16;
/// Groups of copies that may be under way behind a wait.
constexpr int64_t kMaxGroups = 7;
/// Pieces of 16 bytes within which swizzling changes places: a line of banks.
constexpr int64_t kMaxSwizzleWidth = 8;
/// Memory spaces of NVVM.
constexpr int64_t kGlobalSpace = 1, kSharedSpace = 3;

bool isInSpace(BaseMemRefType type, int64_t space);

/// Whether a memref, if it names a space, names this one: before lowering it
/// may name none.
bool mayBeInSpace(BaseMemRefType type, int64_t space);

/// Whether neighbours in a row are neighbours in memory and the rows, if there
/// are several, a static number of pieces of 16 bytes apart.
bool hasRowsOfPieces(MemRefType type);

/// m of `fragment.copy_async`, of memory that keeps C39.
int64_t getSwizzleWidth(MemRefType type);

} // namespace mlir::deltanet::fragment

#include "deltanet/Fragment/IR/FragmentDialect.h.inc"
#include "deltanet/Fragment/IR/FragmentLayout.h.inc"

#define GET_ATTRDEF_CLASSES
#include "deltanet/Fragment/IR/FragmentAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "deltanet/Fragment/IR/FragmentTypes.h.inc"

#define GET_OP_CLASSES
#include "deltanet/Fragment/IR/FragmentOps.h.inc"

namespace mlir::deltanet::fragment {

/// Threads of a block that holds tiles of this layout.
inline int64_t getThreadCount(LayoutAttr layout) {
  auto [rows, columns] = layout.getWarpGrid();
  return kWarpSize * rows * columns;
}

} // namespace mlir::deltanet::fragment

#endif // DELTANET_FRAGMENT_IR_FRAGMENT_H
