//===- FragmentBuilder.h - Short spellings for code on fragments ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_FRAGMENTBUILDER_H
#define DELTANET_LIB_GPU_FRAGMENTBUILDER_H

#include "FragmentPlaces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::deltanet {

class FragmentBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  /// The tile that a tensor is at a place, without leading dimensions of
  /// size 1.
  fragment::TileType tileType(RankedTensorType tensor,
                              const FragmentPlace &place);

  /// The tile in a tensor, and a tile in place of one.
  Value load(Value tensor, const FragmentPlace &place);
  Value store(Value tile, Value tensor, const FragmentPlace &place);

  /// A new tensor in shared memory, in the order of `fragment.copy_async`, and
  /// the same with a tile in it.
  Value shared(RankedTensorType type);
  Value storeShared(Value tile, Value tensor, const FragmentPlace &place);
  Value loadShared(Value tensor, const FragmentPlace &place);

  using Body = function_ref<Value(OpBuilder &, ValueRange)>;
  /// One element from one of each input.
  Value map(fragment::TileType type, ValueRange inputs, Body body);

private:
  Value withoutUnits(Value tensor, const FragmentPlace &place);
};

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_FRAGMENTBUILDER_H
