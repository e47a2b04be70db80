//===- CpuCount.h - CPUs that this process may use ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_CPUCOUNT_H
#define DELTANET_RUNTIME_CPUCOUNT_H

/// The tightest CPU quota of the process' control group and the groups above
/// it, in whole CPUs rounded up; 0 if there is none. `root` is put in front of
/// /proc and /sys: "" on a real system, a folder in tests.
int dn_cgroup_quota(const char *root);

/// dn_cpu_count with the control groups of `root`.
int dn_cpu_count_under(const char *root);

#endif // DELTANET_RUNTIME_CPUCOUNT_H
