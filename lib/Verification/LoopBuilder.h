//===- LoopBuilder.h - Loops over tensor elements ---------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_VERIFICATION_LOOPBUILDER_H
#define DELTANET_LIB_VERIFICATION_LOOPBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::deltanet::verification {

/// Writes scalar code on tensors: loops that carry values, elements read as f32
/// and written rounded.
class LoopBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;
  using Body = function_ref<SmallVector<Value>(Value iv, ValueRange carried)>;

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(*this, value);
  }
  Value f32(float value) {
    return arith::ConstantOp::create(*this, getF32FloatAttr(value));
  }
  Value add(Value x, Value y) {
    return isa<IndexType>(x.getType())
               ? arith::AddIOp::create(*this, x, y).getResult()
               : arith::AddFOp::create(*this, x, y).getResult();
  }
  Value subtract(Value x, Value y) {
    return isa<IndexType>(x.getType())
               ? arith::SubIOp::create(*this, x, y).getResult()
               : arith::SubFOp::create(*this, x, y).getResult();
  }
  Value multiply(Value x, Value y) {
    return arith::MulFOp::create(*this, x, y);
  }
  Value divide(Value x, int64_t y) {
    return arith::DivUIOp::create(*this, x, index(y));
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(*this, predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(*this, condition, x, y);
  }

  /// An element as f32, or as index if the tensor holds integers.
  Value load(Value tensor, ValueRange indices) {
    Value element = tensor::ExtractOp::create(*this, tensor, indices);
    Type type = element.getType();
    if (isa<IntegerType>(type))
      return arith::IndexCastOp::create(*this, getIndexType(), element);
    return type.isF32() ? element
                        : arith::ExtFOp::create(*this, getF32Type(), element)
                              .getResult();
  }

  /// The tensor with an f32 value, rounded to its type, at `indices`.
  Value store(Value value, Value tensor, ValueRange indices) {
    Type type = cast<RankedTensorType>(tensor.getType()).getElementType();
    if (!type.isF32())
      value = arith::TruncFOp::create(*this, type, value);
    return tensor::InsertOp::create(*this, value, tensor, indices);
  }

  /// for iv = begin to end { carried = body(iv, carried) }.
  SmallVector<Value> loop(Value begin, Value end, ValueRange inits, Body body) {
    auto loop = scf::ForOp::create(*this, begin, end, index(1), inits);
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPointToStart(loop.getBody());
    SmallVector<Value> results =
        body(loop.getInductionVar(), loop.getRegionIterArgs());
    // Without carried values, the loop comes with its terminator.
    if (!inits.empty())
      scf::YieldOp::create(*this, results);
    return llvm::to_vector_of<Value>(loop.getResults());
  }
  SmallVector<Value> loop(int64_t end, ValueRange inits, Body body) {
    return loop(index(0), index(end), inits, body);
  }
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_LIB_VERIFICATION_LOOPBUILDER_H
