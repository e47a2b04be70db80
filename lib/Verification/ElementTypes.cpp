//===- ElementTypes.cpp - Conversions between f32, bf16 and f16 -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Verification/ElementTypes.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <cstring>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

unsigned verification::elementBytes(dn_type type) {
  switch (type) {
  case DN_TYPE_NONE:
    return 0;
  case DN_TYPE_BF16:
  case DN_TYPE_F16:
    return 2;
  case DN_TYPE_F32:
  case DN_TYPE_I32:
    return 4;
  case DN_TYPE_I64:
    return 8;
  }
  return 0;
}

llvm::StringRef verification::elementName(dn_type type) {
  switch (type) {
  case DN_TYPE_NONE:
    return "none";
  case DN_TYPE_F32:
    return "f32";
  case DN_TYPE_BF16:
    return "bf16";
  case DN_TYPE_F16:
    return "f16";
  case DN_TYPE_I32:
    return "i32";
  case DN_TYPE_I64:
    return "i64";
  }
  return "unknown";
}

uint16_t verification::toBF16(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    // The quiet bit keeps a NaN whose payload lies in the dropped half.
    return uint16_t(bits >> 16) | 0x40;
  return uint16_t((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

float verification::fromBF16(uint16_t bits) {
  return llvm::bit_cast<float>(uint32_t(bits) << 16);
}

uint16_t verification::toF16(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  uint16_t sign = uint16_t(bits >> 16) & 0x8000;
  float size = std::fabs(value);
  if (std::isnan(value))
    return sign | 0x7E00 | uint16_t((bits >> 13) & 0x3FF);
  // From halfway between the largest f16, 65504, and 65536 upwards.
  if (size >= 65520.0f)
    return sign | 0x7C00;
  if (size < 0x1p-14f) {
    // Denormals are multiples of 2^-24; the scaling is exact, so nearbyint
    // rounds once. A result of 1024 is the smallest normal's encoding.
    return sign | uint16_t(std::nearbyint(size * 0x1p24f));
  }
  uint32_t rest = (bits & 0x7FFFFFFF) - (uint32_t(127 - 15) << 23);
  return sign | uint16_t((rest + 0xFFF + ((rest >> 13) & 1)) >> 13);
}

float verification::fromF16(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16;
  uint32_t exponent = (bits >> 10) & 0x1F;
  uint32_t fraction = bits & 0x3FF;
  if (exponent == 0) {
    float size = float(fraction) * 0x1p-24f;
    return sign ? -size : size;
  }
  uint32_t wide = exponent == 0x1F ? 0xFF : exponent + (127 - 15);
  return llvm::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

float verification::roundTo(dn_type type, float value) {
  switch (type) {
  case DN_TYPE_BF16:
    return fromBF16(toBF16(value));
  case DN_TYPE_F16:
    return fromF16(toF16(value));
  default:
    return value;
  }
}

void verification::encode(dn_type type, llvm::ArrayRef<float> values,
                          void *memory) {
  if (values.empty())
    return;
  if (type == DN_TYPE_F32) {
    std::memcpy(memory, values.data(), values.size() * sizeof(float));
    return;
  }
  if (type != DN_TYPE_BF16 && type != DN_TYPE_F16)
    llvm_unreachable("not an activation type");
  auto *out = static_cast<char *>(memory);
  for (float value : values) {
    uint16_t bits = type == DN_TYPE_BF16 ? toBF16(value) : toF16(value);
    std::memcpy(out, &bits, sizeof(bits));
    out += sizeof(bits);
  }
}

void verification::decode(dn_type type, const void *memory,
                          llvm::MutableArrayRef<float> values) {
  if (values.empty())
    return;
  if (type == DN_TYPE_F32) {
    std::memcpy(values.data(), memory, values.size() * sizeof(float));
    return;
  }
  if (type != DN_TYPE_BF16 && type != DN_TYPE_F16)
    llvm_unreachable("not an activation type");
  const auto *in = static_cast<const char *>(memory);
  for (float &value : values) {
    uint16_t bits;
    std::memcpy(&bits, in, sizeof(bits));
    value = type == DN_TYPE_BF16 ? fromBF16(bits) : fromF16(bits);
    in += sizeof(bits);
  }
}
