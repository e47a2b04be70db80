//===- CpuCountTest.cpp - Affinity and control group quotas ---------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
extern "C" {
#include "cpu/CpuCount.h"
}
#include "deltanet-c/runtime.h"

#include <gtest/gtest.h>

#include <sched.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

/// A folder that stands for "/".
class QuotaTest : public testing::Test {
protected:
  QuotaTest() {
    std::string name = testing::TempDir() + "deltanet-quota-XXXXXX";
    root = mkdtemp(name.data());
  }
  ~QuotaTest() override { std::filesystem::remove_all(root); }

  void write(const std::string &path, const std::string &text) {
    std::filesystem::path file = root + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  int quota() { return dn_cgroup_quota(root.c_str()); }

  std::string root;
};

TEST_F(QuotaTest, NothingMounted) {
  EXPECT_EQ(quota(), 0);
  EXPECT_GE(dn_cpu_count_under(root.c_str()), 1);
}

TEST_F(QuotaTest, Case51_TwoCpusInAContainer) {
  write("/proc/self/cgroup", "0::/\n");
  write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2);
  EXPECT_LE(dn_cpu_count_under(root.c_str()), 2);
}

TEST_F(QuotaTest, Case51_OneCpu) {
  write("/proc/self/cgroup", "0::/\n");
  write("/sys/fs/cgroup/cpu.max", "100000 100000\n");
  EXPECT_EQ(dn_cpu_count_under(root.c_str()), 1);
}

TEST_F(QuotaTest, FractionsRoundUp) {
  write("/proc/self/cgroup", "0::/\n");
  write("/sys/fs/cgroup/cpu.max", "250001 100000\n");
  EXPECT_EQ(quota(), 3);
  write("/sys/fs/cgroup/cpu.max", "1000 100000\n");
  EXPECT_EQ(quota(), 1);
}

TEST_F(QuotaTest, NoLimit) {
  write("/proc/self/cgroup", "0::/\n");
  write("/sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), 0);
}

TEST_F(QuotaTest, TightestOfTheGroupsAbove) {
  write("/proc/self/cgroup", "0::/user.slice/job.scope\n");
  write("/sys/fs/cgroup/user.slice/job.scope/cpu.max", "800000 100000");
  write("/sys/fs/cgroup/user.slice/cpu.max", "300000 100000");
  EXPECT_EQ(quota(), 3);
}

TEST_F(QuotaTest, VersionOne) {
  write("/proc/self/cgroup", "5:memory:/job\n4:cpu,cpuacct:/job\n0::/\n");
  write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "400000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 4);
}

TEST_F(QuotaTest, VersionOneUnlimited) {
  write("/proc/self/cgroup", "4:cpu:/\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 0);
}

TEST_F(QuotaTest, VersionOneInAContainerWithTheHostsName) {
  write("/proc/self/cgroup", "4:cpu:/docker/12ab\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(quota(), 3);
}

TEST_F(QuotaTest, OtherControllersDoNotCount) {
  write("/proc/self/cgroup", "3:cpuset:/\n2:cpuacct:/\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 0);
}

TEST_F(QuotaTest, GarbageIsNoLimit) {
  write("/proc/self/cgroup", "\n:\n0:\n::\n0::nonsense\n0::/\n");
  write("/sys/fs/cgroup/cpu.max", "a lot\n");
  EXPECT_EQ(quota(), 0);
  write("/sys/fs/cgroup/cpu.max", "-5 100000\n");
  EXPECT_EQ(quota(), 0);
  write("/sys/fs/cgroup/cpu.max", "100000 0\n");
  EXPECT_EQ(quota(), 0);
  write("/sys/fs/cgroup/cpu.max", "9223372036854775807 1\n");
  EXPECT_EQ(quota(), 2147483647);
}

TEST(CpuCountTest, AffinityCounts) {
  int counted = 0, threads = 0;
  std::thread([&] {
    cpu_set_t all, one;
    ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&one); ++cpu)
      if (CPU_ISSET(cpu, &all))
        CPU_SET(cpu, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    counted = dn_cpu_count();
    dn_pool *pool = dn_pool_create(0);
    threads = dn_pool_threads(pool);
    dn_pool_destroy(pool);
  }).join();
  EXPECT_EQ(counted, 1);
  EXPECT_EQ(threads, 1);
}

} // namespace
