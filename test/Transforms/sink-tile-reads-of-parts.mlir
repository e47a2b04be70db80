// RUN: delta-opt %s -deltanet-sink-tile-reads | FileCheck %s

#left = affine_map<(m, n, l) -> (m, l)>
#right = affine_map<(m, n, l) -> (l, n)>
#sums = affine_map<(m, n, l) -> (m, n)>

// Parts of one allocation are told apart: a loop in between writes rows of the
// third matrix only.

// CHECK-LABEL: func.func @parts_of_an_allocation
// CHECK-NOT: vector.transfer_read
// CHECK: scf.for
// CHECK: memref.store
// CHECK: vector.transfer_read
// CHECK: vector.contract
func.func @parts_of_an_allocation(%w: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %one = arith.constant 1.0 : bf16
  %all = memref.alloc() : memref<4x16x16x2xbf16>
  %part = memref.subview %all[1, 0, 0, 0] [1, 16, 16, 2] [1, 1, 1, 1]
      : memref<4x16x16x2xbf16>
      to memref<1x16x16x2xbf16, strided<[512, 32, 2, 1], offset: 512>>
  %a = memref.collapse_shape %part [[0, 1], [2], [3]]
      : memref<1x16x16x2xbf16, strided<[512, 32, 2, 1], offset: 512>>
      into memref<16x16x2xbf16, strided<[32, 2, 1], offset: 512>>
  %next = memref.subview %all[2, 0, 0, 0] [1, 16, 16, 2] [1, 1, 1, 1]
      : memref<4x16x16x2xbf16>
      to memref<1x16x16x2xbf16, strided<[512, 32, 2, 1], offset: 1024>>
  %p = vector.transfer_read %a[%c0, %c0, %c0], %none
      {in_bounds = [true, true, true]}
      : memref<16x16x2xbf16, strided<[32, 2, 1], offset: 512>>,
        vector<16x16x2xbf16>
  %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %q1 = vector.transpose %p1, [0, 2, 1]
      : vector<16x16x2xf32> to vector<16x2x16xf32>
  %p2 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
  %q2 = vector.shape_cast %q1 : vector<16x2x16xf32> to vector<32x16xf32>
  scf.for %j = %c0 to %c4 step %c1 {
    %row = memref.subview %next[0, %j, 0, 0] [1, 1, 16, 2] [1, 1, 1, 1]
        : memref<1x16x16x2xbf16, strided<[512, 32, 2, 1], offset: 1024>>
        to memref<1x1x16x2xbf16, strided<[512, 32, 2, 1], offset: ?>>
    memref.store %one, %row[%c0, %c0, %c0, %c0]
        : memref<1x1x16x2xbf16, strided<[512, 32, 2, 1], offset: ?>>
  }
  %s = vector.contract {indexing_maps = [#left, #right, #sums],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %p2, %q2, %zero
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
  vector.transfer_write %s, %w[%c0, %c0] {in_bounds = [true, true]}
      : vector<16x16xf32>, memref<16x16xf32>
  return
}

// The part that is read starts anywhere, or takes in what is written.

// CHECK-LABEL: func.func @part_at_any_place
// CHECK: vector.transfer_read
// CHECK: scf.for
// CHECK-NOT: vector.transfer_read
func.func @part_at_any_place(%w: memref<16x16xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %one = arith.constant 1.0 : bf16
  %all = memref.alloc() : memref<4x16x16x2xbf16>
  %part = memref.subview %all[%i, 0, 0, 0] [1, 16, 16, 2] [1, 1, 1, 1]
      : memref<4x16x16x2xbf16>
      to memref<1x16x16x2xbf16, strided<[512, 32, 2, 1], offset: ?>>
  %a = memref.collapse_shape %part [[0, 1], [2], [3]]
      : memref<1x16x16x2xbf16, strided<[512, 32, 2, 1], offset: ?>>
      into memref<16x16x2xbf16, strided<[32, 2, 1], offset: ?>>
  %next = memref.subview %all[2, 0, 0, 0] [1, 16, 16, 2] [1, 1, 1, 1]
      : memref<4x16x16x2xbf16>
      to memref<1x16x16x2xbf16, strided<[512, 32, 2, 1], offset: 1024>>
  %p = vector.transfer_read %a[%c0, %c0, %c0], %none
      {in_bounds = [true, true, true]}
      : memref<16x16x2xbf16, strided<[32, 2, 1], offset: ?>>,
        vector<16x16x2xbf16>
  %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %q1 = vector.transpose %p1, [0, 2, 1]
      : vector<16x16x2xf32> to vector<16x2x16xf32>
  %p2 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
  %q2 = vector.shape_cast %q1 : vector<16x2x16xf32> to vector<32x16xf32>
  scf.for %j = %c0 to %c4 step %c1 {
    %row = memref.subview %next[0, %j, 0, 0] [1, 1, 16, 2] [1, 1, 1, 1]
        : memref<1x16x16x2xbf16, strided<[512, 32, 2, 1], offset: 1024>>
        to memref<1x1x16x2xbf16, strided<[512, 32, 2, 1], offset: ?>>
    memref.store %one, %row[%c0, %c0, %c0, %c0]
        : memref<1x1x16x2xbf16, strided<[512, 32, 2, 1], offset: ?>>
  }
  %s = vector.contract {indexing_maps = [#left, #right, #sums],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %p2, %q2, %zero
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
  vector.transfer_write %s, %w[%c0, %c0] {in_bounds = [true, true]}
      : vector<16x16xf32>, memref<16x16xf32>
  return
}

// CHECK-LABEL: func.func @part_with_what_is_written
// CHECK: vector.transfer_read
// CHECK: scf.for
// CHECK-NOT: vector.transfer_read
func.func @part_with_what_is_written(%w: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %one = arith.constant 1.0 : bf16
  %all = memref.alloc() : memref<4x16x16x2xbf16>
  %part = memref.subview %all[1, 0, 0, 0] [2, 16, 16, 2] [1, 1, 1, 1]
      : memref<4x16x16x2xbf16>
      to memref<2x16x16x2xbf16, strided<[512, 32, 2, 1], offset: 512>>
  %a = memref.collapse_shape %part [[0, 1], [2], [3]]
      : memref<2x16x16x2xbf16, strided<[512, 32, 2, 1], offset: 512>>
      into memref<32x16x2xbf16, strided<[32, 2, 1], offset: 512>>
  %next = memref.subview %all[2, 0, 0, 0] [1, 16, 16, 2] [1, 1, 1, 1]
      : memref<4x16x16x2xbf16>
      to memref<1x16x16x2xbf16, strided<[512, 32, 2, 1], offset: 1024>>
  %p = vector.transfer_read %a[%c0, %c0, %c0], %none
      {in_bounds = [true, true, true]}
      : memref<32x16x2xbf16, strided<[32, 2, 1], offset: 512>>,
        vector<16x16x2xbf16>
  %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %q1 = vector.transpose %p1, [0, 2, 1]
      : vector<16x16x2xf32> to vector<16x2x16xf32>
  %p2 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
  %q2 = vector.shape_cast %q1 : vector<16x2x16xf32> to vector<32x16xf32>
  scf.for %j = %c0 to %c4 step %c1 {
    %row = memref.subview %next[0, %j, 0, 0] [1, 1, 16, 2] [1, 1, 1, 1]
        : memref<1x16x16x2xbf16, strided<[512, 32, 2, 1], offset: 1024>>
        to memref<1x1x16x2xbf16, strided<[512, 32, 2, 1], offset: ?>>
    memref.store %one, %row[%c0, %c0, %c0, %c0]
        : memref<1x1x16x2xbf16, strided<[512, 32, 2, 1], offset: ?>>
  }
  %s = vector.contract {indexing_maps = [#left, #right, #sums],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %p2, %q2, %zero
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
  vector.transfer_write %s, %w[%c0, %c0] {in_bounds = [true, true]}
      : vector<16x16xf32>, memref<16x16xf32>
  return
}
