//===- DeviceCall.h - A call with its tensors on a GPU ----------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_BENCHMARKS_GPU_DEVICECALL_H
#define DELTANET_BENCHMARKS_GPU_DEVICECALL_H

#include "OpenedGpu.h"
#include "deltanet/Verification/ProblemRunner.h"
#include <vector>

namespace mlir::deltanet::gpubench {

/// The tensors of a call to be timed, packed. A few hundred generated tokens
/// are repeated for as many as there are, and one state for all sequences: the
/// values are as in use, and made in no time.
class DeviceCall {
public:
  /// `tokens` in each sequence. Fails where the GPU has too little memory, or
  /// the kernel does not take such a call.
  static llvm::Expected<DeviceCall>
  create(const OpenedGpu &gpu, const dn_kernel &kernel,
         const verification::RunnerTraits &traits, int64_t sequences,
         int64_t tokens, bool inPlaceState);
  DeviceCall(DeviceCall &&other);
  DeviceCall &operator=(DeviceCall &&) = delete;
  ~DeviceCall();

  const dn_args &args() const { return callArgs; }

private:
  explicit DeviceCall(dn_cuda *cuda) : cuda(cuda) {}
  llvm::Expected<char *> place(uint64_t bytes);
  /// A tensor of `count` times these bytes one after the other.
  llvm::Expected<char *> repeat(llvm::ArrayRef<char> bytes, int64_t count);
  llvm::Error fillTokens(const verification::Problem &block, int64_t tokens);
  llvm::Error fillStates(const verification::Problem &block,
                         const verification::RunnerTraits &traits,
                         bool inPlaceState);
  llvm::Error fillOffsets(const verification::RunnerTraits &traits,
                          int64_t tokens);

  dn_cuda *cuda;
  std::vector<char *> buffers;
  dn_args callArgs = {};
};

} // namespace mlir::deltanet::gpubench

#endif // DELTANET_BENCHMARKS_GPU_DEVICECALL_H
