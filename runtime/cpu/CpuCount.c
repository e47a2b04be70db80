//===- CpuCount.c - CPUs that this process may use ------------------------===//
//
// Part of the Delta-Net project.
//
// A container sees all CPUs of its host, but is stopped for the rest of each
// period once its quota of CPU time is spent, so threads beyond the quota only
// make it slower. /proc/self/cgroup names the group in each hierarchy:
//
//   0::/user.slice/job           v2: cpu.max holds "QUOTA PERIOD" or "max ..."
//   4:cpu,cpuacct:/docker/1234   v1: cpu.cfs_quota_us (-1: none) and
//                                    cpu.cfs_period_us
//
// Inside a container the name may be that of the host, whose folders are not
// there; the container's own folder is then the root of the mount. Looking in
// the named folder and in all above it covers both, and limits set on parents.
//
//===----------------------------------------------------------------------===//
#include "CpuCount.h"
#include "deltanet-c/runtime.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Reads up to size - 1 bytes of root/folder/name as a string.
static bool read_file(const char *root, const char *folder, const char *name,
                      char *text, size_t size) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s%s/%s", root, folder, name);
  if (length < 0 || (size_t)length >= sizeof path)
    return false;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  size_t used = 0;
  ssize_t got;
  while (used < size - 1 &&
         (got = read(file, text + used, size - 1 - used)) > 0)
    used += (size_t)got;
  close(file);
  text[used] = '\0';
  return used > 0;
}

/// 0 if there is no quota.
static int whole_cpus(long long quota, long long period) {
  if (quota <= 0 || period <= 0)
    return 0;
  long long cpus = (quota - 1) / period + 1;
  return cpus < INT_MAX ? (int)cpus : INT_MAX;
}

static int quota_v2(const char *root, const char *folder) {
  char text[64];
  long long quota, period;
  if (!read_file(root, folder, "cpu.max", text, sizeof text) ||
      sscanf(text, "%lld %lld", &quota, &period) != 2)
    return 0;
  return whole_cpus(quota, period);
}

static int quota_v1(const char *root, const char *folder) {
  char quota[64], period[64];
  if (!read_file(root, folder, "cpu.cfs_quota_us", quota, sizeof quota) ||
      !read_file(root, folder, "cpu.cfs_period_us", period, sizeof period))
    return 0;
  return whole_cpus(atoll(quota), atoll(period));
}

/// Lowers `least` (0: none yet) to the quotas of mount/group and the groups
/// above it.
static int least_quota(int least, const char *root, const char *mount,
                       const char *group,
                       int (*quota)(const char *root, const char *folder)) {
  char folder[PATH_MAX];
  int length = snprintf(folder, sizeof folder, "%s%s", mount, group);
  if (length < 0 || (size_t)length >= sizeof folder)
    return least;
  for (;;) {
    int cpus = quota(root, folder);
    if (cpus && (!least || cpus < least))
      least = cpus;
    if (strlen(folder) <= strlen(mount))
      return least;
    *strrchr(folder, '/') = '\0';
  }
}

static bool lists_cpu(char *controllers) {
  char *rest = controllers, *one;
  while ((one = strsep(&rest, ",")))
    if (!strcmp(one, "cpu"))
      return true;
  return false;
}

int dn_cgroup_quota(const char *root) {
  static const char *const v1[] = {"/sys/fs/cgroup/cpu",
                                   "/sys/fs/cgroup/cpu,cpuacct"};
  static const char *const v2[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
  char groups[8192];
  if (!read_file(root, "/proc/self", "cgroup", groups, sizeof groups))
    return 0;
  int least = 0;
  char *rest = groups, *line;
  while ((line = strsep(&rest, "\n"))) {
    strsep(&line, ":"); // the number of the hierarchy
    char *controllers = strsep(&line, ":");
    if (!controllers || !line)
      continue;
    bool unified = !*controllers;
    if (!unified && !lists_cpu(controllers))
      continue;
    for (int i = 0; i < 2; ++i)
      least = least_quota(least, root, unified ? v2[i] : v1[i], line,
                          unified ? quota_v2 : quota_v1);
  }
  return least;
}

int dn_cpu_count_under(const char *root) {
  // Larger than cpu_set_t, for machines with more than 1024 CPUs.
  unsigned long mask[1024] = {0};
  int cpus = 0;
  if (!sched_getaffinity(0, sizeof mask, (cpu_set_t *)mask))
    for (size_t i = 0; i < sizeof mask / sizeof *mask; ++i)
      cpus += __builtin_popcountl(mask[i]);
  int quota = dn_cgroup_quota(root);
  if (quota && quota < cpus)
    cpus = quota;
  return cpus > 0 ? cpus : 1;
}

int dn_cpu_count(void) { return dn_cpu_count_under(""); }
