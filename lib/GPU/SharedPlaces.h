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

/// The address of what lies at a constant offset from a place that the thread
/// names. The neighbours of a row are neighbours in memory; if it is swizzled,
/// the offset is a multiple of 8 rows. All offsets have few addresses in
/// common, from which instructions reach them: each occupies a register in all
/// of a loop.
Value getAddressAtOffset(OpBuilder &builder, Location loc, Value memory,
                         bool isSwizzled, std::array<Value, 2> place,
                         std::array<int64_t, 2> offset);

} // namespace mlir::deltanet

#endif // DELTANET_LIB_GPU_SHAREDPLACES_H
