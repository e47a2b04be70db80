//===- Capability.cpp - Kinds of simulated GPUs ---------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Capability.h"
#include "deltanet/Emulation/PTX/Launch.h"

using namespace mlir::deltanet;

namespace {
struct Kind {
  unsigned capability;
  int multiprocessors; ///< of the largest GPU of its kind
};
constexpr Kind kKinds[] = {{80, 108},  {86, 84},   {87, 16},
                           {89, 142},  {90, 132},  {100, 148},
                           {103, 160}, {120, 188}, {121, 48}};

const Kind *find(unsigned capability) {
  for (const Kind &kind : kKinds)
    if (kind.capability == capability)
      return &kind;
  return nullptr;
}
} // namespace

bool cuda::isKnownCapability(unsigned capability) { return find(capability); }

std::string cuda::chipName(unsigned capability) {
  return "sm_" + std::to_string(capability);
}

uint64_t cuda::sharedMemoryLimit(unsigned capability) {
  return ptx::sharedMemoryOf(chipName(capability));
}

bool cuda::accepts(unsigned capability, llvm::StringRef target) {
  target.consume_front("sm_");
  bool isAlone = target.consume_back("a");
  bool isFamily = !isAlone && target.consume_back("f");
  unsigned wanted;
  if (target.getAsInteger(10, wanted) || wanted > capability)
    return false;
  if (isAlone)
    return wanted == capability;
  return !isFamily || wanted / 10 == capability / 10;
}

std::optional<int> cuda::attributeOf(unsigned capability,
                                     CUdevice_attribute attribute) {
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
    return 1024;
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
    return 64;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
    return INT32_MAX;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
    return UINT16_MAX;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
    return kSharedWithoutAsking;
  case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
    return 32;
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
    return find(capability)->multiprocessors;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_MODE:
    return 0;
  case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
    return 1;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    return capability / 10;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    return capability % 10;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    return int(sharedMemoryLimit(capability));
  }
  return std::nullopt;
}
