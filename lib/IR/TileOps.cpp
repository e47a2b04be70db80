//===- TileOps.cpp - Verification of the one-chunk operations -------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/IR/DeltaNet.h"

using namespace mlir;
using namespace mlir::deltanet;

/// C20.
LogicalResult RecurrencePassOp::verify() {
  auto state = cast<RankedTensorType>(getState().getType());
  auto current = cast<RankedTensorType>(getCurrent().getType());
  if (state.getRank() != 2 || !state.hasStaticShape() || state.getEncoding() ||
      !state.getElementType().isF32() || state.getDimSize(0) < 1 ||
      state.getDimSize(1) < 8 || state.getDimSize(1) > 64 ||
      state.getDimSize(1) % 8)
    return emitOpError("expected state as a tensor [K,W] of f32 with W a "
                       "multiple of 8 from 8 to 64, got ")
           << state;
  if (current.getRank() != 3 || current.getDimSize(0) < 1 ||
      current.getDimSize(0) > 8)
    return emitOpError("expected current as a tensor [B,2,K] of f32 with B "
                       "from 1 to 8, got ")
           << current;
  int64_t tokens = current.getDimSize(0), keys = state.getDimSize(0),
          columns = state.getDimSize(1);
  Type f32 = state.getElementType();
  auto expect = [&](StringRef name, Type got,
                    ArrayRef<int64_t> shape) -> LogicalResult {
    auto expected = RankedTensorType::get(shape, f32);
    if (got == expected)
      return success();
    return emitOpError("expected ")
           << name << " as " << expected << ", got " << got;
  };
  if (failed(expect("current", current, {tokens, 2, keys})) ||
      failed(expect("previous", getPrevious().getType(), {tokens, 2, keys})) ||
      failed(expect("delta", getDelta().getType(), {tokens, columns})) ||
      failed(expect("values", getValues().getType(), {tokens, columns})) ||
      failed(expect("coefficients", getCoefficients().getType(),
                    {Coefficients{tokens}.count()})) ||
      failed(expect("outs", getOutInit().getType(), {tokens, columns})) ||
      failed(
          expect("the new state", getNewState().getType(), state.getShape())) ||
      failed(expect("the new delta", getNewDelta().getType(),
                    {tokens, columns})) ||
      failed(expect("out", getOut().getType(), {tokens, columns})))
    return failure();
  auto rows = static_cast<int64_t>(getRows());
  if (rows < 1 || rows > 8 || keys % rows)
    return emitOpError("expected 1 to 8 rows that divide K (")
           << keys << "), got " << rows;
  return success();
}

/// C25.
LogicalResult TokenStepOp::verify() {
  RankedTensorType state = getState().getType();
  if (state.getRank() != 3 || !state.hasStaticShape() || state.getEncoding() ||
      !state.getElementType().isF32() || state.getNumElements() == 0 ||
      getKeyDim() % 16 || getValueDim() % 8)
    return emitOpError("expected state as a tensor ")
           << (isVK() ? "[G,V,K]" : "[G,K,V]")
           << " of f32 with K a multiple of 16 and V of 8, got " << state;
  auto expect = [&](StringRef name, Type got,
                    ArrayRef<int64_t> shape) -> LogicalResult {
    auto expected = RankedTensorType::get(shape, state.getElementType());
    if (got == expected)
      return success();
    return emitOpError("expected ")
           << name << " as " << expected << ", got " << got;
  };
  int64_t heads = getHeads(), keys = getKeyDim(), columns = getValueDim();
  if (failed(expect("key", getKey().getType(), {keys})) ||
      failed(expect("query", getQuery().getType(), {keys})) ||
      failed(expect("values", getValues().getType(), {heads, columns})) ||
      failed(expect("factors", getFactors().getType(), {heads, 2})) ||
      failed(expect("outs", getOutInit().getType(), {heads, columns})) ||
      failed(expect("out", getOut().getType(), {heads, columns})))
    return failure();
  if (!getStateInit() != !getNewState())
    return emitOpError("expected state_init and new_state, both or none");
  if (getStateInit() &&
      (failed(
           expect("state_init", getStateInit().getType(), state.getShape())) ||
       failed(expect("new_state", getNewState().getType(), state.getShape()))))
    return failure();
  int64_t rows = getRows();
  if (rows != 1 && rows != 2 && rows != 4)
    return emitOpError("expected 1, 2 or 4 rows, got ") << rows;
  if (isVK() && rows % heads)
    return emitOpError("expected rows as a multiple of the heads (")
           << heads << "), got " << rows;
  return success();
}
