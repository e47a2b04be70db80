// RUN: delta-opt %s --deltanet-scalar-from-buffers | FileCheck %s

// A product of tiles is a loop around one multiplication, and an operand is what
// its memory held when it was read: the copy is before the store.

// CHECK-LABEL: llvm.func @f
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1.000000e+00 : bf16)
// CHECK: %[[OLD:.*]] = llvm.load %{{.*}} -> bf16
// CHECK: llvm.store %[[OLD]], %{{.*}} : bf16
// CHECK: llvm.store %[[ONE]], %{{.*}} : bf16
// CHECK: llvm.fmul
// CHECK-NOT: llvm.fmul
func.func @f(%a: memref<4x16x16x2xbf16>, %c: memref<16x16xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %p = vector.transfer_read %a[%i, %c0, %c0, %c0], %none
      {in_bounds = [true, true, true]}
      : memref<4x16x16x2xbf16>, vector<16x16x2xbf16>
  %one = arith.constant 1.0 : bf16
  memref.store %one, %a[%i, %c0, %c0, %c0] : memref<4x16x16x2xbf16>
  %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %q1 = vector.transpose %p1, [0, 2, 1]
      : vector<16x16x2xf32> to vector<16x2x16xf32>
  %p2 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
  %q2 = vector.shape_cast %q1 : vector<16x2x16xf32> to vector<32x16xf32>
  %s = vector.contract {indexing_maps = [affine_map<(m, n, l) -> (m, l)>,
                                         affine_map<(m, n, l) -> (l, n)>,
                                         affine_map<(m, n, l) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %p2, %q2, %zero
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
  vector.transfer_write %s, %c[%c0, %c0] {in_bounds = [true, true]}
      : vector<16x16xf32>, memref<16x16xf32>
  return
}
