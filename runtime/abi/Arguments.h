//===- Arguments.h - Validation of a call's arguments ---------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_ARGUMENTS_H
#define DELTANET_RUNTIME_ARGUMENTS_H

#include "Message.h"

/// An args struct larger than this is taken for garbage, not for one of a later
/// minor.
#define DN_MAX_ARGS_SIZE 4096

/// Checks what the arguments point to. Everything but the workspace and overlap
/// has been accepted.
typedef dn_status dn_read_check(const dn_kernel *kernel, const dn_args *args,
                                dn_message message);

/// Checks what can be known of a call without reading its memory: structs,
/// counts, pointers, strides, workspace and overlap. `check_read` is for who
/// can read it, else null.
dn_status dn_check_arguments(const dn_kernel *kernel, const dn_args *args,
                             dn_read_check *check_read, dn_message message);

#endif // DELTANET_RUNTIME_ARGUMENTS_H
