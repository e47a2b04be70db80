//===- LaunchCounts.h - What the launches of kernels executed ---*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_CUDA_LAUNCHCOUNTS_H
#define DELTANET_LIB_EMULATION_CUDA_LAUNCHCOUNTS_H

#include "deltanet/Emulation/PTX/Launch.h"

namespace mlir::deltanet::cuda {

/// Sums over launches, by the name of the kernel.
class LaunchCounts {
public:
  void add(llvm::StringRef kernel, const ptx::LaunchShape &shape,
           const ptx::InstructionReport &report);

  /// {"device": …, "instructions": …, "kernels": […]}.
  llvm::json::Value toJson(llvm::StringRef device) const;

private:
  struct Counts {
    uint64_t launches = 0, blocks = 0;
    ptx::InstructionReport report;
  };
  std::map<std::string, Counts> kernels;
};

} // namespace mlir::deltanet::cuda

#endif // DELTANET_LIB_EMULATION_CUDA_LAUNCHCOUNTS_H
