//===- VectorBuilder.cpp - Short spellings for code on vectors ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "VectorBuilder.h"
#include "deltanet/IR/DeltaNet.h"

using namespace mlir;
using namespace mlir::deltanet;

Value VectorBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(*this, value);
}

Value VectorBuilder::read(VectorType type, Value tensor, ValueRange at) {
  return vector::TransferReadOp::create(
      *this, type, tensor, at, /*padding=*/std::nullopt,
      SmallVector<bool>(type.getRank(), true));
}

Value VectorBuilder::write(Value vector, Value tensor, ValueRange at) {
  int64_t rank = cast<VectorType>(vector.getType()).getRank();
  return vector::TransferWriteOp::create(*this, vector, tensor, at,
                                         SmallVector<bool>(rank, true))
      .getResult();
}

Value VectorBuilder::load(Value tensor, ValueRange at) {
  return tensor::ExtractOp::create(*this, tensor, at);
}

Value VectorBuilder::broadcast(Value scalar, VectorType type) {
  return vector::BroadcastOp::create(*this, type, scalar);
}

Value VectorBuilder::splat(float value, VectorType type) {
  return arith::ConstantOp::create(*this, DenseElementsAttr::get(type, value));
}

Value VectorBuilder::multiply(Value x, Value y) {
  return arith::MulFOp::create(*this, x, y);
}

Value VectorBuilder::fma(Value x, Value y, Value z) {
  return vector::FMAOp::create(*this, x, y, z);
}

scf::ForOp VectorBuilder::keptLoop(Value begin, Value end, int64_t step,
                                   ValueRange inits, LoopBody body) {
  auto loop = scf::ForOp::create(*this, begin, end, index(step), inits);
  loop->setAttr(DeltaNetDialect::kKeepLoopAttr, getUnitAttr());
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(*this,
                       body(loop.getInductionVar(), loop.getRegionIterArgs()));
  return loop;
}
