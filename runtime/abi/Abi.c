//===- Abi.c - Which structs of other ABI versions can be read ------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "Abi.h"

dn_status dn_abi_check_kernel(const dn_kernel *kernel, dn_message message) {
  if (!kernel)
    return dn_fail(message, DN_ERROR_ABI, "kernel: expected one, got null");
  // The major comes first: in another major nothing else is where it seems.
  if (kernel->abi_major != DN_ABI_MAJOR)
    return dn_fail(message, DN_ERROR_ABI,
                   "kernel: expected ABI major %d, got %d", DN_ABI_MAJOR,
                   kernel->abi_major);
  if (kernel->size < DN_KERNEL_SIZE_1_0)
    return dn_fail(message, DN_ERROR_ABI,
                   "kernel: expected a descriptor of at least %zu bytes, "
                   "got %u",
                   DN_KERNEL_SIZE_1_0, kernel->size);
  return DN_OK;
}

dn_status dn_abi_check_set(const dn_kernel_set *set, dn_message message) {
  if (!set)
    return dn_fail(message, DN_ERROR_ABI, "kernel set: expected one, got null");
  if (set->size < DN_KERNEL_SET_SIZE_1_0)
    return dn_fail(message, DN_ERROR_ABI,
                   "kernel set: expected at least %zu bytes, got %u",
                   DN_KERNEL_SET_SIZE_1_0, set->size);
  if (!set->variant_count)
    return dn_fail(message, DN_ERROR_ABI,
                   "kernel set: expected at least one variant, got none");
  if (!set->variants)
    return dn_fail(message, DN_ERROR_ABI,
                   "kernel set: expected %u variants, got null",
                   set->variant_count);
  for (uint32_t i = 0; i < set->variant_count; ++i) {
    dn_status status = dn_abi_check_kernel(set->variants[i], message);
    if (status != DN_OK)
      return status;
  }
  return DN_OK;
}

dn_status dn_abi_check_library(const dn_library *library, const char *path,
                               dn_message message) {
  if (!library)
    return dn_fail(message, DN_ERROR_LIBRARY,
                   "%s: expected a kernel library, got null from dn_query",
                   path);
  if (library->abi_major != DN_ABI_MAJOR)
    return dn_fail(message, DN_ERROR_ABI, "%s: expected ABI major %d, got %d",
                   path, DN_ABI_MAJOR, library->abi_major);
  if (library->size < DN_LIBRARY_SIZE_1_0)
    return dn_fail(message, DN_ERROR_ABI,
                   "%s: expected a library table of at least %zu bytes, got %u",
                   path, DN_LIBRARY_SIZE_1_0, library->size);
  if (library->kernel_count && !library->kernels)
    return dn_fail(message, DN_ERROR_ABI, "%s: expected %u kernels, got null",
                   path, library->kernel_count);
  for (uint32_t i = 0; i < library->kernel_count; ++i) {
    dn_status status = dn_abi_check_set(library->kernels[i], message);
    if (status != DN_OK)
      return status;
    if (!library->kernels[i]->name)
      return dn_fail(message, DN_ERROR_ABI,
                     "%s: expected kernel %u to have a name, got null", path,
                     i);
  }
  return DN_OK;
}
