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

/// The launches that a stream's become instead of running; null: they run.
inline Graph *captureOf(const Context &context, CUstream stream) {
  Stream *found = context.streams.find(stream);
  return found ? found->captured.get() : nullptr;
}

inline CUresult failForCapture() {
  return fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
              "expected a stream that is not captured, got one that is");
}

inline CUresult failForStream() {
  return fail(CUDA_ERROR_INVALID_HANDLE,
              "expected a stream of the current context, got another");
}

} // namespace mlir::deltanet::cuda

#endif // DELTANET_LIB_EMULATION_CUDA_STREAMHANDLES_H
