//===- CpuFeatures.c - What the CPU and the operating system allow --------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "CpuFeatures.h"
#include "abi/GpuVariant.h"

#include <stdbool.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static const char *const level_names[] = {
    [DN_ISA_GENERIC] = "generic", [DN_ISA_AVX2] = "avx2",
    [DN_ISA_AVX512] = "avx512",   [DN_ISA_AVX512_BF16] = "avx512_bf16",
    [DN_ISA_AMX] = "amx",
};

enum { EAX, EBX, ECX, EDX };

/// An instruction set extension that a level needs, and those above it.
struct cpu_bit {
  uint32_t isa;
  const char *name;
  uint32_t leaf, subleaf, reg, bit;
};

static const struct cpu_bit cpu_bits[] = {
    {DN_ISA_AVX2, "AVX", 1, 0, ECX, 28},
    {DN_ISA_AVX2, "FMA", 1, 0, ECX, 12},
    {DN_ISA_AVX2, "F16C", 1, 0, ECX, 29},
    {DN_ISA_AVX2, "AVX2", 7, 0, EBX, 5},
    {DN_ISA_AVX2, "BMI2", 7, 0, EBX, 8},
    {DN_ISA_AVX512, "AVX512F", 7, 0, EBX, 16},
    {DN_ISA_AVX512, "AVX512DQ", 7, 0, EBX, 17},
    {DN_ISA_AVX512, "AVX512BW", 7, 0, EBX, 30},
    {DN_ISA_AVX512, "AVX512VL", 7, 0, EBX, 31},
    {DN_ISA_AVX512_BF16, "AVX512_BF16", 7, 1, EAX, 5},
    {DN_ISA_AMX, "AMX-BF16", 7, 0, EDX, 22},
    {DN_ISA_AMX, "AMX-TILE", 7, 0, EDX, 24},
};

/// Register state that the operating system must save for a level and those
/// above it.
struct os_state {
  uint32_t isa;
  const char *name;
  uint64_t xcr0_mask;
};

static const struct os_state os_states[] = {
    {DN_ISA_AVX2, "ymm state", 0x6},     // SSE and the upper halves of ymm
    {DN_ISA_AVX512, "zmm state", 0xe0},  // masks, upper halves, zmm16 to zmm31
    {DN_ISA_AMX, "tile state", 0x60000}, // configuration and data
};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/// A register of a leaf; 0 if the CPU lacks the leaf.
static uint32_t read_cpuid(const dn_cpu_source *cpu, uint32_t leaf,
                           uint32_t subleaf, uint32_t reg) {
  uint32_t registers[4];
  cpu->cpuid(0, 0, registers);
  if (registers[EAX] < leaf)
    return 0;
  // Of the leaves with subleaves, leaf 7 tells its highest one.
  if (subleaf) {
    cpu->cpuid(leaf, 0, registers);
    if (registers[EAX] < subleaf)
      return 0;
  }
  cpu->cpuid(leaf, subleaf, registers);
  return registers[reg];
}

static bool has_bit(const dn_cpu_source *cpu, uint32_t leaf, uint32_t subleaf,
                    uint32_t reg, uint32_t bit) {
  return read_cpuid(cpu, leaf, subleaf, reg) >> bit & 1;
}

const char *dn_isa_name(uint32_t isa) {
  return isa < LENGTH(level_names) ? level_names[isa] : NULL;
}

dn_status dn_cpu_check_isa(const dn_cpu_source *cpu, uint32_t isa,
                           dn_message message) {
  if (dn_gpu_level(isa))
    return dn_fail(message, DN_ERROR_ISA, "for GPUs");
  if (!dn_isa_name(isa))
    return dn_fail(message, DN_ERROR_ISA, "unknown to this runtime");

  for (size_t i = 0; i < LENGTH(cpu_bits); ++i) {
    const struct cpu_bit *row = &cpu_bits[i];
    if (row->isa <= isa &&
        !has_bit(cpu, row->leaf, row->subleaf, row->reg, row->bit))
      return dn_fail(message, DN_ERROR_ISA, "CPU lacks %s", row->name);
  }

  // Some virtual machines show the instructions, but no palette: there every
  // tile configuration faults.
  if (isa >= DN_ISA_AMX && read_cpuid(cpu, 0x1d, 0, EAX) == 0)
    return dn_fail(message, DN_ERROR_ISA, "CPU has no tile palette");

  for (size_t i = 0; i < LENGTH(os_states); ++i) {
    const struct os_state *row = &os_states[i];
    if (row->isa > isa)
      continue;
    // XGETBV faults unless the operating system has set OSXSAVE.
    if (!has_bit(cpu, 1, 0, ECX, 27))
      return dn_fail(message, DN_ERROR_ISA,
                     "operating system has not enabled XSAVE");
    if ((cpu->xcr0() & row->xcr0_mask) != row->xcr0_mask)
      return dn_fail(message, DN_ERROR_ISA, "XCR0 lacks %s", row->name);
  }
  return DN_OK;
}

dn_status dn_cpu_ask_permission(const dn_cpu_source *cpu, uint32_t isa,
                                dn_message message) {
  if (isa >= DN_ISA_AMX && !dn_tile_permission(cpu->arch_prctl))
    return dn_fail(message, DN_ERROR_ISA,
                   "permission to use tile data refused");
  return DN_OK;
}

#if defined(__x86_64__)
static void host_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t registers[4]) {
  __cpuid_count(leaf, subleaf, registers[EAX], registers[EBX], registers[ECX],
                registers[EDX]);
}

static uint64_t host_xcr0(void) {
  // Not the _xgetbv intrinsic, which this file's baseline target refuses.
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}
#else
static void host_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t registers[4]) {
  (void)leaf;
  (void)subleaf;
  registers[EAX] = registers[EBX] = registers[ECX] = registers[EDX] = 0;
}

static uint64_t host_xcr0(void) { return 0; }
#endif

const dn_cpu_source *dn_cpu_host(void) {
  static const dn_cpu_source host = {host_cpuid, host_xcr0, dn_host_arch_prctl};
  return &host;
}
