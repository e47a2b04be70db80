//===- Context.h - What a simulated GPU holds -------------------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_CUDA_CONTEXT_H
#define DELTANET_LIB_EMULATION_CUDA_CONTEXT_H

#include "CudaTypes.h"
#include "HandleTable.h"
#include "deltanet/Emulation/PTX/DeviceMemory.h"
#include "deltanet/Emulation/PTX/Launch.h"
#include "deltanet/Emulation/PTX/Program.h"
#include <chrono>
#include <optional>

namespace mlir::deltanet::cuda {

struct Kernel {
  CUmodule module;
  const ptx::Program *program;
  const ptx::KernelInfo *info;
  uint64_t dynamicSharedLimit; ///< what was asked for
};

/// A launch as it was asked for, with copies of its parameters.
struct KernelLaunch {
  CUfunction kernel;
  ptx::LaunchShape shape;
  std::vector<std::vector<char>> parameters;
};

/// Launches one after the other.
struct Graph {
  std::vector<KernelLaunch> launches;
};

struct Stream {
  std::unique_ptr<Graph> captured; ///< what launches become instead of running
};

/// A time of this machine's clock.
struct Event {
  std::optional<std::chrono::steady_clock::time_point> recorded;
};

/// The primary context of a device, while someone uses it.
struct Context {
  Context(CUdevice device, uint64_t firstAddress)
      : device(device), memory(firstAddress) {}

  const CUdevice device;
  unsigned users = 0;

  ptx::DeviceMemory memory;
  std::map<CUdeviceptr, uint64_t> allocations; ///< and their bytes
  uint64_t allocatedBytes = 0;

  HandleTable<CUmodule, ptx::Program> modules;
  HandleTable<CUfunction, Kernel> kernels;
  HandleTable<CUstream, Stream> streams;
  HandleTable<CUevent, Event> events;
  HandleTable<CUgraph, Graph> graphs;
  HandleTable<CUgraphExec, Graph> executables;

  /// Of a launch with findings: what every call fails with from then on.
  CUresult failure = CUDA_SUCCESS;
};

} // namespace mlir::deltanet::cuda

#endif // DELTANET_LIB_EMULATION_CUDA_CONTEXT_H
