//===- Strided.h - Extent and overlap of strided tensors ------------------===//
//
// Part of the Delta-Net project.
//
// Every operand is outer x inner rows of contiguous elements: tokens x heads of
// K or V, sequences x heads of K*V, or a plain array as one row. This file is
// the arithmetic of such sets of rows, in bytes and without overflow.
//
//===----------------------------------------------------------------------===//
#ifndef DELTANET_RUNTIME_STRIDED_H
#define DELTANET_RUNTIME_STRIDED_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dn_strided {
  uintptr_t base;       ///< address of row (0,0)
  int64_t outer, inner; ///< number of rows: outer * inner
  int64_t outer_stride; ///< bytes from row (i,j) to row (i+1,j), >= 0
  int64_t inner_stride; ///< bytes from row (i,j) to row (i,j+1), >= 0
  int64_t row;          ///< bytes of a row
  int64_t span;         ///< bytes from the first to behind the last
} dn_strided;

/// Makes the set of rows of a tensor with the given counts and strides, all
/// >= 0 and counted in elements of `element` bytes. The stride of a dimension
/// of size 0 or 1 becomes 0. False if it does not fit into the address space
/// from `base` on (or needs more than 2^62 bytes).
bool dn_strided_make(uintptr_t base, int64_t element, int64_t outer,
                     int64_t outer_stride, int64_t inner, int64_t inner_stride,
                     int64_t row, dn_strided *out);

/// Whether two different rows share a byte.
bool dn_strided_overlaps_itself(const dn_strided *rows);

/// Whether a row of `a` and a row of `b`, neither of which overlaps itself,
/// share a byte. Exact, except that it is true if the outer strides differ and
/// more than 65536 outer steps of each reach into the address range of the
/// other.
bool dn_strided_overlap(const dn_strided *a, const dn_strided *b);

/// Whether both are the same rows at the same addresses.
bool dn_strided_same(const dn_strided *a, const dn_strided *b);

#endif // DELTANET_RUNTIME_STRIDED_H
