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

inline bool isInWindow(uint64_t address, uint64_t window) {
  return address - window < kWindowBytes;
}

/// What the lanes of a warp access at once, checked and counted.
struct MemoryAccess {
  Space space; ///< Generic: each lane by its address
  AccessKind kind;
  unsigned bytes; ///< of a lane, at most 32
  LaneMask mask;
  Lanes<uint64_t> addresses;
  unsigned alignment = 0; ///< of addresses; 0: as many as `bytes`
  /// The accesses are the begin of asynchronous copies to these bytes.
  bool beginsCopy = false;
  bool isCounted = true;
};

/// The addresses that a base register and an offset give.
Lanes<uint64_t> addressesOf(Warp &warp, Register base, int64_t offset);

/// Checks bounds, alignment and permission, then what the shadows tell, and
/// counts the access for the report. Sets the pointers of the lanes of the
/// mask. False after a finding that the launch cannot go on after.
bool resolve(Warp &warp, const MemoryAccess &access, Lanes<char *> &pointers);

/// What the shadows are told about an access of a lane.
Accessor accessorOf(const Warp &warp, unsigned lane);

/// Reports a problem with an access to global memory, or to shared memory.
void reportGlobal(Warp &warp, unsigned lane, const MemoryAccess &access,
                  const AccessProblem &problem);
void reportShared(Warp &warp, unsigned lane, const MemoryAccess &access,
                  const AccessProblem &problem);

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_MEMORYACCESS_H
