//===- ChunkBuilder.cpp - Code on the tiles of one chunk ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "ChunkBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"

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

Value ChunkBuilder::padded(Value source, ArrayRef<OpFoldResult> offsets,
                           Value rows, std::array<int64_t, 2> shape) {
  SmallVector<OpFoldResult> sizes(offsets.size(), attr(1));
  sizes.front() = rows;
  sizes.back() = attr(shape[1]);
  Value part = extract(source, at(offsets, sizes), 2);
  Type type = tensorType(source).getElementType();
  Value zero = arith::ConstantOp::create(*this, getZeroAttr(type));
  SmallVector<OpFoldResult> before(2, attr(0)),
      after{sub(index(shape[0]), rows), attr(0)};
  return tensor::PadOp::create(*this, RankedTensorType::get(shape, type), part,
                               before, after, zero);
}

Value ChunkBuilder::reduce(Value matrix, unsigned dimension, Value out,
                           ReductionBody body) {
  SmallVector<utils::IteratorType> iterators(2, utils::IteratorType::parallel);
  iterators[dimension] = utils::IteratorType::reduction;
  AffineMap kept =
      AffineMap::get(2, 0, getAffineDimExpr(1 - dimension), getContext());
  auto generic = linalg::GenericOp::create(
      *this, out.getType(), matrix, out,
      ArrayRef<AffineMap>{getMultiDimIdentityMap(2), kept}, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange x) {
        ChunkBuilder builder(loc, nested);
        linalg::YieldOp::create(builder, body(builder, x[0], x[1]));
      });
  return generic.getResult(0);
}

Value ChunkBuilder::largest(Value matrix, unsigned dimension) {
  int64_t size = tensorType(matrix).getDimSize(1 - dimension);
  return reduce(matrix, dimension, fill(scratch({size}), 0.0),
                [](ChunkBuilder &b, Value x, Value largest) -> Value {
                  Value size = math::AbsFOp::create(b, b.widen(x));
                  return arith::MaxNumFOp::create(b, largest, size);
                });
}

// With E the exponent field of m, that of s is 253 + 15 − E, that of 1/s 254
// less it.
std::pair<Value, Value> ChunkBuilder::powerOfTwo(Value m) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(*this, value, 32);
  };
  auto power = [&](Value field) -> Value {
    Value bits = arith::ShLIOp::create(*this, field, number(23));
    return arith::BitcastOp::create(*this, getF32Type(), bits);
  };
  Value bits = arith::BitcastOp::create(*this, getI32Type(), m);
  Value exponent = arith::ShRUIOp::create(*this, bits, number(23));
  Value field = arith::SubIOp::create(*this, number(253 + 15), exponent);
  field = arith::MinSIOp::create(*this, field, number(253));
  field = arith::MaxSIOp::create(*this, field, number(1));
  return {power(field),
          power(arith::SubIOp::create(*this, number(254), field))};
}

Value ChunkBuilder::widen(Value x) {
  return x.getType().isF32() ? x
                             : arith::ExtFOp::create(*this, getF32Type(), x);
}

SmallVector<Value>
ChunkBuilder::parts(Value x, int64_t count,
                    function_ref<Value(ChunkBuilder &, Value)> round) {
  SmallVector<Value> parts{round(*this, x)};
  while (static_cast<int64_t>(parts.size()) < count) {
    x = arith::SubFOp::create(*this, x, widen(parts.back()));
    parts.push_back(round(*this, x));
  }
  return parts;
}

Value ChunkBuilder::roundToTf32(Value x) {
  constexpr int64_t kHalf = 1 << 12, kKept = ~int64_t(0x1fff);
  Value half = arith::ConstantIntOp::create(*this, kHalf, 32);
  Value kept = arith::ConstantIntOp::create(*this, int32_t(kKept), 32);
  Value bits = arith::BitcastOp::create(*this, getI32Type(), x);
  bits = arith::AndIOp::create(*this, arith::AddIOp::create(*this, bits, half),
                               kept);
  Value rounded = arith::BitcastOp::create(*this, getF32Type(), bits);
  // A NaN of all ones would become zero.
  Value isNaN = arith::CmpFOp::create(*this, arith::CmpFPredicate::UNO, x, x);
  return arith::SelectOp::create(*this, isNaN, x, rounded);
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
