//===- Warp.cpp - The threads that run in lockstep ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Warp.h"
#include "Block.h"

using namespace mlir::deltanet::ptx;

/// What registers hold that nothing was written to: NaN as a number, and no
/// address.
static constexpr int kPoison = 0xff;

Warp::Warp(Block &block, unsigned number)
    : block(block), number(number), clock(number),
      file32(block.grid.kernel.registers[unsigned(RegisterFile::Bits32)]),
      file64(block.grid.kernel.registers[unsigned(RegisterFile::Bits64)]),
      predicates(
          block.grid.kernel.registers[unsigned(RegisterFile::Predicate)]) {
  std::memset(file32.data(), kPoison, file32.size() * sizeof file32[0]);
  std::memset(file64.data(), kPoison, file64.size() * sizeof file64[0]);
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
  next = meetsOthersAt = ~uint32_t(0);
  forEachLane(live,
              [&](unsigned lane) { next = std::min(next, counters[lane]); });
  active = 0;
  forEachLane(live, [&](unsigned lane) {
    if (counters[lane] == next)
      active |= 1u << lane;
    else
      meetsOthersAt = std::min(meetsOthersAt, counters[lane]);
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

bool Warp::isConverged(LaneMask mask, const llvm::Twine &what) {
  if (mask == live)
    return true;
  report(FindingKind::Divergence, __builtin_ctz(live & ~mask),
         what + " is executed by " + llvm::Twine(llvm::popcount(mask)) +
             " of the warp's " + llvm::Twine(llvm::popcount(live)) +
             " threads");
  return false;
}
