//===- SwizzledMemory.cpp - Verification of swizzled memory ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SwizzledMemory.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::deltanet::fragment;

static int64_t bytesOf(Type elementType) {
  return elementType.getIntOrFloatBitWidth() / 8;
}

bool mlir::deltanet::fragment::isInSpace(BaseMemRefType type, int64_t space) {
  auto number = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace());
  return number && number.getInt() == space;
}

bool mlir::deltanet::fragment::mayBeInSpace(BaseMemRefType type,
                                            int64_t space) {
  return !type.getMemorySpace() || isInSpace(type, space);
}

int64_t mlir::deltanet::fragment::getSwizzleWidth(MemRefType type) {
  int64_t rowBytes =
      type.getStridesAndOffset().first[0] * bytesOf(type.getElementType());
  int64_t pieces = rowBytes / kMaxAccessBytes;
  return std::min(kMaxSwizzleWidth, pieces & -pieces);
}

bool mlir::deltanet::fragment::hasRowsOfPieces(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return false;
  return strides.size() == 1 ||
         (!ShapedType::isDynamic(strides[0]) && strides[0] > 0 &&
          strides[0] * bytesOf(type.getElementType()) % kMaxAccessBytes == 0);
}

LogicalResult mlir::deltanet::fragment::verifyPieces(Operation *op,
                                                     ShapedType memory) {
  if (ShapedType::isDynamic(memory.getShape().back()) ||
      memory.getShape().back() * bytesOf(memory.getElementType()) %
          kMaxAccessBytes)
    return op->emitOpError("expected rows of whole pieces of ")
           << kMaxAccessBytes << " bytes, got " << memory;
  auto type = dyn_cast<MemRefType>(memory);
  if (type && !mayBeInSpace(type, kSharedSpace))
    return op->emitOpError("expected memory in space ")
           << kSharedSpace << ", got " << type;
  if (type && !hasRowsOfPieces(type))
    return op->emitOpError("expected rows of neighbours, a static number of "
                           "pieces of ")
           << kMaxAccessBytes << " bytes apart, got " << type;
  return success();
}

// C39.
LogicalResult mlir::deltanet::fragment::verifySwizzled(Operation *op,
                                                       ShapedType memory) {
  if (memory.getRank() != 2)
    return op->emitOpError("expected swizzled memory of rank 2, got ")
           << memory;
  return verifyPieces(op, memory);
}

LogicalResult mlir::deltanet::fragment::verifyAlignment(
    Operation *op, std::optional<int64_t> alignment, Type elementType) {
  int64_t bytes = bytesOf(elementType);
  if (alignment && (*alignment < bytes || *alignment > kMaxAccessBytes ||
                    !llvm::isPowerOf2_64(*alignment)))
    return op->emitOpError("expected an alignment that is a power of two from ")
           << bytes << " to " << kMaxAccessBytes << ", got " << *alignment;
  return success();
}
