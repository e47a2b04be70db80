//===- Barrier.cpp - Threads that wait for each other ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Decoder.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::deltanet::ptx;

template <bool waits>
static Step arrive(Warp &warp, const Instruction &instruction, LaneMask mask) {
  if (!warp.isConverged(mask, "a barrier"))
    return Step::Faulted;
  unsigned lane = __builtin_ctz(mask);
  uint64_t values[2] = {0, 0};
  for (auto [number, source] : llvm::enumerate(instruction.sources)) {
    values[number] = warp.value(source, lane);
    for (unsigned other = lane; other < kLanes; ++other)
      if (mask >> other & 1 && warp.value(source, other) != values[number])
        return warp.fault(FindingKind::Divergence, other,
                          "expected operands that all threads of a warp share");
  }
  uint64_t barrier = values[0], threads = values[1];
  if (barrier > 15)
    return warp.fault(FindingKind::IllegalInstruction, lane,
                      "expected a barrier from 0 to 15, got " +
                          llvm::Twine(barrier));
  bool countsThreads = instruction.sources.size() == 2;
  if (countsThreads && (threads == 0 || threads % kLanes || threads > 1024))
    return warp.fault(FindingKind::IllegalInstruction, lane,
                      "expected a multiple of 32 threads up to 1024, got " +
                          llvm::Twine(threads));
  return warp.block.arriveAtBarrier(warp, barrier, threads, waits);
}

static Step waitInWarp(Warp &warp, const Instruction &instruction,
                       LaneMask mask) {
  const Lanes<uint32_t> &members = warp.bits32(instruction.sources[0]);
  unsigned lane = __builtin_ctz(mask);
  LaneMask expected = members[lane] & warp.live;
  bool agree = true;
  forEachLane(mask,
              [&](unsigned each) { agree &= members[each] == members[lane]; });
  if (!agree || expected != mask)
    return warp.fault(FindingKind::Divergence, lane,
                      "expected the threads " + llvm::utohexstr(members[lane]) +
                          " of the warp, got " + llvm::utohexstr(mask));
  warp.clock.waitForEachOther(mask);
  return Step::Next;
}

/// Accesses are executed in order. That a fence orders them for other threads
/// is nothing that this simulator counts on: only waits do.
static Step fence(Warp &, const Instruction &, LaneMask) { return Step::Next; }

void mlir::deltanet::ptx::decodeBarrier(Decoder &decoder) {
  if (decoder.is("membar") || decoder.is("fence")) {
    decoder.takeOneOf({"sc", "acq_rel"}, 0);
    if (decoder.takeOneOf({"cta", "gl", "sys", "gpu", "cluster"}, 5) == 5)
      decoder.failUnknown();
    decoder.setExecute(fence);
    return;
  }
  if (decoder.take("warp")) {
    decoder.take("sync");
    decoder.addSource(Type::B32);
    decoder.setExecute(waitInWarp);
    return;
  }
  bool isNewForm = decoder.is("barrier");
  decoder.take("cta");
  bool waits = decoder.take("sync");
  if (!waits && !decoder.take("arrive"))
    decoder.failUnknown();
  if (isNewForm)
    decoder.take("aligned");
  decoder.addSource(Type::U32);
  if (decoder.hasOperand())
    decoder.addSource(Type::U32);
  else if (!waits)
    decoder.fail("expected a number of threads to arrive for, got none");
  decoder.setExecute(waits ? arrive<true> : arrive<false>);
}
