//===- TileBuilder.cpp - Short spellings for code on tensor tiles ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "TileBuilder.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::deltanet;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

Value TileBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(*this, value);
}
Value TileBuilder::add(Value a, Value b) {
  return createOrFold<arith::AddIOp>(a, b);
}
Value TileBuilder::sub(Value a, Value b) {
  return createOrFold<arith::SubIOp>(a, b);
}
Value TileBuilder::mul(Value a, int64_t b) {
  return b == 1 ? a : createOrFold<arith::MulIOp>(a, index(b));
}
Value TileBuilder::min(Value a, Value b) {
  return createOrFold<arith::MinSIOp>(a, b);
}
Value TileBuilder::ceilDiv(Value a, int64_t b) {
  return b == 1 ? a : floorDiv(add(a, index(b - 1)), b);
}
Value TileBuilder::floorDiv(Value a, int64_t b) {
  // Only counts are divided, which are not negative.
  return b == 1 ? a : createOrFold<arith::DivUIOp>(a, index(b));
}

Value TileBuilder::f32(double value) {
  return arith::ConstantOp::create(*this, getF32FloatAttr(value));
}
Value TileBuilder::addf(Value a, Value b) {
  return createOrFold<arith::AddFOp>(a, b);
}
Value TileBuilder::mulf(Value a, Value b) {
  return createOrFold<arith::MulFOp>(a, b);
}
Value TileBuilder::inverseRoot(Value square) {
  Value isZero =
      create<arith::CmpFOp>(arith::CmpFPredicate::OEQ, square, f32(0.0));
  Value root = create<math::SqrtOp>(square);
  Value inverse = create<arith::DivFOp>(f32(1.0), root);
  return create<arith::SelectOp>(isZero, f32(0.0), inverse);
}

Value TileBuilder::scratch(ArrayRef<int64_t> shape, Type type) {
  return bufferization::AllocTensorOp::create(
      *this, RankedTensorType::get(shape, type ? type : getF32Type()),
      ValueRange());
}

TileSlice TileBuilder::at(ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) {
  TileSlice slice;
  slice.offsets.assign(offsets.begin(), offsets.end());
  slice.sizes.assign(sizes.begin(), sizes.end());
  Builder builder(sizes.front().getContext());
  slice.strides.assign(offsets.size(), builder.getIndexAttr(1));
  return slice;
}

Value TileBuilder::extract(Value tensor, const TileSlice &slice, int64_t rank) {
  RankedTensorType source = tensorType(tensor);
  auto [shape, dynamic] = decomposeMixedValues(slice.sizes);
  // Drop leading unit dimensions first, so that a tile [n,1,K] becomes [n,K].
  SmallVector<int64_t> kept(shape.begin(), shape.end());
  for (auto it = kept.begin();
       static_cast<int64_t>(kept.size()) > rank && it != kept.end();)
    it = *it == 1 ? kept.erase(it) : std::next(it);
  return tensor::ExtractSliceOp::create(
      *this, RankedTensorType::get(kept, source.getElementType()), tensor,
      slice.offsets, slice.sizes, slice.strides);
}

Value TileBuilder::insert(Value tile, Value tensor, const TileSlice &slice) {
  return tensor::InsertSliceOp::create(*this, tile, tensor, slice.offsets,
                                       slice.sizes, slice.strides);
}

Value TileBuilder::load(Value tensor, ValueRange indices) {
  return tensor::ExtractOp::create(*this, tensor, indices);
}
Value TileBuilder::store(Value element, Value tensor, ValueRange indices) {
  return tensor::InsertOp::create(*this, element, tensor, indices);
}

void TileBuilder::prefetch(Value tensor, ValueRange indices, bool isWrite) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
  auto layout =
      StridedLayoutAttr::get(getContext(), ShapedType::kDynamic, strides);
  Value memory = bufferization::ToBufferOp::create(
      *this, MemRefType::get(type.getShape(), type.getElementType(), layout),
      tensor, /*read_only=*/true);
  memref::PrefetchOp::create(*this, memory, indices, isWrite,
                             /*localityHint=*/3, /*isDataCache=*/true);
}

SmallVector<Value> TileBuilder::loop(Value lower, Value upper, int64_t step,
                                     ValueRange inits, LoopBody body) {
  auto loop = scf::ForOp::create(*this, lower, upper, index(step), inits);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  SmallVector<Value> results =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!inits.empty() || loop.getBody()->empty() ||
      !loop.getBody()->back().hasTrait<OpTrait::IsTerminator>())
    scf::YieldOp::create(*this, results);
  return llvm::to_vector_of<Value>(loop.getResults());
}

SmallVector<Value> TileBuilder::loop(int64_t upper, int64_t step,
                                     ValueRange inits, LoopBody body) {
  Value first = index(0), end = index(upper);
  return loop(first, end, step, inits, body);
}

SmallVector<Value> TileBuilder::when(Value condition, ValueRange otherwise,
                                     function_ref<SmallVector<Value>()> body) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(*this, TypeRange(otherwise), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(*this, body());
  setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(*this, otherwise);
  return llvm::to_vector_of<Value>(branch.getResults());
}

Value TileBuilder::elementwise(ArrayRef<Input> inputs, Value out,
                               ElementBody body) {
  unsigned rank = tensorType(out).getRank();
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const Input &input : inputs) {
    tensors.push_back(input.tensor);
    SmallVector<AffineExpr> results;
    for (unsigned dimension : input.dimensions)
      results.push_back(getAffineDimExpr(dimension));
    maps.push_back(AffineMap::get(rank, 0, results, getContext()));
  }
  maps.push_back(getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      *this, out.getType(), tensors, out, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange arguments) {
        TileBuilder builder(loc, nested);
        linalg::YieldOp::create(builder, body(builder, arguments));
      });
  return generic.getResult(0);
}

Value TileBuilder::copy(Value tile, Value out) {
  Type from = tensorType(tile).getElementType();
  Type to = tensorType(out).getElementType();
  if (from == to)
    return linalg::CopyOp::create(*this, tile, out).getResult(0);
  SmallVector<unsigned> all =
      llvm::to_vector(llvm::seq<unsigned>(0, tensorType(out).getRank()));
  return elementwise(
      {{tile, all}}, out, [&](TileBuilder &b, ValueRange x) -> Value {
        if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth())
          return arith::ExtFOp::create(b, to, x[0]);
        return arith::TruncFOp::create(b, to, x[0]);
      });
}

Value TileBuilder::fill(Value out, double value) {
  return linalg::FillOp::create(*this, f32(value), out).getResult(0);
}

Value TileBuilder::transpose(Value tile, Value out) {
  return linalg::TransposeOp::create(*this, tile, out, ArrayRef<int64_t>{1, 0})
      ->getResult(0);
}

Value TileBuilder::dot(Value a, Value b) {
  // Sixteen partial sums first: a sum along a row has no vector form.
  constexpr int64_t lanes = 16;
  int64_t length = tensorType(a).getDimSize(0);
  auto folded = RankedTensorType::get({length / lanes, lanes}, getF32Type());
  SmallVector<ReassociationIndices> groups{{0, 1}};
  Value rows = tensor::ExpandShapeOp::create(*this, folded, a, groups);
  Value columns =
      a == b
          ? rows
          : tensor::ExpandShapeOp::create(*this, folded, b, groups).getResult();
  using utils::IteratorType;
  auto multiplyAdd = [](OpBuilder &nested, Location loc, ValueRange x) {
    TileBuilder builder(loc, nested);
    linalg::YieldOp::create(builder,
                            builder.addf(x[2], builder.mulf(x[0], x[1])));
  };
  AffineMap both = getMultiDimIdentityMap(2);
  AffineMap lane = AffineMap::get(2, 0, getAffineDimExpr(1), getContext());
  Value partial = fill(scratch({lanes}), 0.0);
  partial = linalg::GenericOp::create(
                *this, partial.getType(), ValueRange{rows, columns}, partial,
                ArrayRef<AffineMap>{both, both, lane},
                ArrayRef<IteratorType>{IteratorType::reduction,
                                       IteratorType::parallel},
                multiplyAdd)
                .getResult(0);
  auto scalar = RankedTensorType::get({}, getF32Type());
  Value sum = fill(scratch({}), 0.0);
  sum = linalg::GenericOp::create(
            *this, scalar, ValueRange{partial}, sum,
            ArrayRef<AffineMap>{getMultiDimIdentityMap(1),
                                AffineMap::get(1, 0, getContext())},
            ArrayRef<IteratorType>{IteratorType::reduction},
            [](OpBuilder &nested, Location loc, ValueRange x) {
              TileBuilder builder(loc, nested);
              linalg::YieldOp::create(builder, builder.addf(x[1], x[0]));
            })
            .getResult(0);
  return load(sum, {});
}
