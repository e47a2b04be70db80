//===- NarrowFloats.cpp - 16-bit floats in integer code -------------------===//
//
// Part of the Delta-Net project.
//
// Only what every processor has: 32-bit integers, and f32 operations whose
// operands and results are normal, since kernels flush subnormals to zero.
//
//===----------------------------------------------------------------------===//

#include "NarrowFloats.h"
#include "deltanet/Transforms/LaneArithmetic.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::cpu;

namespace {

constexpr uint32_t kF32Infinity = 0x7f800000;
/// Difference of the exponent biases of f32 and f16, in place.
constexpr uint32_t kRebias = (127 - 15) << 23;
constexpr uint32_t kF16Infinity = 0x7c00;
/// f32 bits of 2^-14, the smallest normal f16, and of 1/2.
constexpr uint32_t kF16Normal = kRebias + (1 << 23);
constexpr uint32_t kHalf = 0x3f000000;

/// value >> bits, rounded to nearest, ties to even.
Value roundedShift(const LaneArithmetic &a, Value value, unsigned bits) {
  Value odd = a.bitAnd(a.shiftRight(value, bits), 1);
  Value up = a.add(odd, a.integer((1u << (bits - 1)) - 1));
  return a.shiftRight(a.add(value, up), bits);
}

} // namespace

Value cpu::widenBF16(OpBuilder &builder, Location loc, Value bits) {
  LaneArithmetic a(builder, loc, bits.getType());
  Value wide = a.create<arith::ExtUIOp>(a.i32(), bits);
  return a.bitcast(a.f32(), a.shiftLeft(wide, 16));
}

Value cpu::narrowToBF16(OpBuilder &builder, Location loc, Value value) {
  LaneArithmetic a(builder, loc, value.getType());
  Value bits = a.bitcast(a.i32(), value);
  Value rounded = roundedShift(a, bits, 16);
  // Rounding could carry a NaN's payload into the sign.
  Value upper = a.shiftRight(bits, 16);
  Value quiet = a.bitOr(upper, a.integer(0x40));
  Value isNaN = a.compare(arith::CmpFPredicate::UNO, value, value);
  return a.create<arith::TruncIOp>(a.i16(), a.select(isNaN, quiet, rounded));
}

Value cpu::widenF16(OpBuilder &builder, Location loc, Value bits) {
  LaneArithmetic a(builder, loc, bits.getType());
  Value wide = a.create<arith::ExtUIOp>(a.i32(), bits);
  Value magnitude = a.bitAnd(wide, 0x7fff);
  Value sign = a.shiftLeft(a.bitAnd(wide, 0x8000), 16);

  Value normal = a.shiftLeft(magnitude, 13);
  normal = a.add(normal, a.integer(kRebias));
  // Infinities and NaNs have the largest exponent in both formats.
  Value special = a.add(normal, a.integer(kRebias));
  Value quiet = a.bitOr(special, a.integer(1 << 22));
  special = a.select(a.less(magnitude, kF16Infinity + 1), special, quiet);
  // Subnormals count units of 2^-24.
  Value units = a.create<arith::SIToFPOp>(a.f32(), magnitude);
  Value small =
      a.bitcast(a.i32(), a.create<arith::MulFOp>(units, a.real(0x1p-24f)));

  Value result = a.select(a.less(magnitude, kF16Infinity), normal, special);
  result = a.select(a.less(magnitude, 0x0400), small, result);
  return a.bitcast(a.f32(), a.bitOr(result, sign));
}

Value cpu::narrowToF16(OpBuilder &builder, Location loc, Value value) {
  LaneArithmetic a(builder, loc, value.getType());
  Value bits = a.bitcast(a.i32(), value);
  Value sign = a.bitAnd(a.shiftRight(bits, 16), 0x8000);
  Value magnitude = a.bitAnd(bits, 0x7fffffff);

  Value rebiased = a.create<arith::SubIOp>(magnitude, a.integer(kRebias));
  Value normal = roundedShift(a, rebiased, 13);
  Value fits = a.less(normal, kF16Infinity);
  normal = a.select(fits, normal, a.integer(kF16Infinity));
  // Added to 1/2, units of 2^-24 stand in the lowest bits, rounded.
  Value sum = a.bitcast(a.f32(), magnitude);
  sum = a.create<arith::AddFOp>(sum, a.real(0.5f));
  Value small = a.bitcast(a.i32(), sum);
  small = a.create<arith::SubIOp>(small, a.integer(kHalf));
  Value payload = a.bitAnd(a.shiftRight(magnitude, 13), 0x03ff);
  Value quiet = a.bitOr(payload, a.integer(0x7e00));

  Value result = a.select(a.less(magnitude, kF16Normal), small, normal);
  result = a.select(a.less(magnitude, kF32Infinity + 1), result, quiet);
  return a.create<arith::TruncIOp>(a.i16(), a.bitOr(result, sign));
}
