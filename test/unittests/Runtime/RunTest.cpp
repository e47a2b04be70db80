//===- RunTest.cpp - Pools, stages and shares -----------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "FakeKernel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <memory>
#include <thread>

// Sanitizers end the program on huge requests unless told not to.
extern "C" {
const char *__asan_default_options() { return "allocator_may_return_null=1"; }
const char *__tsan_default_options() { return "allocator_may_return_null=1"; }
}

// The linker sends the runtime's allocations here (see CMakeLists.txt).
static std::atomic<int> allocations;
extern "C" {
void *__real_calloc(size_t, size_t);
void *__real_aligned_alloc(size_t, size_t);
void *__real_malloc(size_t);
void *__wrap_calloc(size_t n, size_t size) {
  ++allocations;
  return __real_calloc(n, size);
}
void *__wrap_aligned_alloc(size_t align, size_t size) {
  ++allocations;
  return __real_aligned_alloc(align, size);
}
void *__wrap_malloc(size_t size) {
  ++allocations;
  return __real_malloc(size);
}
}

namespace {

/// Two stages over T items. The first fills the workspace; the second writes
/// o[i] from all of it, so it is wrong (and a data race) if the stages overlap.
/// Scratch is marked by its user meanwhile; o[T] counts the items run.
struct TwoStages {
  explicit TwoStages(int64_t items)
      : items(items), between(items), out(items),
        runs(new std::atomic<int>[2 * items]()) {
    kernel.stages = 2;
    kernel.scratch_bytes = 1000;
    kernel.scratch_align = 64;
    kernel.items = [](const dn_args *args, uint32_t) { return args->tokens; };
    kernel.run = run;
    args.size = sizeof args;
    args.tokens = items;
    args.workspace = between.data();
    args.o = out.data();
    args.q = this;
  }

  static void run(const dn_args *args, uint32_t stage, void *scratch,
                  int64_t begin, int64_t end) {
    auto *self = static_cast<const TwoStages *>(args->q);
    ASSERT_LT(begin, end);
    ASSERT_LE(end, args->tokens);
    ASSERT_EQ(reinterpret_cast<uintptr_t>(scratch) % 64, 0u);
    memset(scratch, int(begin & 0xff), 1000);
    auto *between = static_cast<double *>(args->workspace);
    for (int64_t i = begin; i < end; ++i) {
      ++self->runs[stage * args->tokens + i];
      if (stage == 0) {
        between[i] = std::sin(double(i));
        continue;
      }
      double sum = 0;
      for (int64_t j = 0; j < args->tokens; ++j)
        sum += between[j] * double(i + 1);
      static_cast<double *>(args->o)[i] = sum;
    }
    for (int i = 0; i < 1000; ++i)
      ASSERT_EQ(static_cast<unsigned char *>(scratch)[i], begin & 0xff);
  }

  void expectEachItemOnce(int times = 1) const {
    for (int64_t i = 0; i < 2 * items; ++i)
      ASSERT_EQ(runs[i].load(), times) << i;
  }

  int64_t items;
  dn_kernel kernel = makeFakeKernel();
  dn_args args = {};
  std::vector<double> between, out;
  std::unique_ptr<std::atomic<int>[]> runs;
};

struct PoolDeleter {
  void operator()(dn_pool *pool) const { dn_pool_destroy(pool); }
};
using Pool = std::unique_ptr<dn_pool, PoolDeleter>;

class ThreadsTest : public testing::TestWithParam<int> {};

TEST_P(ThreadsTest, Case42_SameBitsForAnyNumberOfThreads) {
  Pool pool(dn_pool_create(GetParam()));
  ASSERT_NE(pool, nullptr);
  EXPECT_EQ(dn_pool_threads(pool.get()), GetParam());
  for (int64_t items : {0, 1, 2, 3, 5, 17, 1000}) {
    TwoStages serial(items), pooled(items);
    alignas(64) char scratch[1000];
    dn_run_serial(&serial.kernel, &serial.args, scratch);
    ASSERT_EQ(dn_run(&pooled.kernel, &pooled.args, pool.get()), DN_OK);
    serial.expectEachItemOnce();
    pooled.expectEachItemOnce();
    EXPECT_EQ(serial.out, pooled.out);
  }
}

TEST_P(ThreadsTest, ManySmallCalls) {
  Pool pool(dn_pool_create(GetParam()));
  TwoStages work(3);
  for (int i = 0; i < 300; ++i)
    ASSERT_EQ(dn_run(&work.kernel, &work.args, pool.get()), DN_OK);
  work.expectEachItemOnce(300);
}

TEST_P(ThreadsTest, SharesOfAHostsThreads) {
  const int nth = GetParam();
  TwoStages work(10);
  std::vector<std::vector<char>> scratches(nth, std::vector<char>(1064));
  for (uint32_t stage = 0; stage < work.kernel.stages; ++stage) {
    std::vector<std::thread> host;
    for (int ith = 0; ith < nth; ++ith)
      host.emplace_back([&, ith] {
        char *scratch = scratches[ith].data();
        scratch += -reinterpret_cast<uintptr_t>(scratch) & 63;
        dn_run_share(&work.kernel, &work.args, stage, scratch, ith, nth);
      });
    for (std::thread &thread : host)
      thread.join();
  }
  work.expectEachItemOnce();
}

INSTANTIATE_TEST_SUITE_P(Run, ThreadsTest, testing::Values(1, 3, 16, 64));

TEST(RunTest, WithoutAPool) {
  TwoStages work(9);
  ASSERT_EQ(dn_run(&work.kernel, &work.args, nullptr), DN_OK);
  work.expectEachItemOnce();
}

TEST(RunTest, SharesAreEvenAndDoNotOverflow) {
  static int64_t begins[7], ends[7];
  static int ith;
  dn_kernel kernel = makeFakeKernel();
  kernel.items = [](const dn_args *, uint32_t) { return INT64_MAX; };
  kernel.run = [](const dn_args *, uint32_t, void *, int64_t begin,
                  int64_t end) {
    begins[ith] = begin;
    ends[ith] = end;
  };
  dn_args args = {};
  for (ith = 0; ith < 7; ++ith)
    dn_run_share(&kernel, &args, 0, nullptr, ith, 7);
  EXPECT_EQ(begins[0], 0);
  EXPECT_EQ(ends[6], INT64_MAX);
  for (ith = 1; ith < 7; ++ith) {
    EXPECT_EQ(begins[ith], ends[ith - 1]);
    EXPECT_NEAR(double(ends[ith] - begins[ith]), double(ends[0]), 1);
  }
}

TEST(RunTest, Case27_LongTailOfSequences) {
  // One sequence of 8192 tokens and 63 of one, as items of very unequal length.
  static const int64_t sequences = 64;
  dn_kernel kernel = makeFakeKernel();
  kernel.items = [](const dn_args *, uint32_t) { return sequences; };
  kernel.run = [](const dn_args *args, uint32_t, void *, int64_t begin,
                  int64_t end) {
    for (int64_t s = begin; s < end; ++s) {
      double state = 1;
      for (int64_t t = 0; t < (s ? 1 : 8192); ++t)
        state = 0.5 * state + std::cos(double(t + s));
      static_cast<double *>(args->o)[s] = state;
    }
  };
  std::vector<double> serial(sequences), pooled(sequences);
  dn_args args = {};
  args.o = serial.data();
  dn_run_serial(&kernel, &args, nullptr);
  args.o = pooled.data();
  Pool pool(dn_pool_create(4));
  ASSERT_EQ(dn_run(&kernel, &args, pool.get()), DN_OK);
  EXPECT_EQ(serial, pooled);
}

TEST(RunTest, CallsOnOnePoolWaitForEachOther) {
  Pool pool(dn_pool_create(3));
  std::vector<std::unique_ptr<TwoStages>> works;
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i)
    works.push_back(std::make_unique<TwoStages>(20 + i));
  for (auto &work : works)
    callers.emplace_back([&pool, &work] {
      for (int i = 0; i < 50; ++i)
        dn_run(&work->kernel, &work->args, pool.get());
    });
  for (std::thread &caller : callers)
    caller.join();
  for (auto &work : works)
    work->expectEachItemOnce(50);
}

TEST(RunTest, HotCallsDoNotAllocate) {
  Pool pool(dn_pool_create(3));
  TwoStages work(30);
  alignas(64) char scratch[1000];
  int before = allocations;
  EXPECT_EQ(dn_pool_reserve(pool.get(), &work.kernel), DN_OK);
  EXPECT_EQ(allocations, before + 1);
  for (int i = 0; i < 20; ++i)
    dn_run(&work.kernel, &work.args, pool.get());
  dn_run_serial(&work.kernel, &work.args, scratch);
  dn_run_share(&work.kernel, &work.args, 0, scratch, 0, 2);
  char message[DN_MESSAGE_BYTES];
  dn_check(&work.kernel, &work.args, message, sizeof message);
  EXPECT_EQ(allocations, before + 1);

  work.kernel.scratch_bytes = 100000; // more than ever before
  dn_run(&work.kernel, &work.args, pool.get());
  EXPECT_EQ(allocations, before + 2);
}

TEST(RunTest, ScratchKeepsTheLargestSizeAndAlignment) {
  Pool pool(dn_pool_create(2));
  static std::atomic<uintptr_t> misaligned;
  dn_kernel kernel = makeFakeKernel();
  kernel.items = [](const dn_args *, uint32_t) { return int64_t(100); };
  kernel.run = [](const dn_args *args, uint32_t, void *scratch, int64_t,
                  int64_t) {
    misaligned |= reinterpret_cast<uintptr_t>(scratch) % 4096;
    memset(scratch, 1, args->tokens);
  };
  dn_args args = {};
  kernel.scratch_align = 4096;
  args.tokens = kernel.scratch_bytes = 10;
  ASSERT_EQ(dn_run(&kernel, &args, pool.get()), DN_OK);
  kernel.scratch_align = 1;
  args.tokens = kernel.scratch_bytes = 5000;
  ASSERT_EQ(dn_run(&kernel, &args, pool.get()), DN_OK);
  EXPECT_EQ(misaligned, 0u);
}

TEST(RunTest, ImpossibleScratchIsAnError) {
  Pool pool(dn_pool_create(2));
  TwoStages work(4);
  for (uint64_t bytes : {~uint64_t(0), ~uint64_t(0) / 2, uint64_t(1) << 60}) {
    work.kernel.scratch_bytes = bytes;
    EXPECT_EQ(dn_run(&work.kernel, &work.args, pool.get()), DN_ERROR_MEMORY);
    EXPECT_EQ(dn_run(&work.kernel, &work.args, nullptr), DN_ERROR_MEMORY);
    EXPECT_EQ(dn_pool_reserve(pool.get(), &work.kernel), DN_ERROR_MEMORY);
  }
  work.expectEachItemOnce(0);
  work.kernel.scratch_bytes = 1000; // the pool is still good
  EXPECT_EQ(dn_run(&work.kernel, &work.args, pool.get()), DN_OK);
  work.expectEachItemOnce();
}

TEST(RunTest, ImpossiblePools) {
  EXPECT_EQ(dn_pool_create(-1), nullptr);
  EXPECT_EQ(dn_pool_create(1 << 30), nullptr);
  dn_pool_destroy(nullptr);
}

TEST(RunTest, DefaultPoolUsesTheCpusOfTheProcess) {
  Pool pool(dn_pool_create(0));
  EXPECT_EQ(dn_pool_threads(pool.get()), dn_cpu_count());
}

} // namespace
