//===- Block.cpp - The warps of a block and what they share ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

using namespace mlir::deltanet::ptx;

/// What shared and local memory hold that nothing was written to.
static constexpr char kPoison = char(0xff);

static uint64_t threadsOf(const LaunchShape &shape) {
  return uint64_t(shape.block[0]) * shape.block[1] * shape.block[2];
}

Block::Block(Grid &grid, std::array<uint32_t, 3> id, uint64_t number)
    : grid(grid), id(id), number(number),
      shared(grid.kernel.syntax->info.staticSharedBytes +
                 grid.shape.dynamicSharedBytes,
             kPoison),
      locals(llvm::alignTo(threadsOf(grid.shape), kLanes) *
                 grid.kernel.syntax->localBytes,
             kPoison) {
  grid.sharedShadow.clear();
  if (!locals.empty())
    localInitialised.emplace(locals.size());
  uint64_t threads = threadsOf(grid.shape);
  for (uint64_t first = 0; first < threads; first += kLanes) {
    warps.push_back(std::make_unique<Warp>(*this, warps.size()));
    warps.back()->start(threads - first);
    fillSpecialRegisters(*warps.back());
  }
}

static uint32_t valueOf(SpecialRegister special, const Block &block,
                        uint32_t thread) {
  using Special = SpecialRegister;
  const LaunchShape &shape = block.grid.shape;
  const uint32_t lane = thread % kLanes, own = 1u << lane;
  auto dimension = [&](Special first) {
    return unsigned(special) - unsigned(first);
  };
  switch (special) {
  case Special::TidX:
    return thread % shape.block[0];
  case Special::TidY:
    return thread / shape.block[0] % shape.block[1];
  case Special::TidZ:
    return thread / shape.block[0] / shape.block[1];
  case Special::NtidX:
  case Special::NtidY:
  case Special::NtidZ:
    return shape.block[dimension(Special::NtidX)];
  case Special::CtaidX:
  case Special::CtaidY:
  case Special::CtaidZ:
    return block.id[dimension(Special::CtaidX)];
  case Special::NctaidX:
  case Special::NctaidY:
  case Special::NctaidZ:
    return shape.grid[dimension(Special::NctaidX)];
  case Special::LaneId:
    return lane;
  case Special::WarpId:
    return thread / kLanes;
  case Special::NWarpId:
    return llvm::divideCeil(threadsOf(shape), kLanes);
  case Special::LaneMaskEq:
    return own;
  case Special::LaneMaskLt:
    return own - 1;
  case Special::LaneMaskLe:
    return own | (own - 1);
  case Special::LaneMaskGt:
    return ~(own | (own - 1));
  case Special::LaneMaskGe:
    return ~(own - 1);
  case Special::DynamicSharedBytes:
    return shape.dynamicSharedBytes;
  case Special::TotalSharedBytes:
    return block.shared.size();
  }
  llvm_unreachable("all special registers are above");
}

void Block::fillSpecialRegisters(Warp &warp) {
  for (const SpecialUse &use : grid.kernel.specials)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      warp.bits32(use.reg)[lane] =
          valueOf(use.special, *this, warp.number * kLanes + lane);
}

bool Block::runWarp(Warp &warp, uint64_t turns) {
  const std::vector<Instruction> &code = grid.kernel.code;
  uint64_t &executed = grid.result.report.instructions;
  for (; turns && warp.state == Warp::State::Runs; --turns) {
    const Instruction &instruction = code[warp.next];
    warp.executing = &instruction;
    LaneMask mask = warp.active;
    if (instruction.guard) {
      LaneMask guard = warp.predicate(*instruction.guard);
      mask &= instruction.guardNegated ? ~guard : guard;
    }
    ++grid.executions[instruction.index];
    if (++executed > grid.options.instructionLimit)
      return warp.fault(FindingKind::InstructionLimit, 0,
                        "expected at most " +
                            llvm::Twine(grid.options.instructionLimit) +
                            " instructions") != Step::Faulted;
    switch (mask ? instruction.execute(warp, instruction, mask) : Step::Next) {
    case Step::Next:
      warp.advance();
      break;
    case Step::Jumped:
      break;
    case Step::Waits:
      return true;
    case Step::Faulted:
      return false;
    }
  }
  return true;
}

bool Block::run() {
  const uint64_t seed = grid.options.seed;
  std::mt19937_64 random(seed * 0x9e3779b97f4a7c15 + number - grid.firstBlock);
  std::vector<Warp *> ready;
  while (true) {
    bool isDone = true;
    ready.clear();
    for (auto &warp : warps) {
      isDone &= warp->state == Warp::State::Done;
      if (warp->state == Warp::State::Runs)
        ready.push_back(warp.get());
    }
    if (isDone)
      return true;
    if (ready.empty()) {
      reportDeadlock();
      return false;
    }
    Warp &warp = *ready[seed ? random() % ready.size() : 0];
    if (!runWarp(warp, seed ? 1 + random() % 200 : ~uint64_t(0)) ||
        grid.result.findings.size() >= grid.options.findingLimit)
      return false;
    // A thread that has exited counts as one that does not come any more.
    if (warp.state == Warp::State::Done)
      for (unsigned barrier = 0; barrier < barriers.size(); ++barrier)
        releaseBarrier(barrier);
  }
}

Step Block::arriveAtBarrier(Warp &warp, unsigned number, unsigned threads,
                            bool waits, std::optional<LaneMask> holding) {
  Barrier &barrier = barriers[number];
  bool isFirst = !barrier.isInUse;
  if (!isFirst && barrier.expected != threads)
    return warp.fault(FindingKind::Divergence, 0,
                      "expected " + llvm::Twine(barrier.expected) +
                          " threads at barrier " + llvm::Twine(number) +
                          " as the warps before, got " + llvm::Twine(threads));
  if (!isFirst && barrier.reduces != holding.has_value())
    return warp.fault(FindingKind::IllegalInstruction, 0,
                      "expected that all or no warps reduce at barrier " +
                          llvm::Twine(number));
  barrier.isInUse = true;
  barrier.reduces = holding.has_value();
  barrier.expected = threads;
  if (holding) {
    barrier.holding += llvm::popcount(*holding);
    barrier.others += llvm::popcount(warp.live & ~*holding);
  }
  barrier.arrived += llvm::alignTo(llvm::popcount(warp.live), kLanes);
  if (threads && barrier.arrived > threads)
    return warp.fault(FindingKind::Divergence, 0,
                      "expected at most " + llvm::Twine(threads) +
                          " threads at barrier " + llvm::Twine(number) +
                          ", got " + llvm::Twine(barrier.arrived));
  warp.clock.waitForEachOther(warp.live);
  warp.advance();
  if (waits) {
    warp.state = Warp::State::WaitsAtBarrier;
    warp.barrier = number;
  } else {
    // What the warp does from now on has no order with those that wait.
    barrier.passedBy.push_back(warp.clock);
  }
  releaseBarrier(number);
  return waits ? Step::Waits : Step::Jumped;
}

void Block::releaseBarrier(unsigned number) {
  Barrier &barrier = barriers[number];
  if (!barrier.isInUse)
    return;
  std::vector<WarpClock *> clocks;
  for (auto &warp : warps) {
    bool waitsHere =
        warp->state == Warp::State::WaitsAtBarrier && warp->barrier == number;
    if (waitsHere)
      clocks.push_back(&warp->clock);
    else if (!barrier.expected && warp->state != Warp::State::Done)
      return;
  }
  if (barrier.arrived < barrier.expected)
    return;
  for (WarpClock &clock : barrier.passedBy)
    clocks.push_back(&clock);
  WarpClock::meet(clocks);
  for (auto &warp : warps)
    if (warp->state == Warp::State::WaitsAtBarrier && warp->barrier == number) {
      warp->state = Warp::State::Runs;
      giveReduction(*warp, barrier.holding, barrier.others);
    }
  barrier = Barrier();
}

void Block::reportDeadlock() {
  std::string waiting;
  llvm::raw_string_ostream out(waiting);
  llvm::ListSeparator comma;
  Warp *last = nullptr;
  for (auto &warp : warps) {
    if (warp->state != Warp::State::WaitsAtBarrier)
      continue;
    last = warp.get();
    out << comma << "warp " << warp->number << " waits at barrier "
        << warp->barrier << " of line "
        << warp->executing->syntax->location.line;
    const Barrier &barrier = barriers[warp->barrier];
    if (barrier.expected)
      out << " (" << barrier.arrived << " of " << barrier.expected
          << " threads)";
  }
  last->report(FindingKind::Deadlock, 0, waiting);
}
