//===- ShadowStatesTest.cpp - Unwritten bytes and unfinished copies -------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//

#include "ShadowThread.h"
#include "gtest/gtest.h"

using namespace mlir::deltanet::ptx;

TEST(ShadowStates, ReadsNeedWrittenBytes) {
  ShadowThreads threads;
  threads.shadow.clear();
  Accessor thread = threads.by(0, 0);
  EXPECT_EQ(threads.read(thread), "nothing has written byte 0");
  EXPECT_EQ(threads.write(thread, 0, 2), "");
  EXPECT_EQ(threads.read(thread, 0, 2), "");
  EXPECT_EQ(threads.read(thread), "nothing has written byte 2");
  EXPECT_EQ(threads.atomic(thread, 4), "nothing has written byte 4");
  EXPECT_EQ(threads.atomic(thread, 4), "");
}

TEST(ShadowStates, BytesCanBecomeUninitialised) {
  ShadowThreads threads;
  threads.shadow.markUninitialised(5, 1);
  EXPECT_EQ(threads.read(threads.by(0, 0), 0, 16),
            "nothing has written byte 5");
  EXPECT_EQ(threads.read(threads.by(0, 0), 6, 2), "");
}

TEST(ShadowStates, TheKindOfAProblemIsTold) {
  ShadowThreads threads;
  threads.shadow.clear();
  auto problem =
      threads.shadow.access(0, 4, AccessKind::Read, threads.by(0, 0));
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->kind, FindingKind::Uninitialised);
  problem = threads.shadow.access(0, 4, AccessKind::Write, threads.by(0, 1));
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->kind, FindingKind::DataRace);
  problem = threads.shadow.beginCopy(16, 16, threads.by(0, 1));
  EXPECT_FALSE(problem);
  problem = threads.shadow.access(28, 4, AccessKind::Read, threads.by(0, 1));
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->kind, FindingKind::UnwaitedCopy);
}

TEST(ShadowStates, NobodyAccessesAnUnfinishedCopy) {
  ShadowThreads threads;
  const std::string unwaited =
      "nobody has waited for the asynchronous copy by warp 0, lane 2";
  EXPECT_EQ(threads.beginCopy(threads.by(0, 2)), "");
  EXPECT_EQ(threads.read(threads.by(0, 2), 12), unwaited);
  EXPECT_EQ(threads.write(threads.by(0, 2), 14, 1), unwaited);
  threads.barrier();
  EXPECT_EQ(threads.read(threads.by(1, 0)), unwaited);
  EXPECT_EQ(threads.read(threads.by(1, 0), 16), "");
}

TEST(ShadowStates, TheEndOfACopyIsAWrite) {
  ShadowThreads threads;
  threads.shadow.clear();
  EXPECT_EQ(threads.beginCopy(threads.by(0, 2)), "");
  EXPECT_FALSE(threads.shadow.isInitialised(0, 16));
  EXPECT_EQ(threads.endCopy(threads.by(0, 2)), "");
  EXPECT_TRUE(threads.shadow.isInitialised(0, 16));
  EXPECT_EQ(threads.read(threads.by(0, 2)), "");
  EXPECT_EQ(threads.read(threads.by(0, 3)),
            "race with a write by warp 0, lane 2");
  threads.barrier();
  EXPECT_EQ(threads.read(threads.by(1, 3)), "");
}

TEST(ShadowStates, ABarrierBeforeTheEndIsNoUse) {
  ShadowThreads threads;
  EXPECT_EQ(threads.beginCopy(threads.by(0, 2)), "");
  threads.barrier();
  EXPECT_EQ(threads.endCopy(threads.by(0, 2)), "");
  EXPECT_EQ(threads.read(threads.by(1, 3)),
            "race with a write by warp 0, lane 2");
}

TEST(ShadowStates, ACopyRacesWithWhatIsUnordered) {
  ShadowThreads threads;
  EXPECT_EQ(threads.read(threads.by(1, 0), 8), "");
  EXPECT_EQ(threads.beginCopy(threads.by(0, 2)),
            "race with a read by warp 1, lane 0");
  threads.barrier();
  EXPECT_EQ(threads.read(threads.by(1, 0), 24), "");
  threads.barrier();
  EXPECT_EQ(threads.beginCopy(threads.by(0, 2), 16), "");
}

TEST(ShadowStates, CopiesOfDifferentThreadsRace) {
  ShadowThreads threads;
  EXPECT_EQ(threads.beginCopy(threads.by(0, 2)), "");
  EXPECT_EQ(threads.beginCopy(threads.by(0, 3)),
            "race with an asynchronous copy by warp 0, lane 2");
  EXPECT_EQ(threads.beginCopy(threads.by(0, 4), 16), "");
  EXPECT_EQ(threads.beginCopy(threads.by(0, 4), 16),
            "nobody has waited for the asynchronous copy by warp 0, lane 4");
}
