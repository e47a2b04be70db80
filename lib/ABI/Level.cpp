//===- Level.cpp - What a variant of a kernel needs, as the ABI says it ---===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/ABI/Level.h"
#include "deltanet-c/kernel_abi.h"

using namespace mlir;
using namespace mlir::deltanet;
using namespace mlir::deltanet::abi;

// The enumerations of the dialect and of the C ABI share their numbers.
static_assert(int(Isa::Generic) == DN_ISA_GENERIC &&
              int(Isa::Avx2) == DN_ISA_AVX2 &&
              int(Isa::Avx512) == DN_ISA_AVX512 &&
              int(Isa::Avx512Bf16) == DN_ISA_AVX512_BF16 &&
              int(Isa::Amx) == DN_ISA_AMX);

Level abi::getLevel(Attribute target) {
  if (auto gpu = dyn_cast<GpuTargetAttr>(target))
    return {DN_ISA_CUDA + static_cast<uint32_t>(gpu.getChip()),
            stringifyChip(gpu.getChip())};
  Isa isa = cast<TargetAttr>(target).getIsa();
  return {static_cast<uint32_t>(isa), stringifyIsa(isa)};
}

std::string abi::getDescriptorName(StringRef kernel, const Level &level) {
  return (kernel + "." + level.name).str();
}
