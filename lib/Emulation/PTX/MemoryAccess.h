//===- MemoryAccess.h - The accesses of one instruction of a warp ---------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_MEMORYACCESS_H
#define DELTANET_LIB_EMULATION_PTX_MEMORYACCESS_H

#include "Block.h"

namespace mlir::deltanet::ptx {

/// Where shared and local memory lie among generic addresses. Their own
/// addresses count from 0. Global addresses are generic ones.
constexpr uint64_t kSharedWindow = uint64_t(1) << 40;
constexpr uint64_t kLocalWindow = uint64_t(1) << 41;
constexpr uint64_t kWindowBytes = uint64_t(1) << 32;

/// What the lanes of a warp access at once, checked and counted.
struct MemoryAccess {
  Space space; ///< Generic: each lane by its address
  AccessKind kind;
  unsigned bytes; ///< of a lane, and what addresses are multiples of
  LaneMask mask;
  Lanes<uint64_t> addresses;
};

/// Checks bounds, alignment and permission, then what the shadows tell, and
/// counts the access for the report. Sets the pointers of the lanes of the
/// mask. False after a finding that the launch cannot go on after.
bool resolve(Warp &warp, const MemoryAccess &access, Lanes<char *> &pointers);

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_MEMORYACCESS_H
