/* The runtime's choice of a variant as one library that needs no other: what it
 * takes of the C library is here, so that all of it can be emulated. */
#include "cpu/Select.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extern const dn_kernel_set dn_five_levels;

/* What the operating system answers to arch_prctl. */
static long tile_permission;

long syscall(long number, ...) {
  (void)number;
  return tile_permission;
}

int *__errno_location(void) {
  static int number;
  return &number;
}

char *getenv(const char *name) {
  (void)name;
  return NULL;
}

size_t strlen(const char *text) {
  size_t n = 0;
  while (((const volatile char *)text)[n])
    ++n;
  return n;
}

int strcmp(const char *a, const char *b) {
  while (*(const volatile char *)a && *a == *b)
    ++a, ++b;
  return (unsigned char)*a - (unsigned char)*b;
}

/* Knows texts and %s, which is all that reasons are made of. */
int vsnprintf(char *out, size_t size, const char *format, va_list list) {
  size_t n = 0;
  for (; *format; ++format) {
    const char *piece = format;
    size_t length = 1;
    if (*format == '%' && format[1] == 's') {
      ++format;
      piece = va_arg(list, const char *);
      length = strlen(piece);
    }
    for (size_t i = 0; i < length; ++i)
      if (n + 1 < size)
        out[n++] = piece[i];
  }
  if (size)
    out[n] = '\0';
  return (int)n;
}

/* The level that this machine picks; its reason in `reason`. */
__attribute__((visibility("default"))) uint64_t
choose(long permission, char reason[DN_MESSAGE_BYTES]) {
  tile_permission = permission;
  dn_selection selection;
  dn_select_on(dn_cpu_host(), NULL, &dn_five_levels, &selection);
  const volatile char *text = selection.reason;
  for (size_t i = 0; (reason[i] = text[i]); ++i)
    ;
  return selection.kernel ? selection.kernel->isa : 99;
}
