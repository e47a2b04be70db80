//===- AsyncCopy.cpp - Copies into shared memory that one waits for -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "AsyncCopies.h"
#include "CacheHints.h"
#include "Decoder.h"
#include "MemoryAccess.h"

using namespace mlir::deltanet::ptx;

/// That the bytes of a source, which is not empty, may be read.
static bool checkSource(Warp &warp, const Lanes<uint64_t> &from, LaneMask mask,
                        unsigned bytes, unsigned alignment) {
  MemoryAccess access{Space::Global, AccessKind::Read, bytes, mask, from};
  access.alignment = alignment;
  Lanes<char *> pointers;
  return resolve(warp, access, pointers);
}

static Step beginCopies(Warp &warp, const Instruction &instruction,
                        LaneMask mask) {
  const unsigned bytes = instruction.accessBytes();
  MemoryAccess target{
      Space::Shared, AccessKind::Write, bytes, mask,
      addressesOf(warp, instruction.sources[0], instruction.offset)};
  target.beginsCopy = true;
  target.isCounted = false;
  Lanes<uint64_t> from =
      addressesOf(warp, instruction.sources[1], instruction.sourceOffset);

  // Lanes by how many bytes their sources have.
  std::array<LaneMask, 17> lanesOf = {};
  for (LaneMask left = mask; left; left &= left - 1) {
    unsigned lane = __builtin_ctz(left);
    uint64_t size = instruction.immediate
                        ? warp.value(instruction.sources[2], lane)
                        : bytes;
    if (size > bytes)
      return warp.fault(FindingKind::IllegalInstruction, lane,
                        "expected a source of at most " + llvm::Twine(bytes) +
                            " bytes, got " + llvm::Twine(size));
    lanesOf[size] |= 1u << lane;
  }
  for (unsigned size = 1; size <= bytes; ++size)
    if (lanesOf[size] && !checkSource(warp, from, lanesOf[size], size, bytes))
      return Step::Faulted;
  Lanes<char *> pointers;
  if (!resolve(warp, target, pointers))
    return Step::Faulted;
  for (unsigned size = 0; size <= bytes; ++size)
    forEachLane(lanesOf[size], [&](unsigned lane) {
      warp.copies.begin(lane, {uint32_t(target.addresses[lane]), uint8_t(bytes),
                               uint8_t(size), from[lane], &instruction});
    });
  return Step::Next;
}

static void finishCopy(Warp &warp, unsigned lane, const AsyncCopy &copy) {
  Block &block = warp.block;
  char *to = block.shared.data() + copy.to;
  DeviceBuffer *source = block.grid.memory.find(copy.from, copy.sourceBytes);
  std::memset(to, 0, copy.bytes);
  if (copy.sourceBytes)
    std::memcpy(to, source->data + (copy.from - source->begin),
                copy.sourceBytes);
  if (!block.grid.options.checks)
    return;
  Accessor by = accessorOf(warp, lane);
  if (copy.sourceBytes)
    if (std::optional<AccessProblem> problem =
            source->shadow->access(copy.from - source->begin, copy.sourceBytes,
                                   AccessKind::Read, by)) {
      MemoryAccess access{
          Space::Global, AccessKind::Read, copy.sourceBytes, 1u << lane, {}};
      access.addresses[lane] = copy.from;
      reportGlobal(warp, lane, access, *problem);
    }
  if (std::optional<AccessProblem> problem =
          block.grid.sharedShadow.endCopy(copy.to, copy.bytes, by)) {
    MemoryAccess access{
        Space::Shared, AccessKind::Write, copy.bytes, 1u << lane, {}};
    access.addresses[lane] = copy.to;
    access.beginsCopy = true;
    reportShared(warp, lane, access, *problem);
  }
}

static void finishCopies(Warp &warp, LaneMask mask, uint64_t groups) {
  const Instruction *wait = warp.executing;
  forEachLane(mask, [&](unsigned lane) {
    warp.copies.finish(lane, groups, [&](const AsyncCopy &copy) {
      // What is wrong with a copy is said where it began.
      warp.executing = copy.instruction;
      finishCopy(warp, lane, copy);
    });
  });
  warp.executing = wait;
}

static void commitAll(Warp &warp, LaneMask mask) {
  forEachLane(mask, [&](unsigned lane) { warp.copies.commit(lane); });
}

static Step commitGroup(Warp &warp, const Instruction &, LaneMask mask) {
  commitAll(warp, mask);
  return Step::Next;
}

static Step waitGroup(Warp &warp, const Instruction &instruction,
                      LaneMask mask) {
  finishCopies(warp, mask, instruction.immediate);
  return Step::Next;
}

static Step waitAll(Warp &warp, const Instruction &, LaneMask mask) {
  commitAll(warp, mask);
  finishCopies(warp, mask, 0);
  return Step::Next;
}

static void decodeCopy(Decoder &decoder) {
  Instruction &own = *decoder.instruction;
  bool isCg = decoder.take("cg");
  if (!isCg && !decoder.take("ca"))
    return decoder.failUnknown();
  if ((!decoder.take("shared") && !decoder.take("shared::cta")) ||
      !decoder.take("global"))
    return decoder.failUnknown();
  bool hasPolicy = takeCacheHints(decoder);
  own.space = Space::Global;
  decoder.addAddress(own.offset);
  decoder.addAddress(own.sourceOffset);
  uint64_t bytes = decoder.takeImmediate();
  bool isAllowed = bytes == 16 || (!isCg && (bytes == 4 || bytes == 8));
  if (!isAllowed)
    return decoder.fail(llvm::Twine("expected a copy of ") +
                        (isCg ? "16" : "4, 8 or 16") + " bytes, got " +
                        llvm::Twine(bytes));
  own.elementBytes = bytes;
  // Whether the number of bytes of the source is an operand.
  own.immediate = own.syntax->operands.size() > 3 + unsigned(hasPolicy);
  if (own.immediate)
    decoder.addSource(Type::U32);
  if (hasPolicy)
    decoder.addSource(Type::B64);
  decoder.setExecute(beginCopies);
}

void mlir::deltanet::ptx::decodeAsyncCopy(Decoder &decoder) {
  if (!decoder.take("async"))
    return decoder.failUnknown();
  if (decoder.take("commit_group"))
    return decoder.setExecute(commitGroup);
  if (decoder.take("wait_all"))
    return decoder.setExecute(waitAll);
  if (!decoder.take("wait_group"))
    return decodeCopy(decoder);
  uint64_t groups = decoder.takeImmediate();
  if (groups > uint64_t(INT32_MAX))
    decoder.fail("expected a number of groups, got " +
                 llvm::Twine(int64_t(groups)));
  decoder.instruction->immediate = groups;
  decoder.setExecute(waitGroup);
}
