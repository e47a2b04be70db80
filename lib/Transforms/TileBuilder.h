//===- TileBuilder.h - Short spellings for code on tensor tiles -----------===//
//
// Part of the Delta-Net project.
//
// The expansions write loops, slices and elementwise operations on tiles; this
// builder lets them read like the formulas they implement.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_TILEBUILDER_H
#define DELTANET_LIB_TRANSFORMS_TILEBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::deltanet {

/// A rectangular part of a tensor: offsets, sizes and strides a dimension. Unit
/// dimensions that the tile does not have are dropped.
struct TileSlice {
  SmallVector<OpFoldResult> offsets, sizes, strides;
};

class TileBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  /// Index arithmetic, folded where the operands are constants.
  Value index(int64_t value);
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, int64_t b);
  Value min(Value a, Value b);
  Value ceilDiv(Value a, int64_t b);
  Value floorDiv(Value a, int64_t b);

  Value f32(double value);
  Value addf(Value a, Value b);
  Value mulf(Value a, Value b);
  /// 1 / sqrt(square), or 0 for 0: the factor that leaves a zero row zero.
  Value inverseRoot(Value square);

  /// A new buffer, of f32 unless told, that slices are written into.
  Value scratch(ArrayRef<int64_t> shape, Type type = Type());

  /// The slice with these offsets and sizes and unit strides.
  static TileSlice at(ArrayRef<OpFoldResult> offsets,
                      ArrayRef<OpFoldResult> sizes);
  OpFoldResult attr(int64_t value) { return getIndexAttr(value); }

  /// The tile that `slice` names, of rank `rank`.
  Value extract(Value tensor, const TileSlice &slice, int64_t rank);
  Value insert(Value tile, Value tensor, const TileSlice &slice);

  /// One element.
  Value load(Value tensor, ValueRange indices);
  Value store(Value element, Value tensor, ValueRange indices);

  /// Asks for the cache line of an element that is soon read or written.
  void prefetch(Value tensor, ValueRange indices, bool isWrite);

  using LoopBody = function_ref<SmallVector<Value>(Value, ValueRange)>;
  /// for (i = lower; i < upper; i += step) carrying values; the results.
  SmallVector<Value> loop(Value lower, Value upper, int64_t step,
                          ValueRange inits, LoopBody body);

  /// The same from 0.
  SmallVector<Value> loop(int64_t upper, int64_t step, ValueRange inits,
                          LoopBody body);

  /// What `body` computes where the condition holds, else `otherwise`. A null
  /// condition always holds.
  SmallVector<Value> when(Value condition, ValueRange otherwise,
                          function_ref<SmallVector<Value>()> body);

  using ElementBody = function_ref<Value(TileBuilder &, ValueRange)>;
  /// out[…] = body(inputs[…]) over the dimensions of out; an input of a lower
  /// rank is named by the dimensions it has.
  struct Input {
    Value tensor;
    SmallVector<unsigned> dimensions;
  };
  Value elementwise(ArrayRef<Input> inputs, Value out, ElementBody body);
  /// out = convert(tile), f32 ↔ 16-bit floats or a plain copy.
  Value copy(Value tile, Value out);
  Value fill(Value out, double value);
  /// out[j,i] = tile[i,j].
  Value transpose(Value tile, Value out);
  /// Σ_i a[i] b[i] of two rows whose length is a multiple of 16.
  Value dot(Value a, Value b);
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_TILEBUILDER_H
