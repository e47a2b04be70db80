//===- DeviceTensors.h - The tensors of one call on a GPU -------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_VERIFICATION_DEVICETENSORS_H
#define DELTANET_LIB_VERIFICATION_DEVICETENSORS_H

#include "CallTensors.h"
#include "GpuDevice.h"

namespace mlir::deltanet::verification {

/// A copy of each block of CallTensors in a buffer of its own, at the same
/// distance from alignment. On a real GPU the guards are copied, too, so that
/// what kernels write there is found where the host looks for it; a simulated
/// one knows where a buffer ends.
class DeviceTensors {
public:
  DeviceTensors(const GpuDevice &device, CallTensors &tensors)
      : device(device), tensors(tensors) {}
  DeviceTensors(const DeviceTensors &) = delete;
  ~DeviceTensors();

  /// Takes memory for all blocks that the tensors have.
  llvm::Error allocate();

  /// Copies everything there; on a simulated GPU only the rows of inputs are
  /// initialised then.
  llvm::Error upload() const;
  /// Copies everything back.
  llvm::Error download() const;

  /// The arguments with the pointers of the GPU.
  dn_args onDevice(dn_args args) const;

private:
  struct Buffer {
    CallTensors::Extent extent;
    size_t before, after; ///< bytes that are copied beside it
    char *memory;         ///< of the GPU

    size_t size() const { return before + extent.bytes + after; }
    char *host() const { return extent.begin - before; }
  };

  /// Where something in a block lies on the GPU; null if there is nothing.
  char *translate(const void *pointer) const;

  const GpuDevice &device;
  CallTensors &tensors;
  std::vector<Buffer> buffers;
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_LIB_VERIFICATION_DEVICETENSORS_H
