//===- VectorBuilder.h - Short spellings for code on vectors --------------===//
//
// Part of the Delta-Net project.
//
// The passes that write operations as loops on vectors share this builder, as
// the expansions before them share TileBuilder.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_VECTORBUILDER_H
#define DELTANET_LIB_TRANSFORMS_VECTORBUILDER_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::deltanet {

class VectorBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  Value index(int64_t value);

  /// The vector of this type that begins at `at`; all of it is in bounds.
  Value read(VectorType type, Value tensor, ValueRange at);
  /// The tensor with a vector written at `at`, all of it in bounds.
  Value write(Value vector, Value tensor, ValueRange at);

  /// One element, and the vector that repeats it.
  Value load(Value tensor, ValueRange at);
  Value broadcast(Value scalar, VectorType type);
  Value broadcastElement(Value tensor, ValueRange at, VectorType type) {
    return broadcast(load(tensor, at), type);
  }

  Value splat(float value, VectorType type);
  Value multiply(Value x, Value y);
  /// x y + z.
  Value fma(Value x, Value y, Value z);

  using LoopBody = function_ref<SmallVector<Value>(Value, ValueRange)>;
  /// for (i = begin; i < end; i += step) carrying `inits`, which LLVM leaves as
  /// it is: unrolled further, it would spill what it carries.
  scf::ForOp keptLoop(Value begin, Value end, int64_t step, ValueRange inits,
                      LoopBody body);
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_VECTORBUILDER_H
