//===- MatrixPieces.cpp - Operands of tensor cores from shared memory -----===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MatrixPieces.h"
#include "SharedPlaces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::deltanet;

/// Rows of a piece, and the lanes that name them.
constexpr int64_t kPiece = 8;

SmallVector<Value> MatrixPieces::load(OpBuilder &builder, Location loc,
                                      Offset offset,
                                      ArrayRef<Offset> steps) const {
  ImplicitLocOpBuilder b(loc, builder);
  // Lane l names row l mod 8 of piece ⌊l/8⌋.
  std::array<Value, 2> at;
  for (unsigned dimension : {0, 1}) {
    auto constant = [&](int64_t value) {
      return arith::ConstantIndexOp::create(b, value);
    };
    at[dimension] = origin[dimension];
    auto addDigit = [&](int64_t divisor, int64_t modulus, int64_t step) {
      if (step == 0)
        return;
      Value digit = place.getIndex(place.getDigit(divisor, modulus));
      Value distance = b.createOrFold<arith::MulIOp>(digit, constant(step));
      at[dimension] = b.createOrFold<arith::AddIOp>(at[dimension], distance);
    };
    for (auto [number, step] : llvm::enumerate(steps))
      addDigit(kPiece << number, 2, step[dimension]);
    addDigit(1, kPiece, dimension == (isTransposed ? 1 : 0) ? 1 : 0);
  }
  if (isTransposed) {
    std::swap(at[0], at[1]);
    std::swap(offset[0], offset[1]);
  }
  Value address = getAddressAtOffset(b, loc, memory, isSwizzled, at, offset);

  int64_t count = int64_t(1) << steps.size();
  MLIRContext *context = b.getContext();
  SmallVector<Type> words(count, b.getI32Type());
  Value read = NVVM::LdMatrixOp::create(
      b, LLVM::LLVMStructType::getLiteral(context, words), address,
      b.getI32IntegerAttr(count),
      NVVM::MMALayoutAttr::get(context, isTransposed ? NVVM::MMALayout::col
                                                     : NVVM::MMALayout::row),
      NVVM::LdStMatrixShapeAttr::get(context, kPiece, kPiece),
      NVVM::LdStMatrixEltTypeAttr::get(context, NVVM::LdStMatrixEltType::B16));
  SmallVector<Value> pieces;
  for (int64_t index : llvm::seq(count))
    pieces.push_back(LLVM::ExtractValueOp::create(b, read, index));
  return pieces;
}

Value mlir::deltanet::packPair(OpBuilder &builder, Location loc, Value low,
                               Value high) {
  Value pair = vector::FromElementsOp::create(
      builder, loc, VectorType::get(2, low.getType()), ValueRange{low, high});
  return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), pair);
}

std::array<Value, 2> mlir::deltanet::unpackPair(OpBuilder &builder,
                                                Location loc, Value packed,
                                                Type elementType) {
  Value pair = LLVM::BitcastOp::create(builder, loc,
                                       VectorType::get(2, elementType), packed);
  return {vector::ExtractOp::create(builder, loc, pair, 0),
          vector::ExtractOp::create(builder, loc, pair, 1)};
}
