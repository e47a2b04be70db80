//===- Roofline.h - The least time that a GPU needs for a call --*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// What must pass through memory at the bandwidth, or must be computed at the
// peak, whichever takes longer. An estimate from data sheets: a kernel that
// waits for itself, as a recurrence of few heads does, is much slower, and one
// whose tensors lie in a cache may be faster.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_VERIFICATION_ROOFLINE_H
#define DELTANET_VERIFICATION_ROOFLINE_H

#include "deltanet/Verification/ProblemRunner.h"

namespace mlir::deltanet::verification {

/// Peaks of a GPU, as its maker tells them.
struct GpuPeaks {
  const char *name;       ///< "h200"
  const char *deviceName; ///< what its driver's name for it contains
  unsigned capability;    ///< 10 * major + minor
  double bytesPerSecond;
  double tensorFlops; ///< a second, dense products of bf16 with f32 sums
  double vectorFlops; ///< a second, multiply-adds of f32, each two
};

llvm::ArrayRef<GpuPeaks> knownGpus();

/// The error lists those that are known.
llvm::Expected<GpuPeaks> findGpu(llvm::StringRef name);

/// The GPU that a driver calls "NVIDIA H200", if it is known.
std::optional<GpuPeaks> gpuOfDevice(llvm::StringRef deviceName);

/// What has to be done at least.
struct Work {
  double bytes = 0; ///< read and written, each once
  double vectorFlops = 0;
  double tensorFlops = 0; ///< on tensor cores, operands of 16 bits
  double tf32Flops = 0;   ///< on tensor cores, operands of tf32
};

enum class Bound { Memory, Tensor, Vector };

/// "memory", "tensor cores", "multiply-adds".
llvm::StringRef boundName(Bound bound);

struct Roofline {
  double seconds = 0;
  Bound bound = Bound::Memory;
};
Roofline rooflineOf(const GpuPeaks &gpu, const Work &work);

/// A call of `sequences` sequences with `tokens` tokens together: its tensors
/// once, and the arithmetic of the token recurrence, which is the least that is
/// known.
Work workOfCall(const RunnerTraits &traits, int64_t tokens, int64_t sequences);

} // namespace mlir::deltanet::verification

#endif // DELTANET_VERIFICATION_ROOFLINE_H
