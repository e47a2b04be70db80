// RUN: delta-opt %s -deltanet-cpu-convert-to-amx | FileCheck %s --check-prefix=TILES
// RUN: sed 's/kind<add>/kind<mul>/' %s | delta-opt -deltanet-cpu-convert-to-amx | FileCheck %s
// RUN: sed 's/(m, n, l) -> (m, n)/(m, n, l) -> (n, m)/' %s | delta-opt -deltanet-cpu-convert-to-amx | FileCheck %s
// RUN: sed 's/%%left = .*/%%left = vector.transpose %%p1, [1, 0, 2] : vector<16x16x2xf32> to vector<16x16x2xf32>/' %s | delta-opt -deltanet-cpu-convert-to-amx | FileCheck %s
// RUN: sed 's/{in_bounds = .true, true, true.}/{in_bounds = [false, true, true]}/' %s | delta-opt -deltanet-cpu-convert-to-amx | FileCheck %s
// RUN: sed 's/strided<.40, 2, 1.>/strided<[40, 2, 7]>/' %s | delta-opt -deltanet-cpu-convert-to-amx | FileCheck %s
// RUN: sed 's/strided<.40, 2, 1.>/strided<[?, ?, 1]>/' %s | delta-opt -deltanet-cpu-convert-to-amx | FileCheck %s
// RUN: sed 's/strided<.40, 2, 1.>/affine_map<(a, b, c) -> (a mod 3, b, c)>/' %s | delta-opt -deltanet-cpu-convert-to-amx | FileCheck %s
// RUN: sed 's/strided<.24, 1.>/strided<[48, 2]>/' %s | delta-opt -deltanet-cpu-convert-to-amx | FileCheck %s
// RUN: sed 's/strided<.24, 1.>/strided<[?, 1]>/' %s | delta-opt -deltanet-cpu-convert-to-amx | FileCheck %s

// What is not the product that a tile computes, or lies otherwise than a tile
// is loaded and stored, stays vectors: another kind, transposed sums, a
// transposed left operand, reads out of bounds, and rows of no neighbours or at
// distances that are not constants.

// TILES-NOT: vector.contract
// TILES: amx.tile_zero
// TILES: scf.for {{.*}} -> (!amx.tile<16x16xf32>, vector<16x16xf32>)
// TILES: %[[AGAIN:.+]] = amx.tile_zero
// TILES: scf.yield %[[AGAIN]], %{{.+}} : !amx.tile<16x16xf32>, vector<16x16xf32>
// TILES: amx.tile_mulf
// TILES: amx.tile_store {{.*}}, %c24

// CHECK-NOT: amx.
// CHECK: vector.contract
// CHECK: vector.transfer_write
// CHECK-NOT: amx.
module attributes {deltanet.target = #deltanet.target<
    arch = x86_64, isa = amx, vector_bits = 512, vector_registers = 32,
    vector_units = 2, fma = true, l1_bytes = 49152, l2_bytes = 2097152,
    streams = 1, matrix = amx>} {
func.func @product(%a: memref<16x16x2xbf16, strided<[40, 2, 1]>>,
                   %c: memref<16x16xf32, strided<[24, 1]>>)
    -> vector<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %p = vector.transfer_read %a[%c0, %c0, %c0], %none
      {in_bounds = [true, true, true]}
      : memref<16x16x2xbf16, strided<[40, 2, 1]>>, vector<16x16x2xbf16>
  %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %left = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %q1 = vector.transpose %p1, [0, 2, 1]
      : vector<16x16x2xf32> to vector<16x2x16xf32>
  %p2 = vector.shape_cast %left : vector<16x16x2xf32> to vector<16x32xf32>
  %q2 = vector.shape_cast %q1 : vector<16x2x16xf32> to vector<32x16xf32>
  %s:2 = scf.for %j = %c0 to %c4 step %c1 iter_args(%x = %zero, %y = %zero)
      -> (vector<16x16xf32>, vector<16x16xf32>) {
    scf.yield %zero, %zero : vector<16x16xf32>, vector<16x16xf32>
  }
  %t = vector.contract {indexing_maps = [affine_map<(m, n, l) -> (m, l)>,
                                         affine_map<(m, n, l) -> (l, n)>,
                                         affine_map<(m, n, l) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %p2, %q2, %s#0
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
  vector.transfer_write %t, %c[%c0, %c0] {in_bounds = [true, true]}
      : vector<16x16xf32>, memref<16x16xf32, strided<[24, 1]>>
  return %s#1 : vector<16x16xf32>
}
}
