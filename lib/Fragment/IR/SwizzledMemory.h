//===- SwizzledMemory.h - Verification of swizzled memory -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_FRAGMENT_IR_SWIZZLEDMEMORY_H
#define DELTANET_LIB_FRAGMENT_IR_SWIZZLEDMEMORY_H

#include "deltanet/Fragment/IR/Fragment.h"

namespace mlir::deltanet::fragment {

/// C39: of a memref, and what of it is known of a tensor.
LogicalResult verifySwizzled(Operation *op, ShapedType memory);

/// The part of C39 that holds for shared memory that is not swizzled, too: rows
/// of whole pieces in space 3.
LogicalResult verifyPieces(Operation *op, ShapedType memory);

/// C34: an alignment, if it is given.
LogicalResult verifyAlignment(Operation *op, std::optional<int64_t> alignment,
                              Type elementType);

} // namespace mlir::deltanet::fragment

#endif // DELTANET_LIB_FRAGMENT_IR_SWIZZLEDMEMORY_H
