//===- Select.c - Choice of a variant -------------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "Select.h"
#include "abi/Abi.h"
#include "abi/GpuVariant.h"

#include <stdlib.h>
#include <string.h>

/// Finds the level called `cap`; no cap allows every level.
static dn_status parse_cap(const char *cap, uint32_t *isa, dn_message message) {
  *isa = UINT32_MAX;
  if (!cap || !*cap)
    return DN_OK;
  for (uint32_t i = 0; dn_isa_name(i); ++i)
    if (!strcmp(cap, dn_isa_name(i))) {
      *isa = i;
      return DN_OK;
    }
  dn_fail(message, DN_ERROR_ISA, "DELTANET_ISA: expected ");
  for (uint32_t i = 0; dn_isa_name(i); ++i) {
    const char *link = i == 0 ? "" : dn_isa_name(i + 1) ? ", " : " or ";
    dn_message_append(message, "%s%s", link, dn_isa_name(i));
  }
  dn_message_append(message, ", got '%.64s'", cap);
  return DN_ERROR_ISA;
}

dn_status dn_isa_check_on(const dn_cpu_source *cpu, const char *cap,
                          uint32_t isa, dn_message message) {
  uint32_t highest;
  dn_status status = parse_cap(cap, &highest, message);
  if (status != DN_OK)
    return status;
  status = dn_cpu_check_isa(cpu, isa, message);
  if (status != DN_OK)
    return status;
  // Last: a permission that is granted stays with the process.
  if (isa > highest)
    return dn_fail(message, DN_ERROR_ISA, "capped by DELTANET_ISA=%s", cap);
  return dn_cpu_ask_permission(cpu, isa, message);
}

dn_status dn_select_on(const dn_cpu_source *cpu, const char *cap,
                       const dn_kernel_set *set, dn_selection *out) {
  out->kernel = NULL;
  dn_message reason = dn_message_begin(out->reason, sizeof out->reason);
  dn_status status = dn_abi_check_set(set, reason);
  if (status != DN_OK)
    return status;
  uint32_t highest;
  status = parse_cap(cap, &highest, reason);
  if (status != DN_OK)
    return status;

  char skipped[sizeof out->reason], why[96];
  dn_message skips = dn_message_begin(skipped, sizeof skipped);
  for (uint32_t i = 0; i < set->variant_count; ++i) {
    const dn_kernel *variant = set->variants[i];
    if (dn_gpu_level(variant->isa))
      continue;
    if (dn_isa_check_on(cpu, cap, variant->isa,
                        dn_message_begin(why, sizeof why)) != DN_OK) {
      const char *name = dn_isa_name(variant->isa);
      if (name)
        dn_message_append(skips, "; %s skipped: %s", name, why);
      else
        dn_message_append(skips, "; level %u skipped: %s", variant->isa, why);
      continue;
    }
    if (!out->kernel || variant->isa > out->kernel->isa)
      out->kernel = variant;
  }

  if (!out->kernel && !*skipped)
    return dn_fail(reason, DN_ERROR_ISA,
                   "expected a variant for CPUs, got variants for GPUs alone");
  if (!out->kernel)
    return dn_fail(reason, DN_ERROR_ISA, "no variant runs here%s", skipped);
  dn_fail(reason, DN_OK, "%s chosen%s", dn_isa_name(out->kernel->isa), skipped);
  return DN_OK;
}

dn_status dn_isa_check(uint32_t isa, char *message, size_t bytes) {
  return dn_isa_check_on(dn_cpu_host(), getenv("DELTANET_ISA"), isa,
                         dn_message_begin(message, bytes));
}

dn_status dn_select(const dn_kernel_set *set, dn_selection *out) {
  return dn_select_on(dn_cpu_host(), getenv("DELTANET_ISA"), set, out);
}
