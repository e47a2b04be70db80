//===- MapOp.cpp - Computing tiles element by element ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Fragment/IR/Fragment.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::deltanet::fragment;

void MapOp::build(
    OpBuilder &builder, OperationState &state, TypeRange results,
    ValueRange inputs,
    function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)> body) {
  state.addTypes(results);
  state.addOperands(inputs);
  Region *region = state.addRegion();
  if (!body)
    return;
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> elements;
  for (Type type : inputs.getTypes())
    elements.push_back(cast<TileType>(type).getElementType());
  Block *block = builder.createBlock(
      region, {}, elements,
      SmallVector<Location>(elements.size(), state.location));
  YieldOp::create(builder, state.location,
                  body(builder, state.location, block->getArguments()));
}

YieldOp MapOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

/// Each type is the element type of the tile at its place.
static LogicalResult verifyElements(Operation *op, StringRef what,
                                    TypeRange got, TypeRange tiles) {
  if (got.size() != tiles.size())
    return op->emitOpError("expected ")
           << tiles.size() << " " << what << "s, got " << got.size();
  for (auto [index, type, tile] : llvm::enumerate(got, tiles))
    if (Type expected = cast<TileType>(tile).getElementType(); type != expected)
      return op->emitOpError("expected ")
             << what << " " << index << " of " << expected << ", got " << type;
  return success();
}

// C36.
LogicalResult MapOp::verify() {
  if (getNumResults() == 0)
    return emitOpError("expected at least one result, got none");
  auto result = cast<TileType>(getResult(0).getType());
  for (Type type : getResultTypes())
    if (cast<TileType>(type).getShape() != result.getShape() ||
        cast<TileType>(type).getLayout() != result.getLayout())
      return emitOpError("expected results with the shape and layout of ")
             << result << ", got " << type;
  for (Type type : getOperandTypes()) {
    auto input = cast<TileType>(type);
    bool fits = input.getLayout() == result.getLayout();
    for (auto [own, all] : llvm::zip(input.getShape(), result.getShape()))
      fits &= own == all || own == 1;
    if (!fits)
      return emitOpError("expected inputs with the layout of ")
             << result << " and its sizes or 1, got " << input;
  }
  return success();
}

// C36.
LogicalResult MapOp::verifyRegions() {
  Block &block = getBody().front();
  YieldOp yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return emitOpError("expected a body that ends with a fragment.yield");
  if (failed(verifyElements(*this, "argument", block.getArgumentTypes(),
                            getOperandTypes())) ||
      failed(verifyElements(yield, "value", yield.getOperandTypes(),
                            getResultTypes())))
    return failure();
  auto isScalar = [](Type type) { return !isa<TileType, ShapedType>(type); };
  WalkResult found = getBody().walk([&](Operation *op) -> WalkResult {
    if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
        !isMemoryEffectFree(op))
      return op->emitOpError("expected no effect on memory in a fragment.map");
    if (!llvm::all_of(op->getOperandTypes(), isScalar) ||
        !llvm::all_of(op->getResultTypes(), isScalar))
      return op->emitOpError("expected scalars in a fragment.map");
    return WalkResult::advance();
  });
  return failure(found.wasInterrupted());
}
