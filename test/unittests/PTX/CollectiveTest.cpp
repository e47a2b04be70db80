//===- CollectiveTest.cpp - Values exchanged by the threads of a warp -----===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "InstructionCheck.h"
#include <functional>

using namespace mlir::deltanet::ptx;
using namespace mlir::deltanet::ptx::test;

namespace {

constexpr unsigned kLanes = 32;
using Lanes = std::vector<uint32_t>;

/// Values of one warp.
Lanes randomLanes(uint32_t limit = ~0u, unsigned seed = 1) {
  std::mt19937 random(seed);
  Lanes values;
  while (values.size() < kLanes)
    values.push_back(random() % limit);
  return values;
}

/// The register %w of each lane after a body, by a function of the lane.
void checkLanes(llvm::StringRef body, const Lanes &a, const Lanes &b,
                std::function<uint32_t(unsigned)> expected) {
  Outcome outcome = run(body, {valuesOf(a), valuesOf(b)}, {4});
  ASSERT_EQ(outcome.error, "");
  ASSERT_TRUE(outcome.findings.empty()) << outcome.findings[0].text();
  Lanes results = valuesAs<uint32_t>(outcome.results[0]);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    ASSERT_EQ(results[lane], expected(lane)) << body.str() << lane;
}

/// The finding of a body that divides a warp.
std::vector<Finding> findingsOf(llvm::StringRef body) {
  Outcome outcome = run(body, {valuesOf(randomLanes())}, {4});
  EXPECT_EQ(outcome.error, "");
  return outcome.findings;
}

void expectDivergence(llvm::StringRef body) {
  std::vector<Finding> findings = findingsOf(body);
  ASSERT_EQ(findings.size(), 1u) << body.str();
  EXPECT_EQ(findings[0].kind, FindingKind::Divergence) << findings[0].text();
}

TEST(Collective, ShufflesOfWholeWarps) {
  Lanes a = randomLanes(), b = randomLanes(32, 2);
  checkLanes("shfl.sync.idx.b32 %w, %a, %b, 31, 0xffffffff;", a, b,
             [&](unsigned lane) { return a[b[lane]]; });
  checkLanes("shfl.sync.bfly.b32 %w, %a, 5, 31, -1;", a, b,
             [&](unsigned lane) { return a[lane ^ 5]; });
  checkLanes("shfl.sync.up.b32 %w, %a, 3, 0, -1;", a, b,
             [&](unsigned lane) { return a[lane < 3 ? lane : lane - 3]; });
  checkLanes("shfl.sync.down.b32 %w, %a, 3, 31, -1;", a, b,
             [&](unsigned lane) { return a[lane > 28 ? lane : lane + 3]; });
}

TEST(Collective, ShufflesOfSegments) {
  Lanes a = randomLanes(), b = randomLanes(32, 3);
  // Segments of eight lanes: 0x1800 is the mask of their numbers.
  checkLanes("shfl.sync.idx.b32 %w, %a, %b, 0x181f, -1;", a, b,
             [&](unsigned lane) { return a[lane / 8 * 8 + b[lane] % 8]; });
  checkLanes("shfl.sync.up.b32 %w, %a, 3, 0x1800, -1;", a, b,
             [&](unsigned lane) { return a[lane % 8 < 3 ? lane : lane - 3]; });
  checkLanes("shfl.sync.down.b32 %w, %a, 3, 0x181f, -1;", a, b,
             [&](unsigned lane) { return a[lane % 8 > 4 ? lane : lane + 3]; });
  // A later segment may read an earlier one.
  checkLanes("shfl.sync.bfly.b32 %w, %a, 8, 0x181f, -1;", a, b,
             [&](unsigned lane) { return a[lane & 8 ? lane ^ 8 : lane]; });
}

TEST(Collective, ShufflesTellWhatIsInside) {
  Lanes a = randomLanes();
  checkLanes(
      "shfl.sync.down.b32 %r0|%p0, %a, 3, 31, -1; selp.u32 %w, 1, 0, %p0;", a,
      a, [](unsigned lane) { return lane <= 28; });
  checkLanes("shfl.sync.idx.b32 %r0|%p0, %a, 9, 0x1807, -1;"
             "selp.u32 %w, 1, 0, %p0;",
             a, a, [](unsigned) { return 1; });
  checkLanes("shfl.sync.idx.b32 %r0|%p0, %a, 9, 7, -1; selp.u32 %w, 1, 0, %p0;",
             a, a, [](unsigned) { return 0; });
}

TEST(Collective, Votes) {
  Lanes a = randomLanes(100);
  uint32_t ballot = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    ballot |= uint32_t(a[lane] < 50) << lane;
  const std::string begin = "setp.lt.u32 %p0, %a, 50;";
  const std::string end = "selp.u32 %w, 1, 0, %p1;";
  checkLanes(begin + "vote.sync.ballot.b32 %w, %p0, -1;", a, a,
             [&](unsigned) { return ballot; });
  checkLanes(begin + "vote.sync.ballot.b32 %w, !%p0, -1;", a, a,
             [&](unsigned) { return ~ballot; });
  checkLanes(begin + "vote.sync.any.pred %p1, %p0, -1;" + end, a, a,
             [](unsigned) { return 1; });
  checkLanes(begin + "vote.sync.all.pred %p1, %p0, -1;" + end, a, a,
             [](unsigned) { return 0; });
  checkLanes(begin + "vote.sync.uni.pred %p1, %p0, -1;" + end, a, a,
             [](unsigned) { return 0; });
  checkLanes("setp.lt.u32 %p0, %a, 100; vote.sync.all.pred %p1, %p0, -1;" + end,
             a, a, [](unsigned) { return 1; });
  checkLanes("setp.lt.u32 %p0, %a, 0; vote.sync.uni.pred %p1, %p0, -1;" + end,
             a, a, [](unsigned) { return 1; });
}

TEST(Collective, Matches) {
  Lanes a = randomLanes(4);
  checkLanes("match.any.sync.b32 %w, %a, -1;", a, a, [&](unsigned lane) {
    uint32_t equal = 0;
    for (unsigned other = 0; other < kLanes; ++other)
      equal |= uint32_t(a[other] == a[lane]) << other;
    return equal;
  });
  checkLanes("match.all.sync.b32 %w|%p0, %a, -1; @%p0 mov.u32 %w, 7;", a, a,
             [](unsigned) { return 0; });
  checkLanes("mov.u64 %l0, 5; match.all.sync.b64 %r0|%p0, %l0, -1;"
             "selp.u32 %w, %r0, 0, %p0;",
             a, a, [](unsigned) { return ~0u; });
}

TEST(Collective, Reductions) {
  Lanes a = randomLanes();
  auto reduced = [&](auto operation) {
    uint32_t value = a[0];
    for (unsigned lane = 1; lane < kLanes; ++lane)
      value = operation(value, a[lane]);
    return [value](unsigned) { return value; };
  };
  checkLanes("redux.sync.add.s32 %w, %a, -1;", a, a,
             reduced(std::plus<uint32_t>()));
  checkLanes("redux.sync.min.u32 %w, %a, -1;", a, a,
             reduced([](uint32_t x, uint32_t y) { return std::min(x, y); }));
  checkLanes("redux.sync.max.s32 %w, %a, -1;", a, a,
             reduced([](uint32_t x, uint32_t y) {
               return int32_t(x) > int32_t(y) ? x : y;
             }));
  checkLanes("redux.sync.xor.b32 %w, %a, -1;", a, a,
             reduced(std::bit_xor<uint32_t>()));
  checkLanes("redux.sync.and.b32 %w, %a, -1;", a, a,
             reduced(std::bit_and<uint32_t>()));
}

TEST(Collective, MembersAndLeaders) {
  Lanes a = randomLanes();
  checkLanes("activemask.b32 %w;", a, a, [](unsigned) { return ~0u; });
  checkLanes("elect.sync %w|%p0, -1; @%p0 mov.u32 %w, 99;", a, a,
             [](unsigned lane) { return lane == 0 ? 99 : 0; });
}

/// Lanes below 16 go one way, the others another.
const std::string kHalves = "mov.u32 %w, %laneid; setp.lt.u32 %p0, %w, 16;";

TEST(Collective, PartsOfAWarp) {
  Lanes a = randomLanes();
  auto swapped = [&](unsigned lane) { return a[lane ^ 1]; };
  checkLanes(kHalves + "@!%p0 bra UPPER;"
                       "shfl.sync.bfly.b32 %w, %a, 1, 31, 0xffff; bra END;"
                       "UPPER: shfl.sync.bfly.b32 %w, %a, 1, 31, 0xffff0000;"
                       "END:",
             a, a, swapped);
  // Each half with its own mask in one instruction.
  checkLanes(kHalves + "selp.b32 %r0, 0xffff, 0xffff0000, %p0;"
                       "shfl.sync.bfly.b32 %w, %a, 1, 31, %r0;",
             a, a, swapped);
  checkLanes(kHalves + "selp.b32 %r0, 0xffff, 0xffff0000, %p0;"
                       "elect.sync %w|%p1, %r0;",
             a, a, [](unsigned lane) { return lane / 16 * 16; });
  // Threads that have exited need not come.
  checkLanes(kHalves + "@%p0 mov.u32 %w, 5; @!%p0 bra END;"
                       "activemask.b32 %w; END:",
             a, a, [](unsigned lane) { return lane < 16 ? 0xffff : lane; });
}

TEST(Collective, ThreadsThatDoNotCome) {
  const char *instructions[] = {
      "shfl.sync.idx.b32 %w, %a, 0, 31, -1;",
      "vote.sync.ballot.b32 %w, %p0, -1;", "match.any.sync.b32 %w, %a, -1;",
      "redux.sync.add.u32 %w, %a, -1;", "elect.sync %w|%p1, -1;"};
  for (const char *instruction : instructions) {
    expectDivergence(kHalves + "@%p0 " + instruction);
    expectDivergence(kHalves + "@%p0 bra END;" + instruction + "END:");
    EXPECT_TRUE(findingsOf(kHalves + instruction).empty()) << instruction;
    // Those that exit are not expected.
    EXPECT_TRUE(findingsOf("setp.lt.u32 %p0, %laneid, 16;"
                           "@!%p0 exit; " +
                           std::string(instruction))
                    .empty())
        << instruction;
  }
}

TEST(Collective, LanesThatAreNotMembers) {
  expectDivergence(kHalves + "shfl.sync.idx.b32 %w, %a, 0, 31, 0xffff;");
  expectDivergence(kHalves + "@!%p0 bra UPPER;"
                             "shfl.sync.idx.b32 %w, %a, 20, 31, 0xffff;"
                             "bra END; UPPER: mov.u32 %w, 1; END:");
  expectDivergence("setp.lt.u32 %p0, %laneid, 16; @!%p0 exit;"
                   "shfl.sync.idx.b32 %w, %a, 20, 31, -1;");
}

TEST(Collective, UnknownForms) {
  for (const char *body :
       {"shfl.idx.b32 %r0, %r1, 0, 31;", "vote.all.pred %p0, %p1;",
        "shfl.sync.b32 %r0, %r1, 0, 31, -1;",
        "redux.sync.add.b32 %r0, %r1, -1;",
        "vote.sync.ballot.pred %p0, %p1, -1;",
        "redux.sync.min.f32 %r0, %r1, -1;", "activemask.b64 %l0;"})
    EXPECT_NE(parseError(body), "") << body;
}

} // namespace
