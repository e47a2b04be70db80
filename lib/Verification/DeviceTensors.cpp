//===- DeviceTensors.cpp - The tensors of one call on a GPU ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "DeviceTensors.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

/// What tensors are aligned to, and every allocation at least.
static constexpr size_t kAlignment = 64;

DeviceTensors::~DeviceTensors() {
  for (const Buffer &buffer : buffers)
    device.release(buffer.memory);
}

llvm::Error DeviceTensors::allocate() {
  for (const CallTensors::Extent &extent : tensors.extents()) {
    size_t guard =
        device.simulator() ? 0 : llvm::alignDown(extent.guard, kAlignment);
    size_t offset = reinterpret_cast<uintptr_t>(extent.begin) % kAlignment;
    Buffer buffer{extent, guard + offset, guard, nullptr};
    llvm::Expected<char *> memory = device.allocate(buffer.size());
    if (!memory)
      return memory.takeError();
    buffer.memory = *memory;
    buffers.push_back(buffer);
    if (const Simulator *simulator = device.simulator(); simulator && *memory)
      simulator->describeBuffer(*memory, extent.name, extent.output);
  }
  return llvm::Error::success();
}

llvm::Error DeviceTensors::upload() const {
  const Simulator *simulator = device.simulator();
  for (const Buffer &buffer : buffers) {
    if (llvm::Error error =
            device.write(buffer.memory, buffer.host(), buffer.size()))
      return error;
    if (simulator && buffer.memory)
      simulator->markUninitialised(buffer.memory, buffer.size());
  }
  if (!simulator)
    return llvm::Error::success();
  llvm::Error failure = llvm::Error::success();
  tensors.visitInputRows([&](const char *row, size_t bytes) {
    failure = llvm::joinErrors(std::move(failure),
                               device.write(translate(row), row, bytes));
  });
  return failure;
}

llvm::Error DeviceTensors::download() const {
  for (const Buffer &buffer : buffers) {
    if (llvm::Error error =
            device.read(buffer.host(), buffer.memory, buffer.size()))
      return error;
    // The next run must not find what this one left.
    if (buffer.extent.any)
      std::memset(buffer.extent.begin, 0xFF, buffer.extent.bytes);
  }
  return llvm::Error::success();
}

char *DeviceTensors::translate(const void *pointer) const {
  for (const Buffer &buffer : buffers) {
    ptrdiff_t at = static_cast<const char *>(pointer) - buffer.extent.begin;
    if (at >= 0 && size_t(at) < buffer.extent.bytes)
      return buffer.memory + buffer.before + at;
  }
  return nullptr;
}

dn_args DeviceTensors::onDevice(dn_args args) const {
  auto move = [&](auto &pointer) {
    pointer =
        reinterpret_cast<std::decay_t<decltype(pointer)>>(translate(pointer));
  };
  move(args.q);
  move(args.k);
  move(args.v);
  move(args.g);
  move(args.beta);
  move(args.state_in);
  move(args.cu_seqlens);
  move(args.o);
  move(args.state_out);
  move(args.workspace);
  return args;
}
