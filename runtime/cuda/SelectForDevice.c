//===- SelectForDevice.c - Choice of a variant for a GPU ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "Context.h"
#include "abi/Abi.h"
#include "abi/GpuVariant.h"

/// Of two variants for one compute capability, the one for it alone may use
/// more of it.
static bool is_higher(const dn_kernel *a, const dn_kernel *b) {
  return a->isa > b->isa || (a->isa == b->isa && a->cuda->only > b->cuda->only);
}

static dn_status select_variant(const dn_cuda *cuda, const dn_kernel_set *set,
                                dn_selection *out, dn_message reason) {
  dn_status status = dn_abi_check_set(set, reason);
  dn_cuda_context context;
  if (status == DN_OK)
    status = dn_cuda_current_context(&cuda->driver, &context, reason);
  dn_cuda_device device;
  if (status == DN_OK)
    status = dn_cuda_current_device(&cuda->driver, &device, reason);
  if (status != DN_OK)
    return status;

  const dn_kernel *best = NULL;
  bool any = false;
  char skipped[sizeof out->reason], why[64];
  dn_message skips = dn_message_begin(skipped, sizeof skipped);
  for (uint32_t i = 0; i < set->variant_count; ++i) {
    const dn_kernel *variant = set->variants[i];
    if (!dn_gpu_level(variant->isa))
      continue;
    any = true;
    status = dn_gpu_check(variant, reason);
    if (status != DN_OK)
      return status;
    if (dn_cuda_device_runs(&device, variant,
                            dn_message_begin(why, sizeof why)) != DN_OK) {
      dn_message_append(skips, "; %s skipped: %s", dn_gpu_name_of(variant).text,
                        why);
      continue;
    }
    if (!best || is_higher(variant, best))
      best = variant;
  }

  if (!any)
    return dn_fail(reason, DN_ERROR_ISA,
                   "expected a variant for GPUs, got variants for CPUs alone");
  // So much of a name leaves room for the reasons of six variants.
  if (!best)
    return dn_fail(reason, DN_ERROR_DEVICE,
                   "no variant runs on %.24s (%d.%d)%s", device.name,
                   device.capability / 10, device.capability % 10, skipped);
  out->kernel = best;
  dn_fail(reason, DN_OK, "%s chosen%s", dn_gpu_name_of(best).text, skipped);
  return DN_OK;
}

dn_status dn_cuda_select(dn_cuda *cuda, const dn_kernel_set *set,
                         dn_selection *out) {
  out->kernel = NULL;
  return select_variant(cuda, set, out,
                        dn_message_begin(out->reason, sizeof out->reason));
}
