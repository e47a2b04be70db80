//===- CacheHints.h - Words of accesses that change no value --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_CACHEHINTS_H
#define DELTANET_LIB_EMULATION_PTX_CACHEHINTS_H

#include "Decoder.h"

namespace mlir::deltanet::ptx {

/// .global, .shared or .local; Generic if there is none of them.
Space takeSpace(Decoder &decoder);

/// .relaxed.gpu and the like. They order nothing here: blocks run one after
/// the other, so what a thread could wait for at an address never comes.
void takeOrder(Decoder &decoder);

/// Where caches keep what is accessed. True if a cache policy, which is the
/// last operand, follows.
bool takeCacheHints(Decoder &decoder);

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_CACHEHINTS_H
