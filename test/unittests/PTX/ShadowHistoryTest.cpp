//===- ShadowHistoryTest.cpp - A shadow against a full history ------------===//
//
// Part of the Delta-Net project.
//
// Random threads access few bytes and wait for each other now and then. The
// shadow, which forgets what no longer matters, finds the first race of each
// run exactly where a history of all accesses does.
//
//===----------------------------------------------------------------------===//

#include "ShadowThread.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir::deltanet::ptx;

namespace {
constexpr unsigned kLanesUsed = 6;
constexpr AccessKind kKinds[] = {AccessKind::Read, AccessKind::Write,
                                 AccessKind::Atomic};

struct PastAccess {
  unsigned block, warp, lane, time;
  AccessKind kind;
  unsigned begin, end;
};

class History {
public:
  explicit History(uint64_t seed) : random(seed) {}

  /// Goes on to the first race, but avoids most. How many accesses there were.
  size_t run() {
    for (unsigned number = 0; number < 200; ++number) {
      if (number == 100)
        block = 1;
      if (pick(3) == 0)
        wait();
      if (!accessAlike())
        break;
    }
    return history.size();
  }

private:
  unsigned pick(unsigned count) { return random() % count; }

  void wait() {
    if (pick(4) == 0)
      threads.barrier(block);
    else
      threads.syncWarp(pick(2), random() & ((1u << kLanesUsed) - 1), block);
  }

  bool accessAlike() {
    unsigned bytes = 1 << pick(4), begin = pick(8 / bytes) * bytes;
    // Writes race soonest, so there are few of them.
    AccessKind kind = kKinds[pick(5) == 0 ? 1 : pick(6) == 0 ? 2 : 0];
    Accessor by = threads.by(pick(2), pick(kLanesUsed), block);
    bool expected = false;
    for (const PastAccess &past : history)
      expected |= isRace(past, by, kind, begin, begin + bytes);
    if (expected && pick(30))
      return true;
    bool isFound = threads.shadow.access(begin, bytes, kind, by).has_value();
    EXPECT_EQ(isFound, expected) << history.size() << " accesses before";
    history.push_back(
        {block, by.warp, by.lane, by.clock.time(), kind, begin, begin + bytes});
    return !expected && !isFound;
  }

  bool isRace(const PastAccess &past, const Accessor &by, AccessKind kind,
              unsigned begin, unsigned end) const {
    if (past.end <= begin || end <= past.begin)
      return false;
    if (past.kind == kind && kind != AccessKind::Write)
      return false;
    return past.block != block ||
           !by.clock.happenedBefore(past.warp, past.lane, past.time, by.lane);
  }

  std::mt19937_64 random;
  ShadowThreads threads;
  std::vector<PastAccess> history;
  unsigned block = 0;
};
} // namespace

TEST(ShadowHistory, TheFirstRaceIsFound) {
  size_t accesses = 0;
  constexpr uint64_t kRuns = 4000;
  for (uint64_t seed = 0; seed < kRuns; ++seed) {
    accesses += History(seed).run();
    if (HasFailure()) {
      ADD_FAILURE() << "seed " << seed;
      return;
    }
  }
  EXPECT_GT(accesses, 20 * kRuns);
}
