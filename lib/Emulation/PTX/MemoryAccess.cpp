//===- MemoryAccess.cpp - The accesses of one instruction of a warp -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"
#include "MemoryTraffic.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::deltanet::ptx;

namespace {
std::string nameOf(const MemoryAccess &access) {
  std::string bytes =
      std::to_string(access.bytes) + (access.bytes == 1 ? " byte" : " bytes");
  if (access.beginsCopy)
    return "asynchronous copy to " + bytes;
  switch (access.kind) {
  case AccessKind::Read:
    return "read of " + bytes;
  case AccessKind::Write:
    return "write of " + bytes;
  case AccessKind::Atomic:
    break;
  }
  return "atomic access to " + bytes;
}

std::string placeOf(uint64_t offset, uint64_t size, const char *memory) {
  // Before the begin, addresses have wrapped around.
  return "at byte " + std::to_string(int64_t(offset)) + " of " +
         std::to_string(size) + " of " + memory;
}

std::string describeShared(const Block &block, uint64_t offset) {
  if (offset >= block.shared.size())
    return placeOf(offset, block.shared.size(), "shared memory");
  for (const VariableSyntax &variable : block.grid.kernel.syntax->variables)
    if (variable.space == Space::Shared && offset >= variable.offset &&
        (variable.isDynamic || offset - variable.offset < variable.bytes))
      return "in '" + variable.name + "' at byte " +
             std::to_string(offset - variable.offset);
  return "in shared memory at byte " + std::to_string(offset);
}

bool holds(uint64_t size, uint64_t offset, uint64_t bytes) {
  return offset <= size && bytes <= size - offset;
}

/// Goes through the lanes of an access.
class Resolver {
public:
  Resolver(Warp &warp, const MemoryAccess &access, Lanes<char *> &pointers)
      : warp(warp), block(warp.block), access(access), pointers(pointers) {}

  bool place(unsigned lane) {
    uint64_t address = access.addresses[lane];
    switch (access.space) {
    case Space::Global:
      return placeGlobal(lane, address);
    case Space::Shared:
      return placeShared(lane, address);
    case Space::Local:
      return placeLocal(lane, address);
    case Space::Generic:
      if (isInWindow(address, kSharedWindow))
        return placeShared(lane, address - kSharedWindow);
      if (isInWindow(address, kLocalWindow))
        return placeLocal(lane, address - kLocalWindow);
      return placeGlobal(lane, address);
    case Space::Param:
    case Space::Const:
      break;
    }
    return placeParameter(lane, address);
  }

  /// Asks the shadows.
  void check() {
    LaneMask left = inGlobal | inShared;
    while (left) {
      unsigned first = __builtin_ctz(left);
      LaneMask together = 0;
      forEachLane(left, [&](unsigned lane) {
        together |= LaneMask(shadows[lane] == shadows[first]) << lane;
      });
      left &= ~together;
      if (!access.beginsCopy)
        together =
            shadows[first]->accessSimply(offsets.at, together, access.bytes,
                                         access.kind, accessorOf(warp, first));
      forEachLane(together, [&](unsigned lane) { checkLane(lane); });
    }
  }

  void count() {
    AccessCounts &counts = block.grid.accesses[warp.executing->index];
    ++counts.requests;
    counts.bytes += uint64_t(access.bytes) * llvm::popcount(access.mask);
    counts.space = access.space;
    Traffic traffic;
    if (inGlobal) {
      traffic = countSectors(access.addresses, inGlobal, access.bytes);
      counts.space = Space::Global;
    } else if (inShared) {
      traffic = countWaves(access.addresses, inShared, access.bytes);
      counts.space = Space::Shared;
    }
    counts.parts += traffic.parts;
    counts.idealParts += traffic.ideal;
  }

private:
  bool placeGlobal(unsigned lane, uint64_t address) {
    DeviceMemory &memory = block.grid.memory;
    DeviceBuffer *buffer = memory.find(address, access.bytes);
    if (LLVM_UNLIKELY(!buffer))
      return fault(FindingKind::OutOfBounds, lane,
                   memory.describe(address, access.bytes));
    if (LLVM_UNLIKELY(buffer->permission == Permission::Read &&
                      access.kind != AccessKind::Read))
      return fault(FindingKind::ReadOnly, lane,
                   memory.describe(address, access.bytes));
    if (LLVM_UNLIKELY(!isAligned(address)))
      return faultMisaligned(lane, memory.describe(address, access.bytes));
    inGlobal |= 1u << lane;
    pointers[lane] = buffer->data + (address - buffer->begin);
    shadows[lane] = buffer->shadow.get();
    offsets[lane] = address - buffer->begin;
    return true;
  }

  bool placeShared(unsigned lane, uint64_t offset) {
    if (LLVM_UNLIKELY(!holds(block.shared.size(), offset, access.bytes)))
      return fault(FindingKind::OutOfBounds, lane,
                   describeShared(block, offset));
    if (LLVM_UNLIKELY(!isAligned(offset)))
      return faultMisaligned(lane, describeShared(block, offset));
    inShared |= 1u << lane;
    pointers[lane] = block.shared.data() + offset;
    shadows[lane] = &block.grid.sharedShadow;
    offsets[lane] = offset;
    return true;
  }

  bool placeLocal(unsigned lane, uint64_t offset) {
    uint64_t size = block.grid.kernel.syntax->localBytes;
    if (!holds(size, offset, access.bytes))
      return fault(FindingKind::OutOfBounds, lane,
                   placeOf(offset, size, "local memory"));
    if (!isAligned(offset))
      return faultMisaligned(lane, placeOf(offset, size, "local memory"));
    pointers[lane] = block.local(warp, lane) + offset;
    if (!block.grid.options.checks)
      return true;
    uint64_t place = block.localOffset(warp, lane) + offset;
    uint64_t missing =
        access.kind == AccessKind::Write
            ? 0
            : block.localInitialised->missing(place, access.bytes);
    if (missing)
      warp.report(FindingKind::Uninitialised, lane,
                  nameOf(access) + ", " +
                      placeOf(offset, size, "local memory"));
    if (access.kind != AccessKind::Read)
      block.localInitialised->mark(place, access.bytes);
    return true;
  }

  bool placeParameter(unsigned lane, uint64_t offset) {
    std::vector<char> &parameters = block.grid.parameters;
    std::string place = placeOf(offset, parameters.size(), "parameters");
    if (!holds(parameters.size(), offset, access.bytes))
      return fault(FindingKind::OutOfBounds, lane, place);
    if (access.kind != AccessKind::Read)
      return fault(FindingKind::ReadOnly, lane, place);
    if (!isAligned(offset))
      return faultMisaligned(lane, place);
    pointers[lane] = parameters.data() + offset;
    return true;
  }

  void checkLane(unsigned lane) {
    Accessor by = accessorOf(warp, lane);
    MemoryShadow &shadow = *shadows[lane];
    std::optional<AccessProblem> problem =
        access.beginsCopy
            ? shadow.beginCopy(offsets[lane], access.bytes, by)
            : shadow.access(offsets[lane], access.bytes, access.kind, by);
    if (!problem)
      return;
    if (inShared >> lane & 1)
      reportShared(warp, lane, access, *problem);
    else
      reportGlobal(warp, lane, access, *problem);
  }

  unsigned alignment() const {
    return access.alignment ? access.alignment : access.bytes;
  }
  bool isAligned(uint64_t address) const {
    return !(address & (alignment() - 1));
  }

  bool fault(FindingKind kind, unsigned lane, const std::string &place) {
    warp.report(kind, lane, nameOf(access) + ", " + place);
    return false;
  }
  bool faultMisaligned(unsigned lane, const std::string &place) {
    return fault(FindingKind::Misaligned, lane,
                 place + ", expected a multiple of " +
                     std::to_string(alignment()));
  }

  Warp &warp;
  Block &block;
  const MemoryAccess &access;
  Lanes<char *> &pointers;
  Lanes<MemoryShadow *> shadows;
  Lanes<uint64_t> offsets;
  LaneMask inGlobal = 0, inShared = 0;
};

bool isReported(const Warp &warp, FindingKind kind) {
  return warp.block.grid.reported.count({warp.executing->index, kind});
}
} // namespace

Lanes<uint64_t> mlir::deltanet::ptx::addressesOf(Warp &warp, Register base,
                                                 int64_t offset) {
  Lanes<uint64_t> addresses;
  if (base.file == RegisterFile::Bits64) {
    const Lanes<uint64_t> &bases = warp.bits64(base);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      addresses[lane] = bases[lane] + offset;
  } else {
    const Lanes<uint32_t> &bases = warp.bits32(base);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      addresses[lane] = uint32_t(bases[lane] + offset);
  }
  return addresses;
}

Accessor mlir::deltanet::ptx::accessorOf(const Warp &warp, unsigned lane) {
  return {warp.block.grid.firstBlock, warp.block.number, warp.number, lane,
          warp.clock};
}

bool mlir::deltanet::ptx::resolve(Warp &warp, const MemoryAccess &access,
                                  Lanes<char *> &pointers) {
  Resolver resolver(warp, access, pointers);
  for (LaneMask left = access.mask; left; left &= left - 1)
    if (!resolver.place(__builtin_ctz(left)))
      return false;
  if (warp.block.grid.options.checks)
    resolver.check();
  if (access.isCounted)
    resolver.count();
  return true;
}

void mlir::deltanet::ptx::reportGlobal(Warp &warp, unsigned lane,
                                       const MemoryAccess &access,
                                       const AccessProblem &problem) {
  if (isReported(warp, problem.kind))
    return;
  std::string place =
      warp.block.grid.memory.describe(access.addresses[lane], access.bytes);
  warp.report(problem.kind, lane,
              nameOf(access) + ", " + place + ": " + problem.what);
}

void mlir::deltanet::ptx::reportShared(Warp &warp, unsigned lane,
                                       const MemoryAccess &access,
                                       const AccessProblem &problem) {
  if (isReported(warp, problem.kind))
    return;
  // Generic addresses of shared memory are those within it plus the window's.
  uint64_t offset = access.addresses[lane] & (kWindowBytes - 1);
  warp.report(problem.kind, lane,
              nameOf(access) + ", " + describeShared(warp.block, offset) +
                  ": " + problem.what);
}
