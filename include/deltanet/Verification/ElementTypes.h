//===- ElementTypes.h - Conversions between f32, bf16 and f16 ---*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// Every activation type is a subset of f32, so the verification library holds
// activations as f32 values and converts only where memory is filled or read.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_ELEMENTTYPES_H
#define DELTANET_VERIFICATION_ELEMENTTYPES_H

#include "deltanet-c/kernel_abi.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mlir::deltanet::verification {

/// Size in bytes; 0 for DN_TYPE_NONE.
unsigned elementBytes(dn_type type);

/// "f32", "bf16", …, "none".
llvm::StringRef elementName(dn_type type);

/// Nearest bf16 or f16 bits, ties to even; overflow gives infinity, every NaN
/// stays a NaN. Denormal f16 values are kept.
uint16_t toBF16(float value);
uint16_t toF16(float value);

/// Exact.
float fromBF16(uint16_t bits);
float fromF16(uint16_t bits);

/// `value` rounded to `type` (f32, bf16 or f16), as f32.
float roundTo(dn_type type, float value);

/// Stores `values` contiguously at `memory` (any alignment), rounded to `type`.
void encode(dn_type type, llvm::ArrayRef<float> values, void *memory);

/// Reads values.size() contiguous elements of `type` (any alignment).
void decode(dn_type type, const void *memory,
            llvm::MutableArrayRef<float> values);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_ELEMENTTYPES_H
