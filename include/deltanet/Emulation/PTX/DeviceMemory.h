//===- DeviceMemory.h - Global memory of a simulated GPU --------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// Buffers lie far apart in an address space of their own, so that an access
// beside one meets none. What kernels did to each word is kept beside it, and
// outlives a launch: what one wrote, the next may read.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_EMULATION_PTX_DEVICEMEMORY_H
#define DELTANET_EMULATION_PTX_DEVICEMEMORY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace mlir::deltanet::ptx {

class MemoryShadow;

enum class Permission { Read, ReadWrite };

/// A range of bytes with a name.
struct DeviceBuffer {
  std::string name;
  uint64_t begin, bytes;
  Permission permission;
  char *data; ///< of this process
  std::unique_ptr<MemoryShadow> shadow;

  DeviceBuffer(llvm::StringRef name, uint64_t begin, uint64_t bytes,
               Permission permission);
  ~DeviceBuffer();

  bool holds(uint64_t address, uint64_t size) const {
    return address >= begin && address - begin <= bytes &&
           size <= bytes - (address - begin);
  }
};

class DeviceMemory {
public:
  /// Addresses begin here: a GPU beside others has a range of its own.
  explicit DeviceMemory(uint64_t first = 0x7000'0000'0000);
  DeviceMemory(const DeviceMemory &) = delete;
  ~DeviceMemory();

  /// The device address of a new buffer, a multiple of 256. Its bytes are
  /// poison that nothing may read before it is written; pages are taken when
  /// they are touched.
  uint64_t allocate(llvm::StringRef name, uint64_t bytes,
                    Permission permission = Permission::ReadWrite);

  /// Frees the buffer that begins here; false if there is none.
  bool release(uint64_t address);

  /// Copies from and to this process. False unless one buffer holds all of it.
  /// What was copied in is initialised; what is copied out need not be.
  bool write(uint64_t address, llvm::ArrayRef<char> bytes);
  bool read(uint64_t address, llvm::MutableArrayRef<char> bytes) const;

  /// Takes bytes of one buffer as never written.
  void markUninitialised(uint64_t address, uint64_t bytes);
  /// Whether a copy or a kernel has written all of these bytes.
  bool isInitialised(uint64_t address, uint64_t bytes) const;

  /// The buffer that holds an access entirely, or null. Fast for a buffer that
  /// was found before.
  DeviceBuffer *find(uint64_t address, uint64_t bytes) {
    if (recent && recent->holds(address, bytes))
      return recent;
    return search(address, bytes);
  }

  /// The place of an access in terms of the nearest buffer: "4 bytes after
  /// 'o'".
  std::string describe(uint64_t address, uint64_t bytes) const;

  /// Numbers of blocks that no launch on this memory was given before: the
  /// first of `count`.
  uint64_t takeBlockNumbers(uint64_t count) {
    uint64_t first = nextBlock;
    nextBlock += count;
    return first;
  }

private:
  DeviceBuffer *search(uint64_t address, uint64_t bytes);

  std::map<uint64_t, std::unique_ptr<DeviceBuffer>> buffers; ///< by begin
  uint64_t next;
  uint64_t nextBlock = 1;
  DeviceBuffer *recent = nullptr;
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_EMULATION_PTX_DEVICEMEMORY_H
