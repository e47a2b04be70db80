//===- FloatPieces.cpp - Operands of f32 from shared memory ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "FloatPieces.h"
#include "SharedPlaces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::deltanet;

/// Lanes along a row of a piece, and neighbouring columns of each.
constexpr int64_t kLaneRows = 8, kLaneColumns = 4, kColumns = 2;

SmallVector<Value> FloatPieces::load(OpBuilder &builder, Location loc,
                                     std::array<int64_t, 2> offset) const {
  ImplicitLocOpBuilder b(loc, builder);
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto add = [&](Value first, Value second) {
    return b.createOrFold<arith::AddIOp>(first, second);
  };
  Value row = place.getIndex(place.getDigit(kLaneColumns, kLaneRows)),
        column = place.getIndex(place.getDigit(1, kLaneColumns));
  column = b.createOrFold<arith::MulIOp>(column, constant(kColumns));
  std::array<Value, 2> at = {add(origin[0], row), add(origin[1], column)};
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  SmallVector<Value> elements;
  if (isTransposed) {
    for (int64_t index : llvm::seq(kColumns)) {
      Value address = getAddressAtOffset(b, loc, memory, /*isSwizzled=*/true,
                                         {add(at[1], constant(index)), at[0]},
                                         {offset[1], offset[0]});
      elements.push_back(LLVM::LoadOp::create(b, element, address, bytes));
    }
    return elements;
  }
  Value address =
      getAddressAtOffset(b, loc, memory, /*isSwizzled=*/true, at, offset);
  Value pair = LLVM::LoadOp::create(b, VectorType::get(kColumns, element),
                                    address, kColumns * bytes);
  for (int64_t index : llvm::seq(kColumns))
    elements.push_back(vector::ExtractOp::create(b, pair, index));
  return elements;
}
