//===- MemoryLayout.h - How a run lays out its tensors ----------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_MEMORYLAYOUT_H
#define DELTANET_VERIFICATION_MEMORYLAYOUT_H

namespace mlir::deltanet::verification {

enum class Strides {
  Packed, ///< C order without gaps
  Padded, ///< gaps after each row and each token
  Heads,  ///< head-major: all tokens of a head, then the next head
  QKV     ///< q, k, v of a token side by side in one tensor, the rest packed
};

struct MemoryLayout {
  Strides strides = Strides::Packed;
  /// Bytes by which tensors begin after a multiple of 64, rounded up to a
  /// multiple of each tensor's element size.
  unsigned misalign = 0;
  bool inPlaceState = false; ///< the final state overwrites the initial one
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_MEMORYLAYOUT_H
