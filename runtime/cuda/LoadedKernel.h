//===- LoadedKernel.h - A variant that is loaded for one context ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_CUDA_LOADEDKERNEL_H
#define DELTANET_RUNTIME_CUDA_LOADEDKERNEL_H

#include "Image.h"

/// All but the list and its counts stays as it was made, so launches take no
/// lock.
struct dn_cuda_kernel {
  dn_cuda *cuda;
  const dn_kernel *kernel;
  dn_cuda_context context;
  dn_cuda_module module;
  uint64_t loads; ///< that were not taken back
  dn_cuda_kernel *next;
  cu_function functions[]; ///< of each stage, for aligned and for all calls
};

#endif // DELTANET_RUNTIME_CUDA_LOADEDKERNEL_H
