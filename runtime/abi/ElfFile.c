//===- ElfFile.c - Files that are safe to hand to dlopen ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "ElfFile.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#define DN_ELF_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define DN_ELF_MACHINE EM_AARCH64
#else
#define DN_ELF_MACHINE EM_NONE
#endif

static const char *machine_name(uint16_t machine) {
  switch (machine) {
  case EM_386:
    return "x86";
  case EM_X86_64:
    return "x86-64";
  case EM_ARM:
    return "ARM";
  case EM_AARCH64:
    return "AArch64";
  case EM_RISCV:
    return "RISC-V";
  default:
    return NULL;
  }
}

typedef struct elf_file {
  const char *path;
  int descriptor;
  uint64_t size;
  dn_message message;
} elf_file;

/// Whether `bytes` bytes at `begin` lie inside the file.
static dn_status check_inside(const elf_file *file, const char *what,
                              uint64_t begin, uint64_t bytes) {
  if (begin <= file->size && bytes <= file->size - begin)
    return DN_OK;
  return dn_fail(file->message, DN_ERROR_LIBRARY,
                 "%s: expected %s within the file, got a file cut off after "
                 "%llu bytes",
                 file->path, what, (unsigned long long)file->size);
}

static dn_status read_at(const elf_file *file, const char *what, uint64_t begin,
                         void *out, size_t bytes) {
  dn_status status = check_inside(file, what, begin, bytes);
  if (status != DN_OK)
    return status;
  if (pread(file->descriptor, out, bytes, (off_t)begin) == (ssize_t)bytes)
    return DN_OK;
  return dn_fail(file->message, DN_ERROR_LIBRARY, "%s: %s cannot be read",
                 file->path, what);
}

static dn_status check_machine(const elf_file *file, const Elf64_Ehdr *header) {
  if (DN_ELF_MACHINE == EM_NONE || header->e_machine == DN_ELF_MACHINE)
    return DN_OK;
  dn_fail(file->message, DN_ERROR_LIBRARY,
          "%s: expected a library for %s, got one for ", file->path,
          machine_name(DN_ELF_MACHINE));
  const char *name = machine_name(header->e_machine);
  if (name)
    dn_message_append(file->message, "%s", name);
  else
    dn_message_append(file->message, "ELF machine %u", header->e_machine);
  return DN_ERROR_LIBRARY;
}

static dn_status check_segments(const elf_file *file,
                                const Elf64_Ehdr *header) {
  if (header->e_phentsize != sizeof(Elf64_Phdr))
    return dn_fail(file->message, DN_ERROR_LIBRARY,
                   "%s: expected program headers of %zu bytes, got %u",
                   file->path, sizeof(Elf64_Phdr), header->e_phentsize);
  for (uint16_t i = 0; i < header->e_phnum; ++i) {
    Elf64_Phdr segment;
    uint64_t begin = (uint64_t)i * sizeof segment;
    if (header->e_phoff > UINT64_MAX - begin)
      return check_inside(file, "program headers", header->e_phoff, begin);
    dn_status status = read_at(file, "program headers", header->e_phoff + begin,
                               &segment, sizeof segment);
    if (status == DN_OK)
      status = check_inside(file, "program segments", segment.p_offset,
                            segment.p_filesz);
    if (status != DN_OK)
      return status;
  }
  return DN_OK;
}

static dn_status check_file(const elf_file *file) {
  Elf64_Ehdr header;
  dn_status status = read_at(file, "an ELF header", 0, &header, sizeof header);
  if (status != DN_OK)
    return status;
  if (memcmp(header.e_ident, ELFMAG, SELFMAG))
    return dn_fail(file->message, DN_ERROR_LIBRARY,
                   "%s: expected a shared library, got no ELF file",
                   file->path);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB)
    return dn_fail(file->message, DN_ERROR_LIBRARY,
                   "%s: expected a library of 64 bits, little-endian, got "
                   "another ELF file",
                   file->path);
  status = check_machine(file, &header);
  if (status == DN_OK && header.e_type == ET_REL)
    status = dn_fail(file->message, DN_ERROR_LIBRARY,
                     "%s: expected a shared library, got an object that is not "
                     "linked",
                     file->path);
  if (status == DN_OK && header.e_type != ET_DYN)
    status = dn_fail(file->message, DN_ERROR_LIBRARY,
                     "%s: expected a shared library, got an ELF file of type "
                     "%u",
                     file->path, header.e_type);
  if (status == DN_OK)
    status = check_segments(file, &header);
  if (status == DN_OK && header.e_shnum)
    status = check_inside(file, "section headers", header.e_shoff,
                          (uint64_t)header.e_shnum * header.e_shentsize);
  return status;
}

dn_status dn_elf_check(const char *path, dn_message message) {
  struct stat facts;
  // Opening a pipe would wait for its other end.
  if (stat(path, &facts) || !S_ISREG(facts.st_mode))
    return DN_OK;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return DN_OK;
  dn_status status = DN_OK;
  if (!fstat(descriptor, &facts)) {
    elf_file file = {path, descriptor, (uint64_t)facts.st_size, message};
    status = check_file(&file);
  }
  close(descriptor);
  return status;
}
