//===- BarrierTest.cpp - Threads that wait for each other -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "MemoryKernel.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

/// Every thread writes a word of shared memory and reads the one of the thread
/// `distance` further on, of `threads`, with instructions between.
static std::string exchange(llvm::StringRef between, unsigned distance,
                            unsigned threads = 64) {
  return "st.shared.u32 [%mine], %t;\n" + between.str() +
         "\nadd.u32 %r0, %t, " + std::to_string(distance) +
         ";\nrem.u32 %r0, %r0, " + std::to_string(threads) +
         ";\nmov.u32 %r1, tile;\n"
         "mad.lo.u32 %r1, %r0, 4, %r1;\nld.shared.u32 %r2, [%r1];\n"
         "st.global.u32 [%own], %r2;";
}

static void expectExchanged(const MemoryOutcome &outcome, unsigned distance) {
  EXPECT_EQ(outcome.finding(), "0 findings");
  for (unsigned t = 0; t < 64; ++t)
    EXPECT_EQ(outcome.o[t], (t + distance) % 64) << t;
}

/// The kinds of all findings about the read, in a run of two warps.
static std::vector<FindingKind> kindsOf(llvm::StringRef between,
                                        unsigned distance, uint64_t seed) {
  LaunchOptions options;
  options.seed = seed;
  MemoryOutcome outcome =
      runOnMemory(exchange(between, distance), 64, 1, options);
  EXPECT_EQ(outcome.error, "");
  std::vector<FindingKind> kinds;
  for (const Finding &finding : outcome.findings)
    kinds.push_back(finding.kind);
  return kinds;
}

TEST(Barrier, OrdersAccessesOfItsWarps) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    LaunchOptions options;
    options.seed = seed;
    for (const char *barrier :
         {"bar.sync 0;", "barrier.sync.aligned 3;", "bar.sync 1, 64;"})
      expectExchanged(runOnMemory(exchange(barrier, 40), 64, 1, options), 40);
  }
}

/// The same result in all threads of two warps, of predicates that hold in
/// threads below `bound`.
static void expectReduction(const std::string &reduction, unsigned bound,
                            uint32_t expected) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    LaunchOptions options;
    options.seed = seed;
    MemoryOutcome outcome =
        runOnMemory("setp.lt.u32 %p0, %t, " + std::to_string(bound) + ";\n" +
                        reduction + "st.global.u32 [%own], %r0;",
                    64, 1, options);
    EXPECT_EQ(outcome.finding(), "0 findings") << reduction;
    for (unsigned t = 0; t < 64; ++t)
      EXPECT_EQ(outcome.o[t], expected) << reduction << bound;
  }
}

TEST(Barrier, ReducesPredicates) {
  for (unsigned bound : {0, 1, 40, 63, 64}) {
    expectReduction("bar.red.popc.u32 %r0, 2, %p0;\n", bound, bound);
    expectReduction("barrier.cta.red.popc.aligned.u32 %r0, 0, 64, !%p0;\n",
                    bound, 64 - bound);
    std::string use = " selp.u32 %r0, 1, 0, %p1;\n";
    expectReduction("bar.red.and.pred %p1, 0, %p0;" + use, bound, bound == 64);
    expectReduction("bar.red.or.pred %p1, 0, 64, %p0;" + use, bound, bound > 0);
  }
}

TEST(Barrier, ReductionsOrderAccesses) {
  expectExchanged(runOnMemory(exchange("setp.eq.u32 %p0, %t, 0;\n"
                                       "bar.red.or.pred %p1, 0, %p0;",
                                       40),
                              64),
                  40);
}

TEST(Barrier, AllOrNoWarpsReduce) {
  MemoryOutcome outcome = runOnMemory(R"(
    setp.lt.u32 %p0, %t, 32;
    @%p0 bra first;
    bar.sync 0;
    bra out;
  first:
    bar.red.popc.u32 %r0, 0, %p0;
  out:)",
                                      64);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].kind, FindingKind::IllegalInstruction);
}

TEST(Barrier, WithoutOneThereIsARace) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    std::vector<FindingKind> kinds = kindsOf("", 40, seed);
    EXPECT_TRUE(llvm::is_contained(kinds, FindingKind::DataRace)) << seed;
  }
}

TEST(Barrier, FencesAndCollectivesOrderNothing) {
  const std::string predicate = "setp.eq.u32 %p0, %t, 0;\n";
  for (const char *between :
       {"membar.cta;", "vote.sync.ballot.b32 %r3, %p0, -1;"})
    EXPECT_TRUE(llvm::is_contained(kindsOf(predicate + between, 1, 0),
                                   FindingKind::DataRace))
        << between;
}

TEST(Barrier, OfAWarpOrdersItsLanes) {
  EXPECT_EQ(runOnMemory(exchange("bar.warp.sync -1;", 1, 32)).finding(),
            "0 findings");
  MemoryOutcome outcome = runOnMemory(exchange("", 1, 32));
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].kind, FindingKind::DataRace);
  // Between warps it orders nothing.
  EXPECT_TRUE(llvm::is_contained(kindsOf("bar.warp.sync -1;", 1, 0),
                                 FindingKind::DataRace));
}

TEST(Barrier, ThoseThatArriveDoNotWait) {
  // Warp 1 makes words that warp 0 waits for, and reads none.
  MemoryOutcome outcome = runOnMemory(R"(
    setp.ge.u32 %p0, %t, 32;
    @%p0 bra makes;
    bar.sync 2, 64;
    ld.shared.u32 %r0, [%mine+128];
    st.global.u32 [%own], %r0;
    bra end;
  makes:
    st.shared.u32 [%mine], %t;
    bar.arrive 2, 64;
  end:
  )",
                                      64);
  EXPECT_EQ(outcome.finding(), "0 findings");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(outcome.o[t], t + 32);
}

TEST(Barrier, WhatFollowsAnArrivalIsUnordered) {
  MemoryOutcome outcome = runOnMemory(R"(
    setp.ge.u32 %p0, %t, 32;
    @%p0 bra makes;
    bar.sync 2, 64;
    ld.shared.u32 %r0, [%mine+128];
    bra end;
  makes:
    st.shared.u32 [%mine], %t;
    bar.arrive 2, 64;
    st.shared.u32 [%mine], 5;
  end:
  )",
                                      64);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].kind, FindingKind::DataRace);
}

TEST(Barrier, ExitedThreadsAreNotWaitedFor) {
  MemoryOutcome outcome = runOnMemory(R"(
    setp.ge.u32 %p0, %t, 32;
    @%p0 exit;
    bar.sync 0;
    st.global.u32 [%own], %t;
  )",
                                      96);
  EXPECT_EQ(outcome.finding(), "0 findings");
  EXPECT_EQ(outcome.o[31], 31u);
}

TEST(Barrier, ThreadsMayLeaveBeforeIt) {
  // However the code is laid out.
  for (const char *guard : {"@%p0 bra end;", "@%p0 ret;", "@%p0 exit;",
                            "@!%p0 bra stay;\nret;\nstay:"}) {
    MemoryOutcome outcome =
        runOnMemory("setp.ge.u32 %p0, %t, 40;\n" + std::string(guard) +
                        "\nbar.sync 0;\nshfl.sync.idx.b32 %r0, %t, 0, 31, -1;\n"
                        "st.global.u32 [%own], %r0;\nend:",
                    64);
    EXPECT_EQ(outcome.finding(), "0 findings") << guard;
    EXPECT_EQ(outcome.o[39], 32u) << guard;
    EXPECT_EQ(outcome.o[40], ~0u) << guard;
  }
}

TEST(Barrier, ThreadsThatPartedComeToItInAnyLayout) {
  // The barrier lies before the code of those that come late.
  MemoryOutcome outcome = runOnMemory(R"(
    mov.u32 %r0, 1;
    setp.ge.u32 %p0, %t, 5;
    @%p0 bra late;
  meet:
    bar.sync 0;
    shfl.sync.bfly.b32 %r1, %r0, 31, 31, -1;
    st.global.u32 [%own], %r1;
    ret;
  late:
    mov.u32 %r0, 2;
    bra meet;
  )");
  EXPECT_EQ(outcome.finding(), "0 findings");
  EXPECT_EQ(outcome.o[0], 2u);
  EXPECT_EQ(outcome.o[31], 1u);
}

/// The only finding, from its kind on.
static std::string divergence(llvm::StringRef body) {
  std::string text = runOnMemory(body).finding();
  size_t at = text.find("divergence");
  return at == std::string::npos ? text : text.substr(at);
}

TEST(Barrier, AllThreadsOfAWarpExecuteIt) {
  EXPECT_EQ(divergence("setp.lt.u32 %p0, %t, 3;\n@%p0 bar.sync 0;"),
            "divergence: a barrier is executed by 3 of the warp's 32 threads "
            "(block 0,0,0, warp 0, lane 3)");
  EXPECT_EQ(divergence("setp.lt.u32 %p0, %t, 3;\n@%p0 bar.warp.sync 15;"),
            "divergence: expected the threads F of the warp, got 7 (block "
            "0,0,0, warp 0, lane 3)");
  // The others do something else and end.
  EXPECT_EQ(divergence(R"(setp.lt.u32 %p0, %t, 3;
    @!%p0 bra past;
    bar.sync 0;
    ret;
  past:
    st.global.u32 [%own], %t;
  )"),
            "divergence: a barrier is executed by 3 of the warp's 32 threads "
            "(block 0,0,0, warp 0, lane 3)");
  // They wait at another one.
  EXPECT_EQ(divergence(R"(setp.lt.u32 %p0, %t, 3;
    @%p0 bra other;
    bar.sync 0;
    bra end;
  other:
    bar.sync 0;
  end:
  )"),
            "divergence: a barrier is executed by 29 of the warp's 32 threads "
            "(block 0,0,0, warp 0, lane 0)");
  // They come in the next round.
  EXPECT_EQ(divergence(R"(mov.u32 %r0, 0;
  again:
    setp.eq.u32 %p0, %r0, 0;
    setp.lt.and.u32 %p0, %t, 3, %p0;
    @%p0 bra past;
    bar.sync 0;
  past:
    add.u32 %r0, %r0, 1;
    setp.lt.u32 %p1, %r0, 2;
    @%p1 bra again;
  )"),
            "divergence: a barrier is executed by 29 of the warp's 32 threads "
            "(block 0,0,0, warp 0, lane 0)");
}

TEST(Barrier, DeadlocksNameWhoWaits) {
  EXPECT_EQ(runOnMemory(R"(setp.ge.u32 %p0, %t, 32;
    @%p0 bra second;
    bar.sync 1;
    bra end;
  second:
    bar.sync 2;
  end:
  )",
                        64)
                .finding(),
            "test.ptx:29: bar.sync 2: deadlock: warp 0 waits at barrier 1 of "
            "line 26, warp 1 waits at barrier 2 of line 29 (block 0,0,0, warp "
            "1, lane 0)");
  EXPECT_EQ(runOnMemory("bar.sync 1, 64;").finding(),
            "test.ptx:24: bar.sync 1, 64: deadlock: warp 0 waits at barrier 1 "
            "of line 24 (32 of 64 threads) (block 0,0,0, warp 0, lane 0)");
}

TEST(Barrier, NumbersAreChecked) {
  EXPECT_EQ(runOnMemory("bar.sync 16;").finding(),
            "test.ptx:24: bar.sync 16: illegal instruction: expected a barrier "
            "from 0 to 15, got 16 (block 0,0,0, warp 0, lane 0)");
  EXPECT_EQ(runOnMemory("bar.sync 0, 33;").finding(),
            "test.ptx:24: bar.sync 0, 33: illegal instruction: expected a "
            "multiple of 32 threads up to 1024, got 33 (block 0,0,0, warp 0, "
            "lane 0)");
  EXPECT_EQ(runOnMemory("bar.sync %t;").finding(),
            "test.ptx:24: bar.sync %t: divergence: expected operands that all "
            "threads of a warp share (block 0,0,0, warp 0, lane 1)");
}
