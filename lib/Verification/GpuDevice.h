//===- GpuDevice.h - A GPU, real or simulated, and its memory ---*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_VERIFICATION_GPUDEVICE_H
#define DELTANET_LIB_VERIFICATION_GPUDEVICE_H

#include "Simulator.h"
#include "deltanet-c/cuda.h"
#include "deltanet/Verification/DeviceRunner.h"
#include <memory>
#include <optional>

namespace mlir::deltanet::verification {

/// A GPU whose primary context is the current one of the thread that opened it,
/// for as long as this lives.
class GpuDevice {
public:
  static llvm::Expected<std::unique_ptr<GpuDevice>>
  open(const DeviceChoice &choice);
  GpuDevice(const GpuDevice &) = delete;
  ~GpuDevice();

  dn_cuda *driver() const { return cuda; }
  const Simulator *simulator() const {
    return simulated ? &*simulated : nullptr;
  }
  /// "NVIDIA H200 (9.0)".
  const std::string &name() const { return description; }

  /// Null for no bytes.
  llvm::Expected<char *> allocate(uint64_t bytes) const;
  void release(char *memory) const;
  llvm::Error write(char *to, const char *from, uint64_t bytes) const;
  llvm::Error read(char *to, const char *from, uint64_t bytes) const;
  /// Waits for all launches.
  llvm::Error synchronize() const;

  /// An error for a call of the runtime that failed with this message, and what
  /// the simulator knows of it.
  llvm::Error fail(dn_status status, const char *message) const;

private:
  /// Success for DN_OK.
  llvm::Error check(dn_status status, const char *message) const;
  explicit GpuDevice(const DeviceChoice &choice) : choice(choice) {}

  const DeviceChoice choice;
  std::optional<Simulator> simulated;
  dn_cuda *cuda = nullptr;
  bool isRetained = false;
  std::string description;
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_LIB_VERIFICATION_GPUDEVICE_H
