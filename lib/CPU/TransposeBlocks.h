//===- TransposeBlocks.h - Transposition by shuffles ----------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_CPU_TRANSPOSEBLOCKS_H
#define DELTANET_LIB_CPU_TRANSPOSEBLOCKS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::deltanet::cpu {

/// Adds a pattern that transposes matrices of 32-bit elements, apart from unit
/// dimensions with both sizes multiples of 4, by shuffles of two registers: in
/// blocks of 8x8 if the sizes allow and vectors have 256 bits, else of 4x4.
void populateTransposeBlocksPatterns(RewritePatternSet &patterns,
                                     int64_t vectorBits);

} // namespace mlir::deltanet::cpu

#endif // DELTANET_LIB_CPU_TRANSPOSEBLOCKS_H
