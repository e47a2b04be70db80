//===- StreamHandles.h - Streams that a call may name -----------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_CUDA_STREAMHANDLES_H
#define DELTANET_LIB_EMULATION_CUDA_STREAMHANDLES_H

#include "Driver.h"

namespace mlir::deltanet::cuda {

/// Null, 1 (CU_STREAM_LEGACY) and 2 (CU_STREAM_PER_THREAD) are streams of every
/// context.
inline bool isStream(const Context &context, CUstream stream) {
  return reinterpret_cast<uintptr_t>(stream) <= 2 ||
         context.streams.find(stream);
}

inline CUresult failForStream() {
  return fail(CUDA_ERROR_INVALID_HANDLE,
              "expected a stream of the current context, got another");
}

} // namespace mlir::deltanet::cuda

#endif // DELTANET_LIB_EMULATION_CUDA_STREAMHANDLES_H
