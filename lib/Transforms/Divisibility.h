//===- Divisibility.h - What is known to be a multiple of a size ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_TRANSFORMS_DIVISIBILITY_H
#define DELTANET_LIB_TRANSFORMS_DIVISIBILITY_H

#include "mlir/IR/Value.h"

namespace mlir::deltanet {

/// Whether `value` is surely a multiple of `size`: a constant, the index of a
/// loop with such a lower bound and step, or a sum or product of such values.
bool isMultipleOf(Value value, int64_t size);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_TRANSFORMS_DIVISIBILITY_H
