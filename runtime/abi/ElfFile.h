//===- ElfFile.h - Files that are safe to hand to dlopen ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_ELFFILE_H
#define DELTANET_RUNTIME_ELFFILE_H

#include "Message.h"

/// Whether dlopen may be given `path`: it maps what the headers name, and a
/// file that ends before kills the process when it is touched. Passes what is
/// not a regular file that can be read, of which dlopen says more.
dn_status dn_elf_check(const char *path, dn_message message);

#endif // DELTANET_RUNTIME_ELFFILE_H
