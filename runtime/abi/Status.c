//===- Status.c - Texts of status codes -----------------------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "deltanet-c/runtime.h"

const char *dn_status_string(dn_status status) {
  switch (status) {
  case DN_OK:
    return "ok";
  case DN_ERROR_ABI:
    return "incompatible ABI";
  case DN_ERROR_FLAGS:
    return "unknown flag";
  case DN_ERROR_COUNT:
    return "invalid count";
  case DN_ERROR_OPERAND:
    return "missing or unexpected operand";
  case DN_ERROR_ALIGNMENT:
    return "misaligned pointer";
  case DN_ERROR_STRIDE:
    return "invalid stride";
  case DN_ERROR_EXTENT:
    return "extent too large";
  case DN_ERROR_SEQLENS:
    return "invalid cu_seqlens";
  case DN_ERROR_WORKSPACE:
    return "invalid workspace";
  case DN_ERROR_OVERLAP:
    return "overlapping operands";
  case DN_ERROR_SCALE:
    return "invalid scale";
  case DN_ERROR_ISA:
    return "no usable instruction set";
  case DN_ERROR_LIBRARY:
    return "not a loadable kernel library";
  case DN_ERROR_MEMORY:
    return "out of memory";
  case DN_ERROR_DRIVER:
    return "no usable CUDA driver";
  case DN_ERROR_NO_DEVICE:
    return "no GPU";
  case DN_ERROR_DEVICE:
    return "unsupported GPU";
  case DN_ERROR_CONTEXT:
    return "wrong CUDA context";
  case DN_ERROR_DRIVER_CALL:
    return "CUDA driver call failed";
  }
  return "unknown status";
}
