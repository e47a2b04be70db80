//===- Barrier.cpp - Threads that wait for each other ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Decoder.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::deltanet::ptx;

/// What bar.red makes of the predicates of all threads; `immediate` holds it.
enum class Reduction { None, Count, And, Or };

template <bool waits>
static Step arrive(Warp &warp, const Instruction &instruction, LaneMask mask) {
  if (!warp.isConverged(mask, "a barrier"))
    return warp.whileApart;
  unsigned lane = __builtin_ctz(mask);
  uint64_t values[2] = {0, 0};
  llvm::ArrayRef<Register> sources = instruction.sources;
  const bool reduces = Reduction(instruction.immediate) != Reduction::None;
  if (reduces)
    sources = sources.drop_back();
  for (auto [number, source] : llvm::enumerate(sources)) {
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
  bool countsThreads = sources.size() == 2;
  if (countsThreads && (threads == 0 || threads % kLanes || threads > 1024))
    return warp.fault(FindingKind::IllegalInstruction, lane,
                      "expected a multiple of 32 threads up to 1024, got " +
                          llvm::Twine(threads));
  if (!reduces)
    return warp.block.arriveAtBarrier(warp, barrier, threads, waits);
  LaneMask holding = mask & warp.predicateSource(instruction, sources.size());
  return warp.block.arriveAtBarrier(warp, barrier, threads, waits, holding);
}

void mlir::deltanet::ptx::giveReduction(Warp &warp, uint32_t holding,
                                        uint32_t others) {
  const Instruction &instruction = *warp.executing;
  switch (Reduction(instruction.immediate)) {
  case Reduction::None:
    return;
  case Reduction::Count: {
    Lanes<uint32_t> counts;
    std::fill_n(counts.at, kLanes, holding);
    return warp.write(instruction.results[0], warp.live, counts);
  }
  case Reduction::And:
    return warp.write(instruction.results[0], warp.live,
                      others ? LaneMask(0) : kAllLanes);
  case Reduction::Or:
    return warp.write(instruction.results[0], warp.live,
                      holding ? kAllLanes : LaneMask(0));
  }
}

static Step waitInWarp(Warp &warp, const Instruction &instruction,
                       LaneMask mask) {
  const Lanes<uint32_t> &members = warp.bits32(instruction.sources[0]);
  unsigned lane = __builtin_ctz(mask);
  LaneMask own = members[lane];
  bool agree = !(mask & ~own);
  forEachLane(mask, [&](unsigned each) { agree &= members[each] == own; });
  auto fault = [&] {
    return "expected the threads " + llvm::utohexstr(own) +
           " of the warp, got " + llvm::utohexstr(mask);
  };
  if (!agree)
    return warp.fault(FindingKind::Divergence, lane, fault());
  if (!warp.meet(mask, own & warp.live & ~mask, fault))
    return warp.whileApart;
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
  bool reduces = decoder.take("red");
  bool waits = reduces || decoder.take("sync");
  if (!waits && !decoder.take("arrive"))
    decoder.failUnknown();
  if (isNewForm)
    decoder.take("aligned");
  size_t operands = decoder.instruction->syntax->operands.size();
  if (reduces) {
    unsigned kind = decoder.takeOneOf({"popc", "and", "or"}, 3);
    Type type = decoder.takeType();
    if (kind == 3 || type != (kind == 0 ? Type::U32 : Type::Pred))
      return decoder.failUnknown();
    decoder.instruction->immediate = unsigned(Reduction::Count) + kind;
    decoder.addResult(type);
    operands -= 2; // that and the predicate
  }
  decoder.addSource(Type::U32);
  if (operands > 1)
    decoder.addSource(Type::U32);
  else if (!waits)
    decoder.fail("expected a number of threads to arrive for, got none");
  if (reduces)
    decoder.addSource(Type::Pred);
  decoder.setExecute(waits ? arrive<true> : arrive<false>);
}
