//===- TilePermission.h - Leave to use the tile registers -----------------===//
//
// Part of the Delta-Net project.
//
// Linux saves the 8 KB of AMX tile data only for processes that have asked for
// it; in others the first tile instruction ends the process.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_TILEPERMISSION_H
#define DELTANET_RUNTIME_TILEPERMISSION_H

#include <stdbool.h>

/// The arch_prctl system call: 0, or -1 for an error.
typedef long (*dn_arch_prctl)(int code, unsigned long argument);

/// Whether this process may use tile data; asks for it if it may not yet. The
/// kernel keeps the answer for all threads, those that exist and those to come,
/// so there is no state here and any thread may call this at any time.
bool dn_tile_permission(dn_arch_prctl arch_prctl);

/// The system call itself; -1 on systems that have none.
long dn_host_arch_prctl(int code, unsigned long argument);

#endif // DELTANET_RUNTIME_TILEPERMISSION_H
