//===- DeviceMemory.cpp - Global memory of a simulated GPU ----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "deltanet/Emulation/PTX/DeviceMemory.h"
#include "MemoryShadow.h"
#include "SparsePages.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir::deltanet::ptx;

namespace {
constexpr uint64_t kGap = uint64_t(1) << 32;
/// Not a number, in every format of floating point.
constexpr int kPoison = 0xFF;
/// Larger buffers are sparse: filling them would take all of their pages.
constexpr uint64_t kLargestPoisoned = uint64_t(64) << 20;

using Buffers = std::map<uint64_t, std::unique_ptr<DeviceBuffer>>;

DeviceBuffer *findHolder(const Buffers &buffers, uint64_t address,
                         uint64_t bytes) {
  auto after = buffers.upper_bound(address);
  if (after == buffers.begin())
    return nullptr;
  DeviceBuffer *buffer = std::prev(after)->second.get();
  return buffer->holds(address, bytes) ? buffer : nullptr;
}

std::string count(uint64_t bytes) {
  return llvm::utostr(bytes) + (bytes == 1 ? " byte" : " bytes");
}
} // namespace

DeviceBuffer::DeviceBuffer(llvm::StringRef name, uint64_t begin, uint64_t bytes,
                           Permission permission)
    : name(name), begin(begin), bytes(bytes), permission(permission),
      data(mapSparsePages(bytes)),
      shadow(std::make_unique<MemoryShadow>(bytes)) {
  if (bytes <= kLargestPoisoned)
    std::memset(data, kPoison, bytes);
}

DeviceBuffer::~DeviceBuffer() { unmapSparsePages(data, bytes); }

DeviceMemory::DeviceMemory(uint64_t first) : next(first) {}

DeviceMemory::~DeviceMemory() = default;

uint64_t DeviceMemory::allocate(llvm::StringRef name, uint64_t bytes,
                                Permission permission) {
  uint64_t begin = next;
  buffers[begin] =
      std::make_unique<DeviceBuffer>(name, begin, bytes, permission);
  next = llvm::alignTo(begin + bytes, kGap) + kGap;
  return begin;
}

bool DeviceMemory::release(uint64_t address) {
  recent = nullptr;
  return buffers.erase(address) != 0;
}

bool DeviceMemory::write(uint64_t address, llvm::ArrayRef<char> bytes) {
  DeviceBuffer *buffer = search(address, bytes.size());
  if (!buffer)
    return false;
  if (!bytes.empty())
    std::memcpy(buffer->data + (address - buffer->begin), bytes.data(),
                bytes.size());
  buffer->shadow->markInitialised(address - buffer->begin, bytes.size());
  return true;
}

bool DeviceMemory::read(uint64_t address,
                        llvm::MutableArrayRef<char> bytes) const {
  const DeviceBuffer *buffer = findHolder(buffers, address, bytes.size());
  if (!buffer)
    return false;
  if (!bytes.empty())
    std::memcpy(bytes.data(), buffer->data + (address - buffer->begin),
                bytes.size());
  return true;
}

void DeviceMemory::markUninitialised(uint64_t address, uint64_t bytes) {
  if (DeviceBuffer *buffer = search(address, bytes))
    buffer->shadow->markUninitialised(address - buffer->begin, bytes);
}

bool DeviceMemory::isInitialised(uint64_t address, uint64_t bytes) const {
  const DeviceBuffer *buffer = findHolder(buffers, address, bytes);
  return buffer &&
         buffer->shadow->isInitialised(address - buffer->begin, bytes);
}

DeviceBuffer *DeviceMemory::search(uint64_t address, uint64_t bytes) {
  DeviceBuffer *buffer = findHolder(buffers, address, bytes);
  if (buffer)
    recent = buffer;
  return buffer;
}

std::string DeviceMemory::describe(uint64_t address, uint64_t bytes) const {
  auto after = buffers.upper_bound(address);
  const DeviceBuffer *below =
      after == buffers.begin() ? nullptr : std::prev(after)->second.get();
  const DeviceBuffer *above =
      after == buffers.end() ? nullptr : after->second.get();
  if (below && below->holds(address, bytes))
    return "in '" + below->name + "' at byte " +
           llvm::utostr(address - below->begin);
  uint64_t beforeAbove = above ? above->begin - address : kGap;
  if (below) {
    uint64_t place = address - below->begin;
    if (place < below->bytes)
      return "the last " + count(bytes - (below->bytes - place)) + " after '" +
             below->name + "'";
    uint64_t past = place - below->bytes;
    if (past < std::min(beforeAbove, kGap))
      return count(past) + " after '" + below->name + "'";
  }
  if (beforeAbove < kGap)
    return count(beforeAbove) + " before '" + above->name + "'";
  return "at address 0x" + llvm::utohexstr(address, /*LowerCase=*/true) +
         ", far from every buffer";
}
