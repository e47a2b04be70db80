//===- Message.h - Error texts in caller-owned buffers --------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_MESSAGE_H
#define DELTANET_RUNTIME_MESSAGE_H

#include "deltanet-c/runtime.h"

/// A caller's (message, bytes) pair. `text` may be null if `size` is 0.
typedef struct dn_message {
  char *text;
  size_t size;
} dn_message;

/// Wraps the pair and empties the text.
dn_message dn_message_begin(char *text, size_t size);

/// Appends formatted text, cut at the end of the buffer.
void dn_message_append(dn_message message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Replaces the text and returns `status`, so that a check can end with
/// `return dn_fail(...)`.
dn_status dn_fail(dn_message message, dn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif // DELTANET_RUNTIME_MESSAGE_H
