// RUN: delta-opt %s -deltanet-sink-tile-reads | FileCheck %s

#left = affine_map<(m, n, l) -> (m, l)>
#right = affine_map<(m, n, l) -> (l, n)>
#sums = affine_map<(m, n, l) -> (m, n)>

// What blocks on the way to the product write is not known.

// CHECK-LABEL: func.func @in_another_block
// CHECK: vector.transfer_read
// CHECK: vector.transfer_write
// CHECK-NOT: vector.transfer_read
// CHECK: vector.contract
func.func @in_another_block(%a: memref<16x16x2xbf16>, %c: memref<16x16xf32>,
                            %v: vector<16x16x2xbf16>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %p = vector.transfer_read %a[%c0, %c0, %c0], %none
      {in_bounds = [true, true, true]}
      : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %q1 = vector.transpose %p1, [0, 2, 1]
      : vector<16x16x2xf32> to vector<16x2x16xf32>
  %p2 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
  %q2 = vector.shape_cast %q1 : vector<16x2x16xf32> to vector<32x16xf32>
  cf.br ^write
^write:
  vector.transfer_write %v, %a[%c0, %c0, %c0]
      {in_bounds = [true, true, true]}
      : vector<16x16x2xbf16>, memref<16x16x2xbf16>
  cf.br ^multiply
^multiply:
  %s = vector.contract {indexing_maps = [#left, #right, #sums],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %p2, %q2, %zero
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
  vector.transfer_write %s, %c[%c0, %c0] {in_bounds = [true, true]}
      : vector<16x16xf32>, memref<16x16xf32>
  return
}

// The argument of a block that is not the first may be any memory.

// CHECK-LABEL: func.func @argument_of_a_block
// CHECK: vector.transfer_read
// CHECK: vector.transfer_write
// CHECK-NOT: vector.transfer_read
// CHECK: vector.contract
func.func @argument_of_a_block(%c: memref<16x16xf32>,
                               %v: vector<16x16x2xbf16>) {
  %a = memref.alloc() : memref<16x16x2xbf16>
  cf.br ^read(%a : memref<16x16x2xbf16>)
^read(%m: memref<16x16x2xbf16>):
  %c0 = arith.constant 0 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %p = vector.transfer_read %m[%c0, %c0, %c0], %none
      {in_bounds = [true, true, true]}
      : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %q1 = vector.transpose %p1, [0, 2, 1]
      : vector<16x16x2xf32> to vector<16x2x16xf32>
  %p2 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
  %q2 = vector.shape_cast %q1 : vector<16x2x16xf32> to vector<32x16xf32>
  %c1 = arith.constant 1 : index
  vector.transfer_write %v, %a[%c0, %c0, %c0]
      {in_bounds = [true, true, true]}
      : vector<16x16x2xbf16>, memref<16x16x2xbf16>
  scf.for %i = %c0 to %c1 step %c1 {
    %s = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p2, %q2, %zero
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    vector.transfer_write %s, %c[%c0, %c0] {in_bounds = [true, true]}
        : vector<16x16xf32>, memref<16x16xf32>
  }
  return
}
