// RUN: delta-opt %s -deltanet-write-tile-products-as-loops | FileCheck %s

// Products stay whose operands are not read, or that are under a mask.

// CHECK-NOT: linalg.
// CHECK-COUNT-2: = vector.contract
// CHECK: vector.mask %{{.+}} { vector.contract
// CHECK-NOT: linalg.
#left = affine_map<(m, n, l) -> (m, l)>
#right = affine_map<(m, n, l) -> (l, n)>
#sums = affine_map<(m, n, l) -> (m, n)>
func.func @f(%m: memref<16x16x2xbf16>, %a: vector<16x16x2xbf16>, %i: index)
    -> vector<16x16xf32> {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %constant = arith.constant dense<1.0> : vector<16x16x2xbf16>
  %c = arith.extf %constant : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %b = arith.extf %a : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %p = vector.transfer_read %m[%c0, %c0, %c0], %none
      {in_bounds = [true, true, true]}
      : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %q1 = vector.transpose %p1, [0, 2, 1]
      : vector<16x16x2xf32> to vector<16x2x16xf32>
  %b2 = vector.shape_cast %b : vector<16x16x2xf32> to vector<16x32xf32>
  %c2 = vector.shape_cast %c : vector<16x16x2xf32> to vector<16x32xf32>
  %p2 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
  %q2 = vector.shape_cast %q1 : vector<16x2x16xf32> to vector<32x16xf32>
  %s = vector.contract {indexing_maps = [#left, #right, #sums],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %b2, %q2, %zero
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
  %r = vector.contract {indexing_maps = [#left, #right, #sums],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %c2, %q2, %s
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
  %mask = vector.create_mask %i, %i, %i : vector<16x16x32xi1>
  %t = vector.mask %mask {
    vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p2, %q2, %r
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
  } : vector<16x16x32xi1> -> vector<16x16xf32>
  return %t : vector<16x16xf32>
}
