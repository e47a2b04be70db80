//===- TokenStepVectorizer.h - What token steps on vectors share ----------===//
//
// Part of the Delta-Net project.
//
// Decode is bound by memory, and one core gets most out of it when the hardware
// prefetches several sequential streams: R rows are taken at once, from parts
// of the state that are equally far apart, and each part is walked in order.
// Software prefetches beside such streams only take their places.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_TOKENSTEPVECTORIZER_H
#define DELTANET_LIB_TRANSFORMS_TOKENSTEPVECTORIZER_H

#include "deltanet/IR/DeltaNet.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::deltanet {

/// Writes one token_step; what both state layouts need.
class TokenStepVectorizer {
public:
  explicit TokenStepVectorizer(TokenStepOp op)
      : op(op), b(op.getLoc(), op), R(op.getRows()), G(op.getHeads()),
        K(op.getKeyDim()), V(op.getValueDim()),
        type(VectorType::get({kLanes}, b.getF32Type())) {}

protected:
  static constexpr int64_t kLanes = 8;
  using LoopBody = function_ref<SmallVector<Value>(Value, ValueRange)>;

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value offset(Value base, int64_t distance) {
    return distance ? b.createOrFold<arith::AddIOp>(base, index(distance))
                    : base;
  }
  /// A loop that LLVM leaves as it is.
  scf::ForOp loop(int64_t end, int64_t step, ValueRange inits, LoopBody body) {
    Value first = index(0), last = index(end), width = index(step);
    auto loop = scf::ForOp::create(b, first, last, width, inits);
    loop->setAttr(DeltaNetDialect::kKeepLoopAttr, b.getUnitAttr());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> results =
        body(loop.getInductionVar(), loop.getRegionIterArgs());
    if (!inits.empty())
      scf::YieldOp::create(b, results);
    return loop;
  }

  Value zero() { return arith::ConstantOp::create(b, b.getZeroAttr(type)); }
  Value read(Value tensor, ValueRange indices) {
    return vector::TransferReadOp::create(b, type, tensor, indices,
                                          /*padding=*/std::nullopt,
                                          ArrayRef<bool>{true});
  }
  Value write(Value vector, Value tensor, ValueRange indices) {
    return vector::TransferWriteOp::create(b, vector, tensor, indices,
                                           ArrayRef<bool>{true})
        .getResult();
  }
  Value load(Value tensor, ValueRange indices) {
    return tensor::ExtractOp::create(b, tensor, indices);
  }
  Value broadcast(Value scalar, VectorType to) {
    return vector::BroadcastOp::create(b, to, scalar);
  }
  Value fma(Value x, Value y, Value z) {
    return vector::FMAOp::create(b, x, y, z);
  }
  Value multiply(Value x, Value y) { return arith::MulFOp::create(b, x, y); }

  /// δ and out from the sums with key and query, the values, γ and β.
  std::pair<Value, Value> settle(Value keys, Value queries, Value values,
                                 Value decay, Value beta) {
    auto to = cast<VectorType>(keys.getType());
    Value error = arith::SubFOp::create(b, values, multiply(decay, keys));
    Value delta = multiply(beta, error);
    Value product = broadcast(op.getProduct(), to);
    Value sum = fma(product, delta, multiply(decay, queries));
    return {delta, multiply(broadcast(op.getScale(), to), sum)};
  }

  TokenStepOp op;
  ImplicitLocOpBuilder b;
  const int64_t R, G, K, V;
  const VectorType type;
};

/// Writes the loops of a vk step, whose rows hold all of K, in its place.
void vectorizeValueRows(TokenStepOp op);

/// Likewise of a kv step, whose rows hold all of V.
void vectorizeKeyRows(TokenStepOp op);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_TOKENSTEPVECTORIZER_H
