//===- FloatPieces.cpp - Operands of f32 from shared memory ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "FloatPieces.h"
#include "SharedPlaces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::deltanet;

/// Lanes along a row of a piece, and neighbouring columns of each.
constexpr int64_t kLaneRows = 8, kLaneColumns = 4, kColumns = 2;

SmallVector<Value> FloatPieces::load(OpBuilder &builder, Location loc,
                                     std::array<int64_t, 2> offset) const {
  ImplicitLocOpBuilder b(loc, builder);
  auto add = [&](Value value, int64_t constant) {
    return b.createOrFold<arith::AddIOp>(
        value, arith::ConstantIndexOp::create(b, constant));
  };
  auto locate = [&](unsigned dimension, Value lane) {
    Value first = b.createOrFold<arith::AddIOp>(origin[dimension], lane);
    return add(first, offset[dimension]);
  };
  Value row =
      locate(0, place.getIndex(place.getDigit(kLaneColumns, kLaneRows)));
  Value lane = place.getIndex(place.getDigit(1, kLaneColumns));
  Value column =
      locate(1, b.createOrFold<arith::MulIOp>(
                    lane, arith::ConstantIndexOp::create(b, kColumns)));
  SmallVector<Value> elements;
  if (isTransposed) {
    for (int64_t index : llvm::seq(kColumns)) {
      Value inMemory = add(column, index);
      Value swizzled = swizzleColumn(b, loc, memory, inMemory, row);
      elements.push_back(
          memref::LoadOp::create(b, memory, ValueRange{inMemory, swizzled}));
    }
    return elements;
  }
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  Value swizzled = swizzleColumn(b, loc, memory, row, column);
  Value pair = vector::LoadOp::create(
      b, VectorType::get(kColumns, element), memory, ValueRange{row, swizzled},
      /*nontemporal=*/false,
      llvm::Align(kColumns * element.getIntOrFloatBitWidth() / 8));
  for (int64_t index : llvm::seq(kColumns))
    elements.push_back(vector::ExtractOp::create(b, pair, index));
  return elements;
}
