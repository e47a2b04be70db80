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

#include "VectorBuilder.h"
#include "deltanet/IR/DeltaNet.h"

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
  using LoopBody = VectorBuilder::LoopBody;

  Value index(int64_t value) { return b.index(value); }
  Value offset(Value base, int64_t distance) {
    return distance ? b.createOrFold<arith::AddIOp>(base, index(distance))
                    : base;
  }
  scf::ForOp loop(int64_t end, int64_t step, ValueRange inits, LoopBody body) {
    Value first = index(0), last = index(end);
    return b.keptLoop(first, last, step, inits, body);
  }
  Value zero() { return b.splat(0, type); }
  Value read(Value tensor, ValueRange at) { return b.read(type, tensor, at); }

  /// δ and out from the sums with key and query, the values, γ and β.
  std::pair<Value, Value> settle(Value keys, Value queries, Value values,
                                 Value decay, Value beta) {
    auto to = cast<VectorType>(keys.getType());
    Value error = arith::SubFOp::create(b, values, b.multiply(decay, keys));
    Value delta = b.multiply(beta, error);
    Value product = b.broadcast(op.getProduct(), to);
    Value sum = b.fma(product, delta, b.multiply(decay, queries));
    return {delta, b.multiply(b.broadcast(op.getScale(), to), sum)};
  }

  TokenStepOp op;
  VectorBuilder b;
  const int64_t R, G, K, V;
  const VectorType type;
};

/// Writes the loops of a vk step, whose rows hold all of K, in its place.
void vectorizeValueRows(TokenStepOp op);

/// Likewise of a kv step, whose rows hold all of V.
void vectorizeKeyRows(TokenStepOp op);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_TOKENSTEPVECTORIZER_H
