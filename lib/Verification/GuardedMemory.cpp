//===- GuardedMemory.cpp - Memory that notices stray writes ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "GuardedMemory.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir::deltanet;
using namespace mlir::deltanet::verification;

GuardedMemory::GuardedMemory(size_t bytes, size_t guardBytes, size_t alignment,
                             size_t offset)
    : total(bytes + 2 * guardBytes + alignment + offset), bytes(bytes),
      guardBytes(guardBytes) {
  memory.reset(new char[total]);
  std::memset(memory.get(), 0xFF, total);
  uintptr_t first = reinterpret_cast<uintptr_t>(memory.get()) + guardBytes;
  payload = memory.get() + guardBytes +
            (llvm::alignTo(first, alignment) - first) + offset;
}

void GuardedMemory::remember() {
  copy.assign(memory.get(), memory.get() + total);
}

void GuardedMemory::accept(const char *begin, size_t count) {
  std::memcpy(copy.data() + (begin - memory.get()), begin, count);
}

std::optional<std::string> GuardedMemory::damage() const {
  if (std::memcmp(copy.data(), memory.get(), total) == 0)
    return std::nullopt;
  int64_t first = -1, changed = 0;
  for (size_t i = 0; i < total; ++i) {
    if (copy[i] == memory[i])
      continue;
    if (changed++ == 0)
      first = int64_t(i);
  }
  int64_t at = first - (payload - memory.get());
  if (at < 0)
    return llvm::formatv("{0} bytes changed, first {1} bytes before the begin",
                         changed, -at);
  if (at >= int64_t(bytes))
    return llvm::formatv("{0} bytes changed, first {1} bytes after the end",
                         changed, at - int64_t(bytes));
  return llvm::formatv("{0} bytes changed, first at byte {1} of {2}", changed,
                       at, bytes);
}
