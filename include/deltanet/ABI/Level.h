//===- Level.h - What a variant of a kernel needs, as the ABI says it -----===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_ABI_LEVEL_H
#define DELTANET_ABI_LEVEL_H

#include "deltanet/IR/DeltaNet.h"

namespace mlir::deltanet::abi {

/// The level of CPUs, or the kind of GPU, that a variant is for.
struct Level {
  uint32_t isa;   ///< dn_isa
  StringRef name; ///< "avx2", "sm_90a"
};

/// The level of a #deltanet.target or #deltanet.gpu_target.
Level getLevel(Attribute target);

/// The symbol of a kernel's descriptor for one level, "gdn.avx2".
std::string getDescriptorName(StringRef kernel, const Level &level);

} // namespace mlir::deltanet::abi

#endif // DELTANET_ABI_LEVEL_H
