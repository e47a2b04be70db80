//===- RegisterOps.cpp - Verification of operations on tiles --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Fragment/IR/Fragment.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::deltanet::fragment;

/// The scalar that a tile is made of has its element type.
static ParseResult parseTileOfScalar(OpAsmParser &parser, Type &tile,
                                     Type &scalar) {
  TileType type;
  if (parser.parseCustomTypeWithFallback(type))
    return failure();
  tile = type;
  scalar = type.getElementType();
  return success();
}

static void printTileOfScalar(OpAsmPrinter &printer, Operation *, Type tile,
                              Type) {
  printer.printStrippedAttrOrType(cast<TileType>(tile));
}

#define GET_OP_CLASSES
#include "deltanet/Fragment/IR/FragmentOps.cpp.inc"

// C35.
LogicalResult SplatOp::verify() {
  Type expected = getResult().getType().getElementType();
  if (getScalar().getType() != expected)
    return emitOpError("expected a scalar of ")
           << expected << ", got " << getScalar().getType();
  return success();
}

// C35.
LogicalResult ExtractOp::verify() {
  if (getTile().getType().getShape() != ArrayRef<int64_t>{1, 1})
    return emitOpError("expected a tile of 1x1, got ") << getTile().getType();
  return success();
}

LogicalResult ExtractOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location>,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  types.push_back(cast<TileType>(adaptor.getTile().getType()).getElementType());
  return success();
}

OpFoldResult ExtractOp::fold(FoldAdaptor) {
  if (auto splat = getTile().getDefiningOp<SplatOp>())
    return splat.getScalar();
  return {};
}

// C37.
LogicalResult IndexOp::verify() {
  if (!getOperation()->getParentOfType<MapOp>())
    return emitOpError("expected it within a fragment.map");
  if (getDimension() != 0 && getDimension() != 1)
    return emitOpError("expected dimension 0 or 1, got ")
           << static_cast<int64_t>(getDimension());
  return success();
}

/// Whether one layout has f times the rows of lanes of the other, and f divides
/// the rows of a thread of that one.
static bool hasRowsOfLanesOf(TileType fewer, TileType more) {
  auto from = dyn_cast<LanesAttr>(fewer.getLayout()),
       to = dyn_cast<LanesAttr>(more.getLayout());
  if (!from || !to || from.getWarps() != to.getWarps() ||
      to.getLanes()[0] % from.getLanes()[0])
    return false;
  return fewer.getSpread(0).offsets.size() %
             (to.getLanes()[0] / from.getLanes()[0]) ==
         0;
}

static TileType sumsOf(TileType tile, int64_t dimension) {
  SmallVector<int64_t, 2> shape(tile.getShape());
  shape[dimension] = 1;
  return tile.with(shape);
}

void ReduceOp::build(OpBuilder &builder, OperationState &state, Value tile,
                     int64_t dimension) {
  build(builder, state, sumsOf(cast<TileType>(tile.getType()), dimension), tile,
        dimension);
}

// C38.
LogicalResult ReduceOp::verify() {
  TileType tile = getTile().getType(), result = getResult().getType();
  if (!tile.getElementType().isF32())
    return emitOpError("expected a tile of f32, got ") << tile;
  auto dimension = static_cast<int64_t>(getDimension());
  if (dimension != 0 && dimension != 1)
    return emitOpError("expected dimension 0 or 1, got ") << dimension;
  int64_t warps = tile.getLayout().getWarpGrid()[dimension];
  if (warps != 1 && tile.getShape()[dimension] != 1)
    return emitOpError("expected a layout with one warp along dimension ")
           << dimension << ", got " << warps;
  TileType expected = sumsOf(tile, dimension);
  bool keepsSome = dimension == 1 && tile.getColumns() != 1 &&
                   result.getShape() == expected.getShape() &&
                   result.getElementType().isF32() &&
                   hasRowsOfLanesOf(tile, result);
  if (result != expected && !keepsSome)
    return emitOpError("expected a result of ")
           << expected << " or with rows of lanes that keep some, got "
           << result;
  return success();
}

// C44.
LogicalResult BroadcastOp::verify() {
  TileType from = getTile().getType(), to = getResult().getType();
  if (from.getColumns() != 1)
    return emitOpError("expected a tile with one column, got ") << from;
  if (to.getShape() != from.getShape() ||
      to.getElementType() != from.getElementType() ||
      !hasRowsOfLanesOf(to, from))
    return emitOpError("expected a result with the shape and elements of ")
           << from << " and fewer rows of lanes, got " << to;
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  if (getTile().getType() == getResult().getType())
    return getTile();
  return {};
}

OpFoldResult ReduceOp::fold(FoldAdaptor) {
  if (getTile().getType() == getResult().getType())
    return getTile();
  return {};
}
