//===- TilePermission.c - Leave to use the tile registers -----------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "TilePermission.h"

#include <stdint.h>

#if defined(__x86_64__) && defined(__linux__)
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

// <asm/prctl.h> of Linux 5.16; older headers lack them.
enum { GET_XCOMP_PERM = 0x1022, REQ_XCOMP_PERM = 0x1023 };

/// XSAVE component of the tile data.
enum { TILE_DATA = 18 };

bool dn_tile_permission(dn_arch_prctl arch_prctl) {
  uint64_t granted = 0;
  if (arch_prctl(GET_XCOMP_PERM, (unsigned long)&granted) == 0 &&
      granted >> TILE_DATA & 1)
    return true;
  return arch_prctl(REQ_XCOMP_PERM, TILE_DATA) == 0;
}

long dn_host_arch_prctl(int code, unsigned long argument) {
#if defined(__x86_64__) && defined(__linux__)
  int saved = errno;
  long result = syscall(SYS_arch_prctl, code, argument);
  errno = saved;
  return result;
#else
  (void)code;
  (void)argument;
  return -1;
#endif
}
