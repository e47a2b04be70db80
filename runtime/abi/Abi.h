//===- Abi.h - Which structs of other ABI versions can be read ------------===//
//
// Part of the Delta-Net project.
//
// Within one ABI major, structs only grow at their end. What CPUs need was all
// there in minor 0, so any struct of that size or larger will do; one that is
// smaller is broken. What came later has its own size to ask for.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_ABI_H
#define DELTANET_RUNTIME_ABI_H

#include "Message.h"

/// Size of a struct that ends with `last`: its size in minor 0.
#define DN_SIZE_UP_TO(type, last)                                              \
  (offsetof(type, last) + sizeof(((type *)0)->last))

#define DN_ARGS_SIZE_1_0 DN_SIZE_UP_TO(dn_args, workspace_bytes)
#define DN_KERNEL_SIZE_1_0 DN_SIZE_UP_TO(dn_kernel, run)
#define DN_KERNEL_SET_SIZE_1_0 DN_SIZE_UP_TO(dn_kernel_set, variants)
#define DN_LIBRARY_SIZE_1_0 DN_SIZE_UP_TO(dn_library, producer)
#define DN_CUDA_CODE_SIZE_1_1 DN_SIZE_UP_TO(dn_cuda_code, cubin_bytes)

/// Whether the descriptor can be read: non-null, same major, complete.
dn_status dn_abi_check_kernel(const dn_kernel *kernel, dn_message message);

/// The same for a set and all its variants.
dn_status dn_abi_check_set(const dn_kernel_set *set, dn_message message);

/// The same for a library and all its sets; `path` names it in messages.
dn_status dn_abi_check_library(const dn_library *library, const char *path,
                               dn_message message);

#endif // DELTANET_RUNTIME_ABI_H
