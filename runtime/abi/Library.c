//===- Library.c - Loading shared libraries of kernels --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "Abi.h"
#include "ElfFile.h"

#include <dlfcn.h>
#include <string.h>

static const char *last_dl_error(void) {
  const char *text = dlerror();
  return text ? text : "unknown error";
}

/// Finds and checks the library's table; `out->handle` is open.
static dn_status query(const char *path, dn_loaded_library *out,
                       dn_message message) {
  // ISO C knows no cast from an object to a function pointer.
  void *symbol = dlsym(out->handle, "dn_query");
  if (!symbol)
    return dn_fail(message, DN_ERROR_LIBRARY,
                   "%s: expected a kernel library, got one without dn_query",
                   path);
  dn_query_fn dn_query;
  memcpy(&dn_query, &symbol, sizeof dn_query);
  out->library = dn_query();
  return dn_abi_check_library(out->library, path, message);
}

dn_status dn_library_open(const char *path, dn_loaded_library *out, char *text,
                          size_t bytes) {
  dn_message message = dn_message_begin(text, bytes);
  *out = (dn_loaded_library){NULL, NULL};
  if (!path)
    return dn_fail(message, DN_ERROR_LIBRARY,
                   "path: expected a file name, got null");
  // A name without a slash is searched for, who knows where.
  dn_status status = strchr(path, '/') ? dn_elf_check(path, message) : DN_OK;
  if (status != DN_OK)
    return status;
  out->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!out->handle)
    return dn_fail(message, DN_ERROR_LIBRARY,
                   "expected a kernel library, got %s", last_dl_error());
  status = query(path, out, message);
  if (status != DN_OK)
    dn_library_close(out);
  return status;
}

void dn_library_close(dn_loaded_library *library) {
  if (library->handle)
    dlclose(library->handle);
  *library = (dn_loaded_library){NULL, NULL};
}

const dn_kernel_set *dn_library_find(const dn_library *library,
                                     const char *name) {
  if (!library || !name)
    return NULL;
  for (uint32_t i = 0; i < library->kernel_count; ++i)
    if (!strcmp(library->kernels[i]->name, name))
      return library->kernels[i];
  return NULL;
}
