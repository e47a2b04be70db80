//===- Warp.h - The threads that run in lockstep --------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_LIB_EMULATION_PTX_WARP_H
#define DELTANET_LIB_EMULATION_PTX_WARP_H

#include "AsyncCopies.h"
#include "Instruction.h"
#include "WarpClock.h"
#include "deltanet/Emulation/PTX/Finding.h"
#include "llvm/ADT/Twine.h"
#include <cstring>

namespace mlir::deltanet::ptx {

class Block;

/// One value of each lane.
template <typename T> struct alignas(64) Lanes {
  T at[kLanes];
  T &operator[](unsigned lane) { return at[lane]; }
  const T &operator[](unsigned lane) const { return at[lane]; }
};

/// The bits of a value as another type of the same size.
template <typename To, typename From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// Calls body(lane) for each lane of a mask.
template <typename Body> void forEachLane(LaneMask mask, Body body) {
  for (; mask; mask &= mask - 1)
    body(unsigned(__builtin_ctz(mask)));
}

class Warp {
public:
  Warp(Block &block, unsigned number);

  /// Registers. Those of 8 and 16 bits are zero above.
  Lanes<uint32_t> &bits32(Register reg) { return file32[reg.index]; }
  Lanes<uint64_t> &bits64(Register reg) { return file64[reg.index]; }
  LaneMask predicate(Register reg) const { return predicates[reg.index]; }
  /// A source that is a predicate, %p or !%p.
  LaneMask predicateSource(const Instruction &instruction, unsigned number) {
    LaneMask value = predicate(instruction.sources[number]);
    return instruction.negatedSources >> number & 1 ? ~value : value;
  }

  void write(Register reg, LaneMask mask, const Lanes<uint32_t> &values) {
    Lanes<uint32_t> &to = file32[reg.index];
    for (unsigned lane = 0; lane < kLanes; ++lane)
      to[lane] = mask >> lane & 1 ? values[lane] : to[lane];
  }
  void write(Register reg, LaneMask mask, const Lanes<uint64_t> &values) {
    Lanes<uint64_t> &to = file64[reg.index];
    for (unsigned lane = 0; lane < kLanes; ++lane)
      to[lane] = mask >> lane & 1 ? values[lane] : to[lane];
  }
  void write(Register reg, LaneMask mask, LaneMask values) {
    LaneMask &to = predicates[reg.index];
    to = (to & ~mask) | (values & mask);
  }

  /// The value of a register of 32 or 64 bits in one lane.
  uint64_t value(Register reg, unsigned lane) {
    return reg.file == RegisterFile::Bits64 ? bits64(reg)[lane]
                                            : bits32(reg)[lane];
  }

  /// Reports a finding about the instruction that is executed, in this lane.
  /// The same one about the same instruction is reported once.
  void report(FindingKind kind, unsigned lane, const llvm::Twine &what);
  /// The same, and the launch ends: what Execute returns.
  Step fault(FindingKind kind, unsigned lane, const llvm::Twine &what) {
    report(kind, lane, what);
    return Step::Faulted;
  }

  /// Whether all threads of the warp that are left execute this collective
  /// instruction, "a barrier". If not, `whileApart` is what Execute returns.
  bool isConverged(LaneMask mask, llvm::StringRef what) {
    return meet(mask, live & ~mask, [&] {
      return (what + " is executed by " + llvm::Twine(llvm::popcount(mask)) +
              " of the warp's " + llvm::Twine(llvm::popcount(live)) +
              " threads")
          .str();
    });
  }
  /// Whether no lanes are missing for what the lanes of a mask execute. If some
  /// are, those of the mask wait for them to come or to end, `fault` tells what
  /// is found if they do neither, and `whileApart` is what Execute returns.
  bool meet(LaneMask mask, LaneMask missing,
            llvm::function_ref<std::string()> fault);
  Step whileApart = Step::Jumped;

  Block &block;
  const unsigned number; ///< in the block
  LaneMask live = 0;     ///< threads that have not exited
  LaneMask active = 0;   ///< those that stand at `next`
  uint32_t next = 0;     ///< the instruction that is executed, or is next

  enum class State { Runs, WaitsAtBarrier, Done } state = State::Runs;
  unsigned barrier = 0; ///< that it waits at

  WarpClock clock;
  AsyncCopies copies;

  const Instruction *executing = nullptr;

  /// Begins with the first instruction, in the first `threads` lanes.
  void start(unsigned threads);
  /// The active lanes go on to the next instruction.
  void advance() {
    if (rankOf(++next) >= leastOther)
      regroup(active, next, 0, 0);
  }
  /// Lanes `mask` of the active ones go to `target`, the others on.
  void branch(LaneMask mask, uint32_t target);
  /// Lanes `mask` of the active ones end, the others go on.
  void exit(LaneMask mask);

private:
  /// The rank of a place; the end of the code comes after all of it.
  uint32_t rankOf(uint32_t place) const {
    return place < code.size() ? code[place].rank : uint32_t(code.size());
  }

  /// Lanes of two masks go to two places; then those at the place of the least
  /// rank are the active ones.
  void regroup(LaneMask first, uint32_t firstTo, LaneMask second,
               uint32_t secondTo);

  /// Whether a lane that is not here goes straight to its end, or may come here
  /// without being back at the branch where it went another way.
  bool mayCome(unsigned lane) const;

  llvm::ArrayRef<Instruction> code;
  /// Where lanes stand that are live but not active, and the least rank of it.
  std::array<uint32_t, kLanes> counters = {};
  uint32_t leastOther = ~uint32_t(0);

  /// Lanes that wait at a collective instruction for others to come.
  LaneMask parked = 0;
  bool nobodyComes = false; ///< all that are left were parked
  /// The branch at which lanes last went different ways, from 1.
  std::array<uint32_t, kLanes> partedAt = {};

  std::vector<Lanes<uint32_t>> file32;
  std::vector<Lanes<uint64_t>> file64;
  std::vector<LaneMask> predicates;
};

} // namespace mlir::deltanet::ptx

#endif // DELTANET_LIB_EMULATION_PTX_WARP_H
