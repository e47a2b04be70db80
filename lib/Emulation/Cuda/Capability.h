//===- Capability.h - Kinds of simulated GPUs -------------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_CUDA_CAPABILITY_H
#define DELTANET_LIB_EMULATION_CUDA_CAPABILITY_H

#include "CudaTypes.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace mlir::deltanet::cuda {

/// Dynamic shared memory of a block without being asked for more.
constexpr uint64_t kSharedWithoutAsking = 48 << 10;

/// Compute capabilities that can be simulated: 10 * major + minor.
bool isKnownCapability(unsigned capability);

/// "sm_80".
std::string chipName(unsigned capability);

/// The most shared memory of a block that asks for it.
uint64_t sharedMemoryLimit(unsigned capability);

/// Whether PTX with this .target runs on a GPU: that of an older one does, that
/// of its features (sm_90a) on that one alone, that of its family (sm_100f) on
/// later minors.
bool accepts(unsigned capability, llvm::StringRef target);

/// A value of cuDeviceGetAttribute, if it is simulated.
std::optional<int> attributeOf(unsigned capability,
                               CUdevice_attribute attribute);

} // namespace mlir::deltanet::cuda

#endif // DELTANET_LIB_EMULATION_CUDA_CAPABILITY_H
