//===- Warp.cpp - The threads that run in lockstep ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Warp.h"
#include "Block.h"
#include "Control.h"

using namespace mlir::deltanet::ptx;

/// What registers hold that nothing was written to: NaN as a number, and no
/// address.
static constexpr int kPoison = 0xff;

template <typename File> static void poison(File &file) {
  if (!file.empty())
    std::memset(file.data(), kPoison, file.size() * sizeof file[0]);
}

Warp::Warp(Block &block, unsigned number)
    : block(block), number(number), clock(number), code(block.grid.kernel.code),
      file32(block.grid.kernel.registers[unsigned(RegisterFile::Bits32)]),
      file64(block.grid.kernel.registers[unsigned(RegisterFile::Bits64)]),
      predicates(
          block.grid.kernel.registers[unsigned(RegisterFile::Predicate)]) {
  poison(file32);
  poison(file64);
  for (auto [reg, value] : block.grid.kernel.constants) {
    if (reg.file == RegisterFile::Predicate) {
      predicates[reg.index] = value ? kAllLanes : 0;
      continue;
    }
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if (reg.file == RegisterFile::Bits64)
        bits64(reg)[lane] = value;
      else
        bits32(reg)[lane] = uint32_t(value);
  }
}

void Warp::start(unsigned threads) {
  live = active = threads >= kLanes ? kAllLanes : (1u << threads) - 1;
  next = 0;
}

void Warp::regroup(LaneMask first, uint32_t firstTo, LaneMask second,
                   uint32_t secondTo) {
  forEachLane(first, [&](unsigned lane) { counters[lane] = firstTo; });
  forEachLane(second, [&](unsigned lane) { counters[lane] = secondTo; });
  LaneMask free = live & ~parked;
  if (!free) {
    nobodyComes = true;
    parked = 0;
    free = live;
  }
  uint32_t least = ~uint32_t(0);
  forEachLane(free, [&](unsigned lane) {
    uint32_t rank = rankOf(counters[lane]);
    if (rank < least) {
      least = rank;
      next = counters[lane];
    }
  });
  active = 0;
  leastOther = ~uint32_t(0);
  forEachLane(free, [&](unsigned lane) {
    if (counters[lane] == next)
      active |= 1u << lane;
    else
      leastOther = std::min(leastOther, rankOf(counters[lane]));
  });
}

void Warp::exit(LaneMask mask) {
  LaneMask left = active & ~mask;
  live &= ~mask;
  if (live)
    regroup(left, next + 1, 0, 0);
  else
    state = State::Done;
}

void Warp::report(FindingKind kind, unsigned lane, const llvm::Twine &what) {
  Grid &grid = block.grid;
  if (grid.result.findings.size() >= grid.options.findingLimit ||
      !grid.reported.insert({executing->index, kind}).second)
    return;
  const InstructionSyntax &syntax = *executing->syntax;
  grid.result.findings.push_back({kind,
                                  what.str(),
                                  grid.program.syntax.fileName + ":" +
                                      std::to_string(syntax.location.line),
                                  syntax.text,
                                  {block.id, number, lane}});
}

void Warp::branch(LaneMask mask, uint32_t target) {
  if (mask != active)
    forEachLane(active, [&](unsigned lane) { partedAt[lane] = next + 1; });
  regroup(mask, target, active & ~mask, next + 1);
}

/// Whether a thread at an instruction ends without doing anything before, as
/// after `if (t >= n) return`.
static bool leaves(llvm::ArrayRef<Instruction> code, uint32_t at) {
  for (size_t step = 0; step < code.size(); ++step) {
    const Instruction &instruction = code[at];
    if (instruction.guard)
      return false;
    if (isEnd(instruction))
      return true;
    if (!isBranch(instruction))
      return false;
    at = instruction.target;
  }
  return false;
}

bool Warp::mayCome(unsigned lane) const {
  if (leaves(code, counters[lane]))
    return true;
  std::vector<bool> visited(code.size());
  std::vector<uint32_t> places{counters[lane]};
  while (!places.empty()) {
    uint32_t at = places.back();
    places.pop_back();
    if (at == next)
      return true;
    if (at >= code.size() || visited[at] || at + 1 == partedAt[lane])
      continue;
    visited[at] = true;
    const Instruction &instruction = code[at];
    if (isBranch(instruction))
      places.push_back(instruction.target);
    if (instruction.guard || !(isBranch(instruction) || isEnd(instruction)))
      places.push_back(at + 1);
  }
  return false;
}

bool Warp::meet(LaneMask mask, LaneMask missing,
                llvm::function_ref<std::string()> fault) {
  if (!missing) {
    nobodyComes = false;
    return true;
  }
  // Those whose guard lets them go past are here, but do not take part.
  bool waits = !nobodyComes && !(missing & active);
  for (LaneMask left = missing; waits && left; left &= left - 1)
    waits = mayCome(__builtin_ctz(left));
  if (!waits) {
    report(FindingKind::Divergence, __builtin_ctz(missing), fault());
    whileApart = Step::Faulted;
    return false;
  }
  parked |= mask;
  whileApart = Step::Jumped;
  regroup(mask, next, active & ~mask, next + 1);
  return false;
}
