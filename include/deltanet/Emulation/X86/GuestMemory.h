//===- GuestMemory.h - Memory that emulated code may touch ------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
// Addresses are the same inside and outside of the emulator: a pointer of this
// process is what emulated code uses. It reaches only what is registered here,
// to the byte.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_EMULATION_X86_GUESTMEMORY_H
#define DELTANET_EMULATION_X86_GUESTMEMORY_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mlir::deltanet::emulation {

class PageTables;

enum class Permission { Read, ReadWrite, Execute };

/// Which end of a buffer touches a page that nobody may access.
enum class Flush { Left, Right };

/// A range of bytes with a name.
struct Buffer {
  std::string name;
  uint64_t begin, end;
  Permission permission;
  /// One byte for each, not zero once it was written; empty: all are.
  std::vector<uint8_t> initialised;

  bool holds(uint64_t address, uint64_t bytes) const {
    return address >= begin && address <= end && bytes <= end - address;
  }
};

class GuestMemory {
public:
  explicit GuestMemory(PageTables &pages);
  GuestMemory(const GuestMemory &) = delete;
  ~GuestMemory();

  /// Zeroed memory between two pages without access, one of which it touches
  /// but for its alignment. Starts as initialised.
  char *allocate(llvm::StringRef name, size_t bytes, Permission permission,
                 size_t alignment = 64, Flush flush = Flush::Right);

  /// Memory of this process. May share pages with other buffers, but neither
  /// bytes nor the begin.
  void share(llvm::StringRef name, const void *begin, size_t bytes,
             Permission permission);

  /// Forgets the buffer that begins here, and frees it if it was allocated.
  void release(const void *begin);

  /// Takes bytes of one buffer as never written, or as written.
  void markUninitialised(const void *begin, size_t bytes);
  void markInitialised(const void *begin, size_t bytes);

  /// The buffer that holds an access entirely, or null. Fast for accesses near
  /// earlier ones.
  Buffer *find(uint64_t address, uint64_t bytes) {
    Buffer *recent = recentlyFound[slotOf(address)];
    if (recent && recent->holds(address, bytes))
      return recent;
    return search(address, bytes);
  }

  /// The place of an access in terms of the nearest buffer: "4 bytes after
  /// 'o'".
  std::string describe(uint64_t address, uint64_t bytes) const;

private:
  struct Mapping {
    void *base;
    size_t bytes;
  };

  static constexpr size_t slots = 256;
  static size_t slotOf(uint64_t address) { return (address >> 12) % slots; }
  Buffer *search(uint64_t address, uint64_t bytes);
  Buffer &add(llvm::StringRef name, uint64_t begin, uint64_t bytes,
              Permission permission);

  PageTables &pages;
  std::map<uint64_t, std::unique_ptr<Buffer>> buffers; ///< by their begin
  std::map<uint64_t, Mapping> mappings; ///< of the allocated ones, likewise
  std::array<Buffer *, slots> recentlyFound = {};
};

} // namespace mlir::deltanet::emulation

#endif // DELTANET_EMULATION_X86_GUESTMEMORY_H
