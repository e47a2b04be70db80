//===- BlockWork.cpp - Operations of many elements for a block ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "BlockWork.h"
#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::deltanet;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

Value BlockWork::scratch(ArrayRef<int64_t> shape) {
  return bufferization::AllocTensorOp::create(
      *this, RankedTensorType::get(shape, getF32Type()), ValueRange());
}

static SmallVector<ReassociationIndices> reassociate(ArrayRef<int64_t> groups) {
  SmallVector<ReassociationIndices> indices;
  int64_t next = 0;
  for (int64_t count : groups) {
    indices.emplace_back();
    for (int64_t i = 0; i < count; ++i)
      indices.back().push_back(next++);
  }
  return indices;
}

Value BlockWork::scratchApart(ArrayRef<int64_t> shape, unsigned dimension) {
  SmallVector<int64_t> room(shape);
  ++room[dimension];
  SmallVector<OpFoldResult> offsets(shape.size(), getIndexAttr(0));
  SmallVector<OpFoldResult> strides(shape.size(), getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      *this, scratch(room), offsets,
      getAsIndexOpFoldResult(getContext(), shape), strides);
}

Value BlockWork::split(Value tensor, ArrayRef<int64_t> shape,
                       ArrayRef<int64_t> groups) {
  auto type = RankedTensorType::get(shape, tensorType(tensor).getElementType());
  return tensor::ExpandShapeOp::create(*this, type, tensor,
                                       reassociate(groups));
}
Value BlockWork::join(Value tensor, ArrayRef<int64_t> groups) {
  return tensor::CollapseShapeOp::create(*this, tensor, reassociate(groups));
}

Value BlockWork::f32(double value) {
  return arith::ConstantOp::create(*this, getF32FloatAttr(value));
}
Value BlockWork::isBelow(Value a, Value b) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::ult, a, b);
}
Value BlockWork::isAtMost(Value a, Value b) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::ule, a, b);
}
Value BlockWork::isEqual(Value a, Value b) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::eq, a, b);
}
Value BlockWork::element(int64_t dimension) {
  return linalg::IndexOp::create(*this, dimension);
}
Value BlockWork::select(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(*this, condition, yes, no);
}
Value BlockWork::add(Value a, Value b) {
  return arith::AddFOp::create(*this, a, b);
}
Value BlockWork::fma(Value a, Value b, Value c) {
  return math::FmaOp::create(*this, a, b, c);
}

/// An operation over the dimensions of `outs` and `reductions` more.
static linalg::GenericOp makeGeneric(BlockWork &work,
                                     ArrayRef<BlockWork::Operand> inputs,
                                     ArrayRef<BlockWork::Operand> outs,
                                     unsigned reductions,
                                     BlockWork::Body body) {
  unsigned parallel = tensorType(outs.front().tensor).getRank();
  SmallVector<Value> from, to;
  SmallVector<AffineMap> maps;
  auto add = [&](const BlockWork::Operand &operand, SmallVector<Value> &list) {
    list.push_back(operand.tensor);
    maps.push_back(AffineMap::get(parallel + reductions, 0, operand.at,
                                  work.getContext()));
  };
  for (const BlockWork::Operand &input : inputs)
    add(input, from);
  for (const BlockWork::Operand &out : outs)
    add(out, to);
  SmallVector<utils::IteratorType> iterators(parallel,
                                             utils::IteratorType::parallel);
  iterators.append(reductions, utils::IteratorType::reduction);
  return linalg::GenericOp::create(
      work, TypeRange(ValueRange(to)), from, to, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange arguments) {
        BlockWork inner(loc, nested);
        linalg::YieldOp::create(inner, body(inner, arguments));
      });
}

SmallVector<Value> BlockWork::compute(ArrayRef<Operand> inputs, ValueRange outs,
                                      Body body) {
  SmallVector<AffineExpr> all;
  for (int64_t i = 0; i < tensorType(outs.front()).getRank(); ++i)
    all.push_back(dimension(i));
  SmallVector<Operand> operands;
  for (Value out : outs)
    operands.push_back({out, all});
  return llvm::to_vector_of<Value>(
      makeGeneric(*this, inputs, operands, 0, body).getResults());
}

Value BlockWork::computeTogether(ArrayRef<Operand> inputs, const Operand &out,
                                 unsigned reductions, Body body) {
  linalg::GenericOp op = makeGeneric(*this, inputs, out, reductions, body);
  op->setAttr(DeltaNetDialect::kTogetherAttr, getUnitAttr());
  return op.getResult(0);
}
