//===- Message.c - Error texts in caller-owned buffers --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "Message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

dn_message dn_message_begin(char *text, size_t size) {
  if (size)
    text[0] = '\0';
  return (dn_message){text, size};
}

void dn_message_append(dn_message message, const char *format, ...) {
  if (!message.size)
    return;
  size_t used = strlen(message.text);
  va_list list;
  va_start(list, format);
  vsnprintf(message.text + used, message.size - used, format, list);
  va_end(list);
}

dn_status dn_fail(dn_message message, dn_status status, const char *format,
                  ...) {
  va_list list;
  va_start(list, format);
  if (message.size)
    vsnprintf(message.text, message.size, format, list);
  va_end(list);
  return status;
}
