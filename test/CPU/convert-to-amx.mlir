// RUN: delta-opt %s -deltanet-cpu-convert-to-amx -canonicalize | FileCheck %s
// RUN: sed 's/matrix = amx/matrix = none/' %s | delta-opt -deltanet-cpu-convert-to-amx | FileCheck %s --check-prefix=NONE

// Two tiles of sums that a loop carries: one starts from zero, one from memory.
// A tile of both products is loaded once. Rows of operands are 32 elements
// apart, those of sums as far as in their matrix.

// CHECK-LABEL: func.func @block
// CHECK-SAME: %[[A:[^:]*]]: memref<?x4x16x16x2xbf16>, %[[B:[^:]*]]: memref<4x2x16x16x2xbf16>, %[[C:[^:]*]]: memref<4x16x2x16xf32>
// CHECK-NOT: vector.
// CHECK-DAG: %[[ZERO:.*]] = amx.tile_zero : !amx.tile<16x16xf32>
// CHECK-DAG: %[[OLD:.*]] = amx.tile_load %[[C]][%c0, %c0, %c1, %c0], %c32 : memref<4x16x2x16xf32> into !amx.tile<16x16xf32>
// CHECK: %[[SUMS:.*]]:2 = scf.for %[[L:.*]] = %c0 to %c4 step %c1 iter_args(%[[X:.*]] = %[[ZERO]], %[[Y:.*]] = %[[OLD]]) -> (!amx.tile<16x16xf32>, !amx.tile<16x16xf32>)
// CHECK-DAG: %[[LEFT:.*]] = amx.tile_load %[[A]][%c0, %[[L]], %c0, %c0, %c0], %c32 : memref<?x4x16x16x2xbf16> into !amx.tile<16x32xbf16>
// CHECK-DAG: %[[R0:.*]] = amx.tile_load %[[B]][%[[L]], %c0, %c0, %c0, %c0], %c32
// CHECK-DAG: %[[R1:.*]] = amx.tile_load %[[B]][%[[L]], %c1, %c0, %c0, %c0], %c32
// CHECK-DAG: amx.tile_mulf %[[LEFT]], %[[R0]], %[[X]]
// CHECK-DAG: amx.tile_mulf %[[LEFT]], %[[R1]], %[[Y]]
// CHECK: amx.tile_store %[[C]][%c0, %c0, %c0, %c0], %[[SUMS]]#0, %c32
// CHECK: amx.tile_store %[[C]][%c0, %c0, %c1, %c0], %[[SUMS]]#1, %c32
// CHECK-NOT: vector.

// Six sums and three operands are one tile more than there are registers: the
// right operand that is needed last is loaded between.

// CHECK-LABEL: func.func @nine
// CHECK-SAME: %[[A:[^:]*]]: memref<4x16x16x2xbf16>, %[[B:[^:]*]]: memref<4x2x16x16x2xbf16>
// CHECK: scf.for %[[L:.*]] = %c0
// CHECK: %[[LEFT:.*]] = amx.tile_load %[[A]][%[[L]], %c0, %c0, %c0]
// CHECK: %[[R0:.*]] = amx.tile_load %[[B]][%[[L]], %c0, %c0, %c0, %c0]
// CHECK-NOT: amx.tile_load
// CHECK-COUNT-5: amx.tile_mulf %[[LEFT]], %[[R0]]
// CHECK: %[[R1:.*]] = amx.tile_load %[[B]][%[[L]], %c1, %c0, %c0, %c0]
// CHECK: amx.tile_mulf %[[LEFT]], %[[R1]]
// CHECK-NOT: vector.

// Other targets keep vectors.

// NONE-NOT: amx.tile
// NONE-COUNT-8: vector.contract
#left = affine_map<(m, n, l) -> (m, l)>
#right = affine_map<(m, n, l) -> (l, n)>
#sums = affine_map<(m, n, l) -> (m, n)>
module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = amx, vector_bits = 512, vector_registers = 32,
    vector_units = 2,
    fma = true, l1_bytes = 49152, l2_bytes = 2097152, streams = 1,
    matrix = amx>} {
func.func @block(%a: memref<?x4x16x16x2xbf16>, %b: memref<4x2x16x16x2xbf16>,
                 %c: memref<4x16x2x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %old = vector.transfer_read %c[%c0, %c0, %c1, %c0], %pad
      {in_bounds = [true, true, true]}
      : memref<4x16x2x16xf32>, vector<16x1x16xf32>
  %init = vector.shape_cast %old : vector<16x1x16xf32> to vector<16x16xf32>
  %s:2 = scf.for %l = %c0 to %c4 step %c1 iter_args(%x = %zero, %y = %init)
      -> (vector<16x16xf32>, vector<16x16xf32>) {
    %p = vector.transfer_read %a[%c0, %l, %c0, %c0, %c0], %none
        {in_bounds = [true, true, true]}
        : memref<?x4x16x16x2xbf16>, vector<16x16x2xbf16>
    %q = vector.transfer_read %b[%l, %c0, %c0, %c0, %c0], %none
        {in_bounds = [true, true, true]}
        : memref<4x2x16x16x2xbf16>, vector<16x16x2xbf16>
    %r = vector.transfer_read %b[%l, %c1, %c0, %c0, %c0], %none
        {in_bounds = [true, true, true]}
        : memref<4x2x16x16x2xbf16>, vector<16x16x2xbf16>
    %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %q1 = arith.extf %q : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %r1 = arith.extf %r : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %q2 = vector.transpose %q1, [0, 2, 1]
        : vector<16x16x2xf32> to vector<16x2x16xf32>
    %r2 = vector.transpose %r1, [0, 2, 1]
        : vector<16x16x2xf32> to vector<16x2x16xf32>
    %p3 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
    %q3 = vector.shape_cast %q2 : vector<16x2x16xf32> to vector<32x16xf32>
    %r3 = vector.shape_cast %r2 : vector<16x2x16xf32> to vector<32x16xf32>
    %x1 = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p3, %q3, %x
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    %y1 = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p3, %r3, %y
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    scf.yield %x1, %y1 : vector<16x16xf32>, vector<16x16xf32>
  }
  %t0 = vector.shape_cast %s#0 : vector<16x16xf32> to vector<16x1x16xf32>
  vector.transfer_write %t0, %c[%c0, %c0, %c0, %c0]
      {in_bounds = [true, true, true]}
      : vector<16x1x16xf32>, memref<4x16x2x16xf32>
  %t1 = vector.shape_cast %s#1 : vector<16x16xf32> to vector<16x1x16xf32>
  vector.transfer_write %t1, %c[%c0, %c0, %c1, %c0]
      {in_bounds = [true, true, true]}
      : vector<16x1x16xf32>, memref<4x16x2x16xf32>
  return
}
func.func @nine(%a: memref<4x16x16x2xbf16>, %b: memref<4x2x16x16x2xbf16>,
                %c: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %s:6 = scf.for %l = %c0 to %c4 step %c1
      iter_args(%x0 = %zero, %x1 = %zero, %x2 = %zero, %x3 = %zero, %x4 = %zero,
                %x5 = %zero)
      -> (vector<16x16xf32>, vector<16x16xf32>, vector<16x16xf32>,
          vector<16x16xf32>, vector<16x16xf32>, vector<16x16xf32>) {
    %p = vector.transfer_read %a[%l, %c0, %c0, %c0], %none
        {in_bounds = [true, true, true]}
        : memref<4x16x16x2xbf16>, vector<16x16x2xbf16>
    %q = vector.transfer_read %b[%l, %c0, %c0, %c0, %c0], %none
        {in_bounds = [true, true, true]}
        : memref<4x2x16x16x2xbf16>, vector<16x16x2xbf16>
    %r = vector.transfer_read %b[%l, %c1, %c0, %c0, %c0], %none
        {in_bounds = [true, true, true]}
        : memref<4x2x16x16x2xbf16>, vector<16x16x2xbf16>
    %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %q1 = arith.extf %q : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %r1 = arith.extf %r : vector<16x16x2xbf16> to vector<16x16x2xf32>
    %q2 = vector.transpose %q1, [0, 2, 1]
        : vector<16x16x2xf32> to vector<16x2x16xf32>
    %r2 = vector.transpose %r1, [0, 2, 1]
        : vector<16x16x2xf32> to vector<16x2x16xf32>
    %p3 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
    %q3 = vector.shape_cast %q2 : vector<16x2x16xf32> to vector<32x16xf32>
    %r3 = vector.shape_cast %r2 : vector<16x2x16xf32> to vector<32x16xf32>
    %y0 = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p3, %q3, %x0
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    %y1 = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p3, %q3, %x1
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    %y2 = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p3, %q3, %x2
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    %y3 = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p3, %q3, %x3
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    %y4 = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p3, %q3, %x4
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    %y5 = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p3, %r3, %x5
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    scf.yield %y0, %y1, %y2, %y3, %y4, %y5
        : vector<16x16xf32>, vector<16x16xf32>, vector<16x16xf32>,
          vector<16x16xf32>, vector<16x16xf32>, vector<16x16xf32>
  }
  vector.transfer_write %s#0, %c[%c0, %c0] {in_bounds = [true, true]}
      : vector<16x16xf32>, memref<16x16xf32>
  return
}
}
