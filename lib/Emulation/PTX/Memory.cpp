//===- Memory.cpp - Loads and stores --------------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "CacheHints.h"
#include "Decoder.h"
#include "MemoryAccess.h"

using namespace mlir::deltanet::ptx;

static bool resolveElements(Warp &warp, const Instruction &instruction,
                            LaneMask mask, AccessKind kind,
                            Lanes<char *> &pointers) {
  return resolve(
      warp,
      {instruction.space, kind, instruction.accessBytes(), mask,
       addressesOf(warp, instruction.sources[0], instruction.offset)},
      pointers);
}

/// Registers may be wider than the element, which its sign then extends.
template <typename Element>
static Step load(Warp &warp, const Instruction &instruction, LaneMask mask) {
  Lanes<char *> pointers;
  if (!resolveElements(warp, instruction, mask, AccessKind::Read, pointers))
    return Step::Faulted;
  for (auto [number, to] : llvm::enumerate(instruction.results)) {
    const size_t place = number * sizeof(Element);
    auto read = [&](unsigned lane) {
      Element element;
      std::memcpy(&element, pointers[lane] + place, sizeof element);
      return element;
    };
    if (to.file == RegisterFile::Bits64) {
      Lanes<uint64_t> &values = warp.bits64(to);
      forEachLane(mask, [&](unsigned lane) { values[lane] = read(lane); });
    } else {
      Lanes<uint32_t> &values = warp.bits32(to);
      const uint32_t bits = ~uint32_t(0) >> (32 - to.bits);
      forEachLane(mask,
                  [&](unsigned lane) { values[lane] = read(lane) & bits; });
    }
  }
  return Step::Next;
}

template <typename Element>
static Step store(Warp &warp, const Instruction &instruction, LaneMask mask) {
  Lanes<char *> pointers;
  if (!resolveElements(warp, instruction, mask, AccessKind::Write, pointers))
    return Step::Faulted;
  for (unsigned number = 0; number < instruction.elements; ++number) {
    Register from = instruction.sources[1 + number];
    forEachLane(mask, [&](unsigned lane) {
      Element element = warp.value(from, lane);
      std::memcpy(pointers[lane] + number * sizeof element, &element,
                  sizeof element);
    });
  }
  return Step::Next;
}

static Execute loadOf(Type type) {
  switch (bitsOf(type)) {
  case 8:
    return isSigned(type) ? load<int8_t> : load<uint8_t>;
  case 16:
    return isSigned(type) ? load<int16_t> : load<uint16_t>;
  case 32:
    return isSigned(type) ? load<int32_t> : load<uint32_t>;
  default:
    return load<uint64_t>;
  }
}

static Execute storeOf(Type type) {
  switch (bitsOf(type)) {
  case 8:
    return store<uint8_t>;
  case 16:
    return store<uint16_t>;
  case 32:
    return store<uint32_t>;
  default:
    return store<uint64_t>;
  }
}

/// Types whose size is all that matters to memory.
static bool canMove(Type type) {
  return (type >= Type::B8 && type <= Type::S64) || type == Type::F32 ||
         type == Type::F64;
}

static void decodeAccess(Decoder &decoder) {
  Instruction &own = *decoder.instruction;
  bool isLoad = !decoder.is("st");
  own.space = takeSpace(decoder);
  if (isLoad && own.space == Space::Generic &&
      (decoder.take("param") || decoder.take("param::entry")))
    own.space = Space::Param;
  takeOrder(decoder);
  bool hasPolicy = takeCacheHints(decoder);
  constexpr llvm::StringRef kVectors[] = {"v2", "v4", "v8"};
  constexpr unsigned kNoVector = std::size(kVectors);
  unsigned vector = decoder.takeOneOf(kVectors, kNoVector);
  own.elements = vector == kNoVector ? 1 : 2 << vector;
  Type type = decoder.takeType();
  if (!canMove(type))
    return decoder.failUnknown();
  own.elementBytes = bitsOf(type) / 8;
  // Vectors of 32 bytes are of global memory alone.
  bool canBeLong = own.space == Space::Generic || own.space == Space::Global;
  if (own.accessBytes() > (canBeLong ? 32 : 16) ||
      (own.elements == 8 && own.elementBytes != 4))
    return decoder.failUnknown();
  unsigned elements;
  if (isLoad) {
    elements = decoder.addResults(type, /*isWide=*/true);
    decoder.addAddress(own.offset);
  } else {
    decoder.addAddress(own.offset);
    elements = decoder.addSources(type, /*isWide=*/true);
  }
  if (elements != own.elements)
    decoder.fail("expected " + llvm::Twine(unsigned(own.elements)) +
                 " elements, got " + llvm::Twine(elements));
  if (hasPolicy)
    decoder.addSource(Type::B64);
  decoder.setExecute(isLoad ? loadOf(type) : storeOf(type));
}

/// Caches are not simulated.
static Step prefetch(Warp &, const Instruction &, LaneMask) {
  return Step::Next;
}

static void decodePrefetch(Decoder &decoder) {
  decoder.takeOneOf({"global", "local"}, 0);
  if (decoder.takeOneOf({"L1", "L2", "L2::evict_last", "L2::evict_normal"},
                        4) == 4)
    return decoder.failUnknown();
  decoder.addAddress(decoder.instruction->offset);
  decoder.setExecute(prefetch);
}

static Step isInSpace(Warp &warp, const Instruction &instruction,
                      LaneMask mask) {
  LaneMask inside = 0;
  forEachLane(mask, [&](unsigned lane) {
    uint64_t address = warp.value(instruction.sources[0], lane);
    bool isShared = isInWindow(address, kSharedWindow);
    bool isLocal = isInWindow(address, kLocalWindow);
    bool isIn = instruction.space == Space::Shared  ? isShared
                : instruction.space == Space::Local ? isLocal
                                                    : !isShared && !isLocal;
    inside |= LaneMask(isIn) << lane;
  });
  warp.write(instruction.results[0], mask, inside);
  return Step::Next;
}

static void decodeIsInSpace(Decoder &decoder) {
  decoder.instruction->space = takeSpace(decoder);
  if (decoder.instruction->space == Space::Generic)
    return decoder.failUnknown();
  decoder.addResult(Type::Pred);
  decoder.addWideSource(Type::B32);
  decoder.setExecute(isInSpace);
}

void mlir::deltanet::ptx::decodeMemory(Decoder &decoder) {
  if (decoder.is("prefetch") || decoder.is("prefetchu"))
    decodePrefetch(decoder);
  else if (decoder.is("isspacep"))
    decodeIsInSpace(decoder);
  else
    decodeAccess(decoder);
}
