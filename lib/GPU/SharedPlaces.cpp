//===- SharedPlaces.cpp - Addresses in memory, swizzled if asked ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "SharedPlaces.h"
#include "deltanet/Fragment/IR/Fragment.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::fragment;

/// What the number of a piece in a row is xored with: f(r) mod m of
/// `fragment.copy_async`.
static Value getPhase(ImplicitLocOpBuilder &b, Value row, int64_t width,
                      bool isOfWords) {
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto divide = [&](Value value, int64_t by) {
    return b.createOrFold<arith::DivUIOp>(value, constant(by));
  };
  auto mask = [&](Value value, int64_t bits) {
    return b.createOrFold<arith::AndIOp>(value, constant(bits));
  };
  if (!isOfWords)
    return mask(divide(row, kMaxSwizzleWidth / width), width - 1);
  // From the highest bit on: bits 0 and 2 of the row xored, bit 1, bit 2.
  Value upper = divide(row, 4);
  Value odd = mask(b.createOrFold<arith::XOrIOp>(row, upper), 1);
  Value phase = b.createOrFold<arith::MulIOp>(odd, constant(4));
  phase = b.createOrFold<arith::OrIOp>(phase, mask(row, 2));
  phase = b.createOrFold<arith::OrIOp>(phase, mask(upper, 1));
  return mask(phase, width - 1);
}

Value mlir::deltanet::swizzleColumn(OpBuilder &builder, Location loc,
                                    Value memory, Value row, Value column) {
  auto type = cast<MemRefType>(memory.getType());
  int64_t width = getSwizzleWidth(type);
  if (width == 1)
    return column;
  int64_t bits = type.getElementType().getIntOrFloatBitWidth();
  int64_t piece = kMaxAccessBytes * 8 / bits;
  ImplicitLocOpBuilder b(loc, builder);
  Value elements =
      b.createOrFold<arith::MulIOp>(getPhase(b, row, width, bits == 32),
                                    arith::ConstantIndexOp::create(b, piece));
  return b.createOrFold<arith::XOrIOp>(column, elements);
}

Value mlir::deltanet::getAddress(OpBuilder &builder, Location loc, Value memory,
                                 ValueRange indices) {
  auto type = cast<MemRefType>(memory.getType());
  ImplicitLocOpBuilder b(loc, builder);
  auto data = memref::ExtractStridedMetadataOp::create(b, memory);
  Value element =
      getValueOrCreateConstantIndexOp(b, loc, data.getConstifiedMixedOffset());
  for (auto [index, stride] :
       llvm::zip(indices, data.getConstifiedMixedStrides())) {
    Value step = getValueOrCreateConstantIndexOp(b, loc, stride);
    Value distance = b.createOrFold<arith::MulIOp>(index, step);
    element = b.createOrFold<arith::AddIOp>(element, distance);
  }
  auto number = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace());
  auto pointer =
      LLVM::LLVMPointerType::get(b.getContext(), number ? number.getInt() : 0);
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, memory);
  base = arith::IndexCastOp::create(b, b.getI64Type(), base);
  base = LLVM::IntToPtrOp::create(b, pointer, base);
  Value distance = arith::IndexCastOp::create(b, b.getI64Type(), element);
  return LLVM::GEPOp::create(b, pointer, type.getElementType(), base,
                             ArrayRef<LLVM::GEPArg>{distance});
}

Value mlir::deltanet::getAddressAtOffset(OpBuilder &builder, Location loc,
                                         Value memory, bool isSwizzled,
                                         std::array<Value, 2> place,
                                         std::array<int64_t, 2> offset) {
  auto type = cast<MemRefType>(memory.getType());
  int64_t bits = type.getElementType().getIntOrFloatBitWidth();
  ImplicitLocOpBuilder b(loc, builder);
  // Pieces change places within blocks of columns: whole blocks remain.
  int64_t block =
      isSwizzled ? getSwizzleWidth(type) * kMaxAccessBytes * 8 / bits : 1;
  int64_t inBlock = offset[1] % block;
  Value column = b.createOrFold<arith::AddIOp>(
      place[1], arith::ConstantIndexOp::create(b, inBlock));
  if (isSwizzled)
    column = swizzleColumn(b, loc, memory, place[0], column);
  int64_t rowStride = type.getStridesAndOffset().first[0];
  if (ShapedType::isDynamic(rowStride)) {
    place[0] = b.createOrFold<arith::AddIOp>(
        place[0], arith::ConstantIndexOp::create(b, offset[0]));
    offset[0] = rowStride = 0;
  }
  Value address = getAddress(b, loc, memory, {place[0], column});
  auto distance =
      static_cast<int32_t>(offset[0] * rowStride + offset[1] - inBlock);
  return LLVM::GEPOp::create(b, address.getType(), type.getElementType(),
                             address, ArrayRef<LLVM::GEPArg>{distance});
}
