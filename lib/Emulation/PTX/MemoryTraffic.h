//===- MemoryTraffic.h - What the accesses of a warp cost -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_MEMORYTRAFFIC_H
#define DELTANET_LIB_EMULATION_PTX_MEMORYTRAFFIC_H

#include "Warp.h"

namespace mlir::deltanet::ptx {

/// Waves or sectors, and the fewest of them that would do.
struct Traffic {
  unsigned parts = 0, ideal = 0;
};

/// Of shared memory: 32 banks of 4 bytes give one word each in a wave, to all
/// threads that ask for it. Accesses of 8 bytes are served for half a warp at a
/// time, those of 16 for a quarter.
Traffic countWaves(const Lanes<uint64_t> &addresses, LaneMask mask,
                   unsigned bytes);

/// Of global memory: sectors of 32 bytes. No access lies in two of them.
Traffic countSectors(const Lanes<uint64_t> &addresses, LaneMask mask,
                     unsigned bytes);

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_MEMORYTRAFFIC_H
