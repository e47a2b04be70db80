//===- StateLayout.h - States between KV and VK order -----------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_STATELAYOUT_H
#define DELTANET_VERIFICATION_STATELAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace mlir::deltanet::verification {

/// Transposes each [rows, columns] matrix of `states`.
std::vector<float> transposeStates(llvm::ArrayRef<float> states, int64_t rows,
                                   int64_t columns);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_STATELAYOUT_H
