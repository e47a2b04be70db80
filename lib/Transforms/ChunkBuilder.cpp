//===- ChunkBuilder.cpp - Code on the tiles of one chunk ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "ChunkBuilder.h"

using namespace mlir;
using namespace mlir::deltanet;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

SmallVector<Value> ChunkBuilder::elementwise(ArrayRef<Operand> inputs,
                                             ValueRange outs,
                                             ElementsBody body) {
  unsigned rank = tensorType(outs.front()).getRank();
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const Operand &input : inputs) {
    tensors.push_back(input.tensor);
    SmallVector<AffineExpr> dimensions;
    for (unsigned dimension : input.dimensions)
      dimensions.push_back(getAffineDimExpr(dimension));
    maps.push_back(AffineMap::get(rank, 0, dimensions, getContext()));
  }
  maps.append(outs.size(), getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      *this, TypeRange(outs), tensors, outs, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange arguments) {
        ChunkBuilder builder(loc, nested);
        linalg::YieldOp::create(builder, body(builder, arguments));
      });
  return llvm::to_vector_of<Value>(generic.getResults());
}

Value ChunkBuilder::product(Value a, Form aForm, Value b, Form bForm,
                            Value acc) {
  AffineExpr m, n, k;
  bindDims(getContext(), m, n, k);
  auto map = [&](AffineExpr row, AffineExpr column, Form form) {
    if (form == Form::Transposed)
      std::swap(row, column);
    return AffineMap::get(3, 0, {row, column}, getContext());
  };
  NamedAttribute maps(getStringAttr("indexing_maps"),
                      getAffineMapArrayAttr({map(m, k, aForm), map(k, n, bForm),
                                             map(m, n, Form::AsIs)}));
  return linalg::MatmulOp::create(*this, acc.getType(), ValueRange{a, b}, acc,
                                  maps)
      .getResult(0);
}

Value ChunkBuilder::product(Value a, Value b, Value out) {
  return product(a, Form::AsIs, b, Form::AsIs, fill(out, 0.0));
}

void ChunkBuilder::splitOperands(Value product, bool left, bool right) {
  product.getDefiningOp()->setAttr(DeltaNetDialect::kSplitOperandsAttr,
                                   getDenseBoolArrayAttr({left, right}));
}

Value ChunkBuilder::gather(Value source, ArrayRef<OpFoldResult> offsets,
                           Value rows, Value tile) {
  RankedTensorType type = tensorType(tile);
  int64_t rank = type.getRank();
  SmallVector<OpFoldResult> sizes(offsets.size(), attr(1));
  sizes.front() = rows;
  if (rank == 2)
    sizes.back() = attr(type.getDimSize(1));
  // The rows that are left keep nothing of an earlier chunk: zero keys, values,
  // gates and betas change neither state nor output.
  auto part = [&](Value first, Value count) {
    SmallVector<OpFoldResult> at{first}, size{count};
    if (rank == 2) {
      at.push_back(attr(0));
      size.push_back(sizes.back());
    }
    return TileBuilder::at(at, size);
  };
  TileSlice filled = part(index(0), rows);
  TileSlice cleared = part(rows, sub(index(type.getDimSize(0)), rows));
  Value from = extract(source, at(offsets, sizes), rank);
  Value copied = copy(from, extract(tile, filled, rank));
  tile = insert(copied, tile, filled);
  Value zeros = fill(extract(tile, cleared, rank), 0.0);
  return insert(zeros, tile, cleared);
}

SmallVector<Value> ChunkBuilder::causalBlocks(int64_t chunk, int64_t side,
                                              ValueRange tiles,
                                              BlockBody body) {
  return loop(chunk, side, tiles, [&](Value column, ValueRange outer) {
    return loop(
        column, index(chunk), side, outer,
        [&](Value row, ValueRange inner) { return body(row, column, inner); });
  });
}

TileSlice ChunkBuilder::block(Value row, Value column, int64_t side) {
  return at({row, column}, {attr(side), attr(side)});
}
