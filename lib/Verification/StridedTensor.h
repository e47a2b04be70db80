//===- StridedTensor.h - A tensor somewhere in guarded memory ---*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_VERIFICATION_STRIDEDTENSOR_H
#define DELTANET_LIB_VERIFICATION_STRIDEDTENSOR_H

#include "GuardedMemory.h"
#include "deltanet-c/kernel_abi.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>

namespace mlir::deltanet::verification {

/// Rows of contiguous elements under two strided dimensions: [outer, middle,
/// row]. q is [T, H, K], a gate [T, 1, HV], a state [N, HV, K V].
struct StridedTensor {
  std::string name;
  dn_type type = DN_TYPE_NONE;
  int64_t outer = 0, middle = 0, row = 0;    ///< sizes
  int64_t outerStride = 0, middleStride = 0; ///< in elements
  GuardedMemory *memory = nullptr;
  char *data = nullptr; ///< first element; null for an operand not taken

  /// Elements from the first to one past the last, gaps included.
  int64_t extent() const;

  /// Writes float or integer values in C order, converted to the type.
  void store(llvm::ArrayRef<float> values);
  void storeIndices(llvm::ArrayRef<int64_t> values);

  /// Reads all elements in C order.
  void load(llvm::MutableArrayRef<float> values) const;

  /// Fills the elements (not the gaps) with a NaN that no kernel computes.
  void poison();

  /// Lets the elements (not the gaps) have changed.
  void acceptWrites();

  /// Describes the elements that still are poison, among the outer indices
  /// that `used` accepts: "5 of 64 elements never written, first [3,1,0]".
  std::optional<std::string>
  unwritten(llvm::function_ref<bool(int64_t outer)> used) const;

  void forEachRow(
      llvm::function_ref<void(int64_t outer, int64_t middle, char *row)> visit)
      const;
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_LIB_VERIFICATION_STRIDEDTENSOR_H
