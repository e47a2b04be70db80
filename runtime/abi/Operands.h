//===- Operands.h - The pointers of dn_args as a list of tensors ----------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_OPERANDS_H
#define DELTANET_RUNTIME_OPERANDS_H

#include "Strided.h"
#include "deltanet-c/kernel_abi.h"

/// One pointer of dn_args with its shape: outer x inner rows of contiguous
/// elements.
typedef struct dn_operand {
  const char *name; ///< as in dn_args
  const void *pointer;
  uint32_t type; ///< dn_type
  bool taken;    ///< whether the kernel takes it
  bool output;   ///< whether the kernel writes it
  bool channels; ///< rows are the channels of a head: q, k, v, o, states
  const char
      *outer_name; ///< "token" or "sequence"; null: no strides in dn_args
  int64_t outer, outer_stride; ///< tokens or sequences
  int64_t inner, inner_stride; ///< heads
  int64_t row;                 ///< elements of a row
  dn_strided rows;             ///< the same in bytes; zero until computed
} dn_operand;

/// All operands; the workspace may be appended.
typedef struct dn_operands {
  dn_operand list[10];
  int count;
} dn_operands;

/// Lists the tensors of a call in the order of dn_args. Counts must be checked
/// already.
dn_operands dn_list_operands(const dn_kernel *kernel, const dn_args *args);

/// Bytes of an element, 0 if the type is unknown.
int64_t dn_type_bytes(uint32_t type);

#endif // DELTANET_RUNTIME_OPERANDS_H
