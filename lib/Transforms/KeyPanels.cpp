//===- KeyPanels.cpp - Transposed right-hand sides as panels --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "KeyPanels.h"
#include "ChunkBuilder.h"
#include "Divisibility.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::deltanet;

/// The right-hand side is [N,K]: its innermost dimension is summed over.
static bool isTransposed(linalg::MatmulOp product) {
  AffineExpr m, n, k;
  bindDims(product.getContext(), m, n, k);
  return product.getIndexingMapsArray()[1] ==
         AffineMap::get(3, 0, {n, k}, product.getContext());
}

/// A block of whole rows of a static tile, at a multiple of its height.
static bool isAlignedBlock(tensor::ExtractSliceOp slice) {
  RankedTensorType tile = slice.getSourceType(), rows = slice.getType();
  if (tile.getRank() != 2 || rows.getRank() != 2 || !tile.hasStaticShape() ||
      !rows.hasStaticShape() || !slice.hasUnitStride())
    return false;
  int64_t height = rows.getDimSize(0);
  auto first = slice.getMixedOffsets()[0].dyn_cast<Value>();
  return tile.getDimSize(0) % height == 0 &&
         rows.getDimSize(1) == tile.getDimSize(1) &&
         (first ? isMultipleOf(first, height)
                : slice.getStaticOffset(0) % height == 0);
}

SmallVector<KeyPanels> deltanet::findKeyPanels(Operation *root) {
  llvm::MapVector<Value, KeyPanels> tiles;
  root->walk([&](linalg::MatmulOp product) {
    if (!isTransposed(product))
      return;
    // A tile of one panel is taken as it is.
    Value tile = product.getDpsInputs()[1];
    auto type = cast<RankedTensorType>(tile.getType());
    OpFoldResult firstRow = Builder(product).getIndexAttr(0);
    auto rows = tile.getDefiningOp<tensor::ExtractSliceOp>();
    if (rows && isAlignedBlock(rows)) {
      tile = rows.getSource();
      firstRow = rows.getMixedOffsets()[0];
    } else if (!type.hasStaticShape() || type.getDimSize(0) != kCausalBlock) {
      return;
    }
    int64_t width = type.getDimSize(0);
    KeyPanels &panels = tiles[tile];
    if (!panels.tile)
      panels = {tile, width, {}};
    if (panels.width == width)
      panels.products.push_back({product, firstRow});
  });
  return llvm::map_to_vector(tiles, [](auto &entry) { return entry.second; });
}

void deltanet::packKeyPanels(const KeyPanels &panels) {
  Value tile = panels.tile;
  auto type = cast<RankedTensorType>(tile.getType());
  int64_t count = type.getDimSize(0) / panels.width, keys = type.getDimSize(1);
  Operation *first = tile.getParentBlock()->findAncestorOpInBlock(
      *panels.products.front().product);
  ChunkBuilder b(first->getLoc(), first);
  auto split =
      RankedTensorType::get({count, panels.width, keys}, type.getElementType());
  Value blocks = tensor::ExpandShapeOp::create(
      b, split, tile, ArrayRef<ReassociationIndices>{{0, 1}, {2}});
  auto packed =
      RankedTensorType::get({count, keys, panels.width}, type.getElementType());
  Value out = bufferization::AllocTensorOp::create(b, packed, ValueRange());
  out = linalg::TransposeOp::create(b, blocks, out, ArrayRef<int64_t>{0, 2, 1})
            ->getResult(0);
  for (const TransposedProduct &transposed : panels.products) {
    linalg::MatmulOp product = transposed.product;
    b.setInsertionPoint(product);
    Value offset =
        getValueOrCreateConstantIndexOp(b, b.getLoc(), transposed.firstRow);
    TileSlice panel = TileBuilder::at(
        {b.floorDiv(offset, panels.width), b.attr(0), b.attr(0)},
        {b.attr(1), b.attr(keys), b.attr(panels.width)});
    Value plain = b.product(product.getDpsInputs()[0], ChunkBuilder::Form::AsIs,
                            b.extract(out, panel, 2), ChunkBuilder::Form::AsIs,
                            product.getDpsInits()[0]);
    product.getResult(0).replaceAllUsesWith(plain);
    product->erase();
  }
}
