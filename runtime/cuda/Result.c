//===- Result.c - Results of driver calls in words ------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "Cuda.h"

#include <stdarg.h>
#include <stdio.h>

dn_status dn_cuda_result(const cu_driver *driver, cu_result result,
                         dn_message message, const char *call, ...) {
  if (result == CU_SUCCESS)
    return DN_OK;
  char what[128];
  va_list list;
  va_start(list, call);
  vsnprintf(what, sizeof what, call, list);
  va_end(list);
  // A later driver may have results that it cannot name either.
  const char *name = NULL, *text = NULL;
  driver->cuGetErrorName(result, &name);
  driver->cuGetErrorString(result, &text);
  return dn_fail(message, DN_ERROR_DRIVER_CALL,
                 "%s: expected CUDA_SUCCESS, got %.48s (%d)%s%.48s", what,
                 name ? name : "a result without a name", result,
                 text ? ", " : "", text ? text : "");
}
