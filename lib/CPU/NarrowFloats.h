//===- NarrowFloats.h - 16-bit floats in integer code ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_CPU_NARROWFLOATS_H
#define DELTANET_LIB_CPU_NARROWFLOATS_H

#include "mlir/IR/Builders.h"

namespace mlir::deltanet::cpu {

// The bits of 16-bit floats are scalars or vectors of i16. Widening is exact
// and makes signalling NaNs quiet in f16 only. Narrowing rounds to nearest,
// ties to even, overflows to infinity, keeps infinities, and keeps a NaN with
// the upper bits of its payload, made quiet. Subnormal f16 are right; subnormal
// f32 are right for bf16 and zero for f16.

/// bf16 bits to f32.
Value widenBF16(OpBuilder &builder, Location loc, Value bits);
/// f32 to bf16 bits.
Value narrowToBF16(OpBuilder &builder, Location loc, Value value);
/// f16 bits to f32.
Value widenF16(OpBuilder &builder, Location loc, Value bits);
/// f32 to f16 bits.
Value narrowToF16(OpBuilder &builder, Location loc, Value value);

} // namespace mlir::deltanet::cpu

#endif // DELTANET_LIB_CPU_NARROWFLOATS_H
