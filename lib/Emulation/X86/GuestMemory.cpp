//===- GuestMemory.cpp - Memory that emulated code may touch --------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Emulation/X86/GuestMemory.h"
#include "PageTables.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <sys/mman.h>

using namespace mlir::deltanet::emulation;

static constexpr uint64_t pageBytes = PageTables::pageBytes;

GuestMemory::GuestMemory(PageTables &pages) : pages(pages) {}

GuestMemory::~GuestMemory() {
  while (!buffers.empty())
    release(reinterpret_cast<void *>(buffers.begin()->first));
}

Buffer &GuestMemory::add(llvm::StringRef name, uint64_t begin, uint64_t bytes,
                         Permission permission) {
  pages.map(begin, begin + bytes, permission == Permission::Execute);
  auto buffer = std::make_unique<Buffer>(
      Buffer{name.str(), begin, begin + bytes, permission, {}});
  auto [added, isNew] = buffers.emplace(begin, std::move(buffer));
  assert(isNew && "expected a begin of its own");
  return *added->second;
}

char *GuestMemory::allocate(llvm::StringRef name, size_t bytes,
                            Permission permission, size_t alignment,
                            Flush flush) {
  size_t inside = llvm::alignTo(std::max<size_t>(bytes, 1), pageBytes);
  size_t total = inside + 2 * pageBytes;
  void *base =
      mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED || mprotect(static_cast<char *>(base) + pageBytes,
                                     inside, PROT_READ | PROT_WRITE) != 0)
    llvm::report_bad_alloc_error("emulated memory");
  uint64_t first = reinterpret_cast<uint64_t>(base) + pageBytes;
  uint64_t begin = flush == Flush::Left
                       ? first
                       : llvm::alignDown(first + inside - bytes, alignment);
  add(name, begin, bytes, permission);
  mappings[begin] = {base, total};
  return reinterpret_cast<char *>(begin);
}

void GuestMemory::share(llvm::StringRef name, const void *begin, size_t bytes,
                        Permission permission) {
  add(name, reinterpret_cast<uint64_t>(begin), bytes, permission);
}

void GuestMemory::release(const void *begin) {
  auto found = buffers.find(reinterpret_cast<uint64_t>(begin));
  assert(found != buffers.end() && "expected the begin of a buffer");
  const Buffer &buffer = *found->second;
  pages.unmap(buffer.begin, buffer.end,
              buffer.permission == Permission::Execute);
  recentlyFound.fill(nullptr);
  buffers.erase(found);
  auto mapping = mappings.find(reinterpret_cast<uint64_t>(begin));
  if (mapping == mappings.end())
    return;
  munmap(mapping->second.base, mapping->second.bytes);
  mappings.erase(mapping);
}

void GuestMemory::markUninitialised(const void *begin, size_t bytes) {
  uint64_t address = reinterpret_cast<uint64_t>(begin);
  Buffer *buffer = find(address, bytes);
  assert(buffer && "expected bytes of one buffer");
  if (buffer->initialised.empty())
    buffer->initialised.assign(buffer->end - buffer->begin, 1);
  std::fill_n(buffer->initialised.begin() + (address - buffer->begin), bytes,
              0);
}

void GuestMemory::markInitialised(const void *begin, size_t bytes) {
  uint64_t address = reinterpret_cast<uint64_t>(begin);
  Buffer *buffer = find(address, bytes);
  assert(buffer && "expected bytes of one buffer");
  if (!buffer->initialised.empty())
    std::fill_n(buffer->initialised.begin() + (address - buffer->begin), bytes,
                1);
}

Buffer *GuestMemory::search(uint64_t address, uint64_t bytes) {
  auto after = buffers.upper_bound(address);
  if (after == buffers.begin())
    return nullptr;
  Buffer *buffer = std::prev(after)->second.get();
  if (!buffer->holds(address, bytes))
    return nullptr;
  return recentlyFound[slotOf(address)] = buffer;
}

/// How far an access is from a buffer; 0 if they overlap.
static uint64_t distance(const Buffer &buffer, uint64_t address,
                         uint64_t bytes) {
  if (address >= buffer.end)
    return address - buffer.end;
  return address + bytes <= buffer.begin ? buffer.begin - (address + bytes) : 0;
}

std::string GuestMemory::describe(uint64_t address, uint64_t bytes) const {
  const Buffer *nearest = nullptr;
  for (const auto &[begin, buffer] : buffers)
    if (!nearest ||
        distance(*buffer, address, bytes) < distance(*nearest, address, bytes))
      nearest = buffer.get();
  // Far away, the nearest buffer says nothing.
  if (!nearest || distance(*nearest, address, bytes) > (1 << 20))
    return llvm::formatv("at address {0:x}, near no buffer", address);
  const Buffer &b = *nearest;
  if (address >= b.end)
    return llvm::formatv("{0} bytes after '{1}'", address - b.end, b.name);
  if (address + bytes <= b.begin)
    return llvm::formatv("{0} bytes before '{1}'", b.begin - address, b.name);
  if (address < b.begin)
    return llvm::formatv("from {0} bytes before '{1}'", b.begin - address,
                         b.name);
  if (address + bytes > b.end)
    return llvm::formatv("to {0} bytes after '{1}'", address + bytes - b.end,
                         b.name);
  return llvm::formatv("at byte {0} of '{1}'", address - b.begin, b.name);
}
