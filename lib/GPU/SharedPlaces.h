//===- SharedPlaces.h - Addresses in memory, swizzled if asked ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_GPU_SHAREDPLACES_H
#define DELTANET_LIB_GPU_SHAREDPLACES_H

#include "mlir/IR/Builders.h"

namespace mlir::deltanet {

/// The column in which an element of swizzled memory lies. Of the column, that
/// of the first of several neighbours in a piece.
Value swizzleColumn(OpBuilder &builder, Location loc, Value memory, Value row,
                    Value column);

/// The address of an element, an `!llvm.ptr` in the space of the memory.
Value getAddress(OpBuilder &builder, Location loc, Value memory,
                 ValueRange indices);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_SHAREDPLACES_H
