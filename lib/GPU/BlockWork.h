//===- BlockWork.h - Operations of many elements for a block --------------===//
//
// Part of the Delta-Net project.
//
// Between two operations of which one needs what the other makes, the threads
// of a block wait for each other. So expansions for a block make few operations
// of many parallel elements, each of which may read several elements of an
// operand.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_BLOCKWORK_H
#define DELTANET_LIB_GPU_BLOCKWORK_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::deltanet {

class BlockWork : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  /// A new buffer of f32.
  Value scratch(ArrayRef<int64_t> shape);
  /// One with room for one more of a dimension, so that what lies around it is
  /// in other banks of shared memory.
  Value scratchApart(ArrayRef<int64_t> shape, unsigned dimension);
  /// The same elements with more dimensions, or with fewer: `groups` says how
  /// many of the many are one of the few.
  Value split(Value tensor, ArrayRef<int64_t> shape, ArrayRef<int64_t> groups);
  Value join(Value tensor, ArrayRef<int64_t> groups);

  Value f32(double value);
  /// Of numbers of elements.
  Value isBelow(Value a, Value b);
  Value isAtMost(Value a, Value b);
  Value isEqual(Value a, Value b);
  Value element(int64_t dimension);
  Value select(Value condition, Value yes, Value no);
  Value add(Value a, Value b);
  /// a b + c, rounded once.
  Value fma(Value a, Value b, Value c);

  /// Element `at` of a tensor, by numbers of the iteration space or constants.
  struct Operand {
    Value tensor;
    SmallVector<AffineExpr> at;
  };
  AffineExpr dimension(unsigned number) { return getAffineDimExpr(number); }
  AffineExpr constant(int64_t value) { return getAffineConstantExpr(value); }

  using Body = function_ref<SmallVector<Value>(BlockWork &, ValueRange)>;
  /// Updates `outs`, which have the dimensions of the iteration space, by
  /// body(inputs…, outs…).
  SmallVector<Value> compute(ArrayRef<Operand> inputs, ValueRange outs,
                             Body body);

  /// Updates out by body(inputs…, out) for all elements of an iteration space
  /// of the dimensions of out, and then of `reductions` more. One thread
  /// computes the elements of the last dimension of out together.
  Value computeTogether(ArrayRef<Operand> inputs, const Operand &out,
                        unsigned reductions, Body body);
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_BLOCKWORK_H
