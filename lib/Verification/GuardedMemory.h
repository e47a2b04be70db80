//===- GuardedMemory.h - Memory that notices stray writes -------*- C++ -*-===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_VERIFICATION_GUARDEDMEMORY_H
#define DELTANET_LIB_VERIFICATION_GUARDEDMEMORY_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::deltanet::verification {

/// A block of memory between two guards. All of it starts as 0xFF bytes, which
/// are NaN in every float type, so that a stray read shows in the results.
/// Writes that nobody accepted are found by comparing with a copy.
class GuardedMemory {
public:
  /// `bytes` of payload that begin `offset` bytes after a multiple of
  /// `alignment` (a power of two), with at least `guardBytes` on each side.
  GuardedMemory(size_t bytes, size_t guardBytes, size_t alignment,
                size_t offset);

  char *data() { return payload; }
  size_t size() const { return bytes; }
  /// Bytes before the payload and after it that are there at least.
  size_t guard() const { return guardBytes; }

  /// Takes the present content as what must stay.
  void remember();

  /// Lets [begin, begin + count), which lies in the payload, have changed.
  void accept(const char *begin, size_t count);

  /// Describes the bytes that changed since remember() without having been
  /// accepted: "4 bytes changed, first 8 bytes after the end".
  std::optional<std::string> damage() const;

private:
  std::unique_ptr<char[]> memory;
  size_t total, bytes, guardBytes;
  char *payload;
  std::vector<char> copy;
};

} // namespace mlir::deltanet::verification

#endif // DELTANET_LIB_VERIFICATION_GUARDEDMEMORY_H
