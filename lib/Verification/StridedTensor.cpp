//===- StridedTensor.cpp - A tensor somewhere in guarded memory -----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "StridedTensor.h"
#include "deltanet/Verification/ElementTypes.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

/// A quiet NaN with an odd payload as f32, and its upper half, which is a NaN
/// as bf16 and as f16.
static constexpr uint32_t poison32 = 0x7FDB5A5A;
static constexpr uint16_t poison16 = 0x7FDB;

int64_t StridedTensor::extent() const {
  if (outer == 0 || middle == 0 || row == 0)
    return 0;
  return (outer - 1) * outerStride + (middle - 1) * middleStride + row;
}

void StridedTensor::forEachRow(
    llvm::function_ref<void(int64_t, int64_t, char *)> visit) const {
  int64_t bytes = elementBytes(type);
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t j = 0; j < middle; ++j)
      visit(i, j, data + (i * outerStride + j * middleStride) * bytes);
}

void StridedTensor::store(llvm::ArrayRef<float> values) {
  forEachRow([&](int64_t i, int64_t j, char *at) {
    encode(type, values.slice((i * middle + j) * row, row), at);
  });
}

void StridedTensor::storeIndices(llvm::ArrayRef<int64_t> values) {
  forEachRow([&](int64_t i, int64_t j, char *at) {
    for (int64_t value : values.slice((i * middle + j) * row, row)) {
      int32_t narrow = int32_t(value);
      if (type == DN_TYPE_I32)
        std::memcpy(at, &narrow, sizeof(narrow));
      else
        std::memcpy(at, &value, sizeof(value));
      at += elementBytes(type);
    }
  });
}

void StridedTensor::load(llvm::MutableArrayRef<float> values) const {
  forEachRow([&](int64_t i, int64_t j, char *at) {
    decode(type, at, values.slice((i * middle + j) * row, row));
  });
}

void StridedTensor::poison() {
  forEachRow([&](int64_t, int64_t, char *at) {
    for (int64_t i = 0; i < row; ++i, at += elementBytes(type)) {
      if (type == DN_TYPE_F32)
        std::memcpy(at, &poison32, sizeof(poison32));
      else
        std::memcpy(at, &poison16, sizeof(poison16));
    }
  });
}

void StridedTensor::acceptWrites() {
  forEachRow([&](int64_t, int64_t, char *at) {
    memory->accept(at, row * elementBytes(type));
  });
}

std::optional<std::string>
StridedTensor::unwritten(llvm::function_ref<bool(int64_t)> used) const {
  int64_t left = 0;
  std::string first;
  forEachRow([&](int64_t i, int64_t j, char *at) {
    if (!used(i))
      return;
    for (int64_t k = 0; k < row; ++k, at += elementBytes(type)) {
      bool same = type == DN_TYPE_F32
                      ? std::memcmp(at, &poison32, sizeof(poison32)) == 0
                      : std::memcmp(at, &poison16, sizeof(poison16)) == 0;
      if (same && left++ == 0)
        first = llvm::formatv("[{0},{1},{2}]", i, j, k);
    }
  });
  if (left == 0)
    return std::nullopt;
  return llvm::formatv("{0} of {1} elements never written, first {2}", left,
                       outer * middle * row, first);
}
