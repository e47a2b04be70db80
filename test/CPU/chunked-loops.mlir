// REQUIRES: asm-x86
// RUN: delta-compile %s --isa=avx2 -o %t.s
// RUN: %python %S/Inputs/fma_loops.py %t.s | FileCheck %s

// The products of a chunked kernel in blocks of 6x16: two steps of the reduction
// a turn are 24 multiply-adds, each broadcast serving two of them, with nothing
// on the stack. What 6 does not divide runs in blocks of four rows, which still
// keep the units busy, never of two. No call is left.

// CHECK-NOT: fma 24 instructions {{(4[89]|[5-9][0-9]|[0-9]{3,})}}
// CHECK:     fma 24 instructions 4{{[0-7]}} broadcasts 12 loads 4 stores 0
// CHECK-NOT: fma 24 instructions {{(4[89]|[5-9][0-9]|[0-9]{3,})}}
// CHECK:     fma 16 instructions 3{{[0-5]}} broadcasts 8 loads 4 stores 0
// CHECK-NOT: fma 8
// CHECK:     calls 0

func.func @chunked(%q: tensor<?x2x128xbf16>, %k: tensor<?x2x128xbf16>,
                   %v: tensor<?x4x128xbf16>, %g: tensor<?x4xf32>,
                   %beta: tensor<?x4xf32>, %s: tensor<?x4x128x128xf32>,
                   %cu: tensor<?xi32>)
    -> (tensor<?x4x128xbf16>, tensor<?x4x128x128xf32>) {
  %o, %f = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s) cu_seqlens(%cu)
      {l2norm_eps = 1.0e-6 : f32, schedules = [#deltanet.schedule<
          chunked, chunk = 64, columns = 16, register_rows = 6>]}
      : (tensor<?x2x128xbf16>, tensor<?x2x128xbf16>, tensor<?x4x128xbf16>,
         tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x128x128xf32>,
         tensor<?xi32>)
      -> (tensor<?x4x128xbf16>, tensor<?x4x128x128xf32>)
  return %o, %f : tensor<?x4x128xbf16>, tensor<?x4x128x128xf32>
}
