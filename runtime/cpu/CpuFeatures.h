//===- CpuFeatures.h - What the CPU and the operating system allow --------===//
//
// Part of the Delta-Net project.
//
// An instruction set level needs bits of CPUID (the CPU has the instructions)
// and bits of XCR0 (the operating system saves the registers); one with tiles
// also the system's leave. The levels are rows of tables; a new one adds rows.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_CPUFEATURES_H
#define DELTANET_RUNTIME_CPUFEATURES_H

#include "TilePermission.h"
#include "abi/Message.h"

/// Where CPU facts come from: the CPU itself, or a test.
typedef struct dn_cpu_source {
  /// EAX, EBX, ECX, EDX of a CPUID leaf; leaves above leaf 0's EAX are not
  /// asked for.
  void (*cpuid)(uint32_t leaf, uint32_t subleaf, uint32_t registers[4]);
  /// XGETBV(0); only called if CPUID reports OSXSAVE.
  uint64_t (*xcr0)(void);
  /// Only called for levels with tiles that have all else.
  dn_arch_prctl arch_prctl;
} dn_cpu_source;

/// The CPU this code runs on. Other architectures than x86-64 report no CPUID
/// leaves, which leaves the generic level.
const dn_cpu_source *dn_cpu_host(void);

/// DN_OK if `cpu` can execute level `isa`, else DN_ERROR_ISA and the first
/// thing it lacks, e.g. "CPU lacks FMA" or "XCR0 lacks ymm state".
dn_status dn_cpu_check_isa(const dn_cpu_source *cpu, uint32_t isa,
                           dn_message message);

/// DN_OK if this process may use the registers of level `isa`, which has passed
/// dn_cpu_check_isa: asks the system where it must be asked. The process keeps
/// what it was granted, so ask for what will be used.
dn_status dn_cpu_ask_permission(const dn_cpu_source *cpu, uint32_t isa,
                                dn_message message);

#endif // DELTANET_RUNTIME_CPUFEATURES_H
