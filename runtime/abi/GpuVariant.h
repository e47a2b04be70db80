//===- GpuVariant.h - Variants for GPUs as the ABI has them ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_GPUVARIANT_H
#define DELTANET_RUNTIME_GPUVARIANT_H

#include "Message.h"

#include <stdbool.h>

/// Whether a level is one of GPUs.
bool dn_gpu_level(uint32_t isa);

/// A variant's kind of GPU, such as "sm_90a".
typedef struct dn_gpu_name {
  char text[16];
} dn_gpu_name;

/// The name for a descriptor that dn_abi_check_kernel has passed.
dn_gpu_name dn_gpu_name_of(const dn_kernel *kernel);

/// Whether the descriptor is that of a variant for GPUs that can be loaded and
/// launched: DN_ERROR_ISA if it is for CPUs, DN_ERROR_ABI if it is broken.
dn_status dn_gpu_check(const dn_kernel *kernel, dn_message message);

#endif // DELTANET_RUNTIME_GPUVARIANT_H
