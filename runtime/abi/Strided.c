//===- Strided.c - Extent and overlap of strided tensors ------------------===//
//
// Part of the Delta-Net project.
//
//===----------------------------------------------------------------------===//
#include "Strided.h"

bool dn_strided_make(uintptr_t base, int64_t element, int64_t outer,
                     int64_t outer_stride, int64_t inner, int64_t inner_stride,
                     int64_t row, dn_strided *out) {
  *out = (dn_strided){.base = base, .outer = outer, .inner = inner};
  if (!outer || !inner || !row) {
    out->outer = 0;
    return true;
  }
  int64_t outer_span = 0, inner_span = 0, span;
  bool overflow = __builtin_mul_overflow(row, element, &out->row);
  if (outer > 1) {
    overflow |=
        __builtin_mul_overflow(outer_stride, element, &out->outer_stride) ||
        __builtin_mul_overflow(out->outer_stride, outer - 1, &outer_span);
  }
  if (inner > 1) {
    overflow |=
        __builtin_mul_overflow(inner_stride, element, &out->inner_stride) ||
        __builtin_mul_overflow(out->inner_stride, inner - 1, &inner_span);
  }
  overflow = overflow ||
             __builtin_add_overflow(outer_span, inner_span, &span) ||
             __builtin_add_overflow(span, out->row, &span);
  if (overflow || span > INT64_MAX / 2)
    return false;
  out->span = span;
  return base <= UINTPTR_MAX - (uintptr_t)span;
}

bool dn_strided_overlaps_itself(const dn_strided *rows) {
  if (!rows->span)
    return false;
  if (rows->outer > 1 && rows->outer_stride < rows->row)
    return true;
  if (rows->inner > 1 && rows->inner_stride < rows->row)
    return true;
  if (rows->outer <= 1)
    return false;
  // Row (i,j) meets row (i+m,j-n) if m outer strides come within a row of
  // n inner strides. For each n only the nearest two m can.
  for (int64_t n = 1; n < rows->inner; ++n) {
    int64_t distance = n * rows->inner_stride;
    int64_t below = distance / rows->outer_stride;
    for (int64_t m = below; m <= below + 1; ++m) {
      if (m < 1 || m >= rows->outer)
        continue;
      int64_t gap = m * rows->outer_stride - distance;
      if (gap < rows->row && -gap < rows->row)
        return true;
    }
  }
  return false;
}

static int64_t divide_rounding_down(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

/// dn_strided_overlap where one outer stride serves both.
static bool overlap_in_step(const dn_strided *a, const dn_strided *b,
                            int64_t stride) {
  // The ranges meet, so the bases are less than 2^62 bytes apart.
  int64_t base = (int64_t)(b->base - a->base);
  for (int64_t i = 0; i < a->inner; ++i)
    for (int64_t j = 0; j < b->inner; ++j) {
      // Row (s,i) of a and row (t,j) of b meet if, with n = t - s,
      //   -b->row < distance + n * stride < a->row.
      int64_t distance = base + j * b->inner_stride - i * a->inner_stride;
      int64_t n = 0;
      if (stride) {
        n = divide_rounding_down(-b->row - distance, stride) + 1;
        if (n < 1 - a->outer)
          n = 1 - a->outer;
        if (n > b->outer - 1)
          continue;
      }
      int64_t gap = distance + n * stride;
      if (-b->row < gap && gap < a->row)
        return true;
    }
  return false;
}

/// The part of `a` whose outer index s makes rows (s,0) to (s,inner-1) reach
/// into the address range of `b`.
static dn_strided part_inside(const dn_strided *a, const dn_strided *b) {
  int64_t base = (int64_t)(b->base - a->base);
  int64_t slab = a->span - (a->outer - 1) * a->outer_stride;
  int64_t first = divide_rounding_down(base - slab, a->outer_stride) + 1;
  int64_t last = divide_rounding_down(base + b->span - 1, a->outer_stride);
  if (first < 0)
    first = 0;
  if (last > a->outer - 1)
    last = a->outer - 1;
  dn_strided part = *a;
  part.base += (uintptr_t)(first * a->outer_stride);
  part.outer = last < first ? 0 : last - first + 1;
  part.span = part.outer ? slab + (part.outer - 1) * a->outer_stride : 0;
  return part;
}

/// Outer steps that dn_strided_overlap tries one by one.
#define MAX_STEPS 65536

bool dn_strided_overlap(const dn_strided *a, const dn_strided *b) {
  if (!a->span || !b->span || a->base + (uintptr_t)a->span <= b->base ||
      b->base + (uintptr_t)b->span <= a->base)
    return false;
  if (a->outer == 1 || b->outer == 1 || a->outer_stride == b->outer_stride)
    return overlap_in_step(a, b,
                           a->outer == 1 ? b->outer_stride : a->outer_stride);

  dn_strided few = part_inside(a, b), other = part_inside(b, a);
  if (few.outer > other.outer) {
    few = other;
    b = a;
  }
  if (few.outer > MAX_STEPS)
    return true;
  dn_strided slab = few;
  slab.outer = 1;
  slab.span = few.span - (few.outer - 1) * few.outer_stride;
  for (int64_t s = 0; s < few.outer; ++s, slab.base += few.outer_stride)
    if (dn_strided_overlap(&slab, b))
      return true;
  return false;
}

bool dn_strided_same(const dn_strided *a, const dn_strided *b) {
  return a->base == b->base && a->outer == b->outer && a->inner == b->inner &&
         a->outer_stride == b->outer_stride &&
         a->inner_stride == b->inner_stride && a->row == b->row;
}
