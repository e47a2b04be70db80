// RUN: delta-opt %s -deltanet-sink-tile-reads | FileCheck %s

#left = affine_map<(m, n, l) -> (m, l)>
#right = affine_map<(m, n, l) -> (l, n)>
#sums = affine_map<(m, n, l) -> (m, n)>

// Into the loop, once for both products; what the loop writes is other memory.

// CHECK-LABEL: func.func @into_the_loop
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<16x16x2xbf16>
// CHECK: %[[W:.+]] = memref.alloc()
// CHECK-NOT: vector.transfer_read
// CHECK: scf.for
// CHECK: %[[READ:.+]] = vector.transfer_read %[[A]]
// CHECK: %[[WIDE:.+]] = arith.extf %[[READ]]
// CHECK: %[[LEFT:.+]] = vector.shape_cast %[[WIDE]] : vector<16x16x2xf32> to vector<16x32xf32>
// CHECK: %[[OTHER:.+]] = vector.transpose %[[WIDE]]
// CHECK: %[[RIGHT:.+]] = vector.shape_cast %[[OTHER]]
// CHECK-NOT: vector.transfer_read
// CHECK: %[[FIRST:.+]] = vector.contract {{.*}} %[[LEFT]], %[[RIGHT]], %{{.*}} :
// CHECK: vector.contract {{.*}} %[[LEFT]], %[[RIGHT]], %[[FIRST]] :
func.func @into_the_loop(%a: memref<16x16x2xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %w = memref.alloc() : memref<16x16xf32>
  %p = vector.transfer_read %a[%c0, %c0, %c0], %none
      {in_bounds = [true, true, true]}
      : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %q1 = vector.transpose %p1, [0, 2, 1]
      : vector<16x16x2xf32> to vector<16x2x16xf32>
  %p2 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
  %q2 = vector.shape_cast %q1 : vector<16x2x16xf32> to vector<32x16xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %s = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p2, %q2, %zero
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    %t = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p2, %q2, %s
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    vector.transfer_write %t, %w[%c0, %c0] {in_bounds = [true, true]}
        : vector<16x16xf32>, memref<16x16xf32>
  }
  return
}

// Parts of one arena are told apart by their bytes.

// CHECK-LABEL: func.func @parts_of_an_arena
// CHECK-NOT: vector.transfer_read
// CHECK: scf.for
// CHECK: vector.transfer_read
func.func @parts_of_an_arena(%arena: memref<4096xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %c1024 = arith.constant 1024 : index
  %a = memref.view %arena[%c0][] : memref<4096xi8> to memref<16x16x2xbf16>
  %w = memref.view %arena[%c1024][] : memref<4096xi8> to memref<16x16xf32>
  %p = vector.transfer_read %a[%c0, %c0, %c0], %none
      {in_bounds = [true, true, true]}
      : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %q1 = vector.transpose %p1, [0, 2, 1]
      : vector<16x16x2xf32> to vector<16x2x16xf32>
  %p2 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
  %q2 = vector.shape_cast %q1 : vector<16x2x16xf32> to vector<32x16xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %s = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p2, %q2, %zero
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    vector.transfer_write %s, %w[%c0, %c0] {in_bounds = [true, true]}
        : vector<16x16xf32>, memref<16x16xf32>
  }
  return
}

// The last turn would read what the first one wrote.

// CHECK-LABEL: func.func @written_in_the_loop
// CHECK: vector.transfer_read
// CHECK: scf.for
// CHECK-NOT: vector.transfer_read
func.func @written_in_the_loop(%arena: memref<4096xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %c512 = arith.constant 512 : index
  %a = memref.view %arena[%c0][] : memref<4096xi8> to memref<16x16x2xbf16>
  %w = memref.view %arena[%c512][] : memref<4096xi8> to memref<16x16xf32>
  %p = vector.transfer_read %a[%c0, %c0, %c0], %none
      {in_bounds = [true, true, true]}
      : memref<16x16x2xbf16>, vector<16x16x2xbf16>
  %p1 = arith.extf %p : vector<16x16x2xbf16> to vector<16x16x2xf32>
  %q1 = vector.transpose %p1, [0, 2, 1]
      : vector<16x16x2xf32> to vector<16x2x16xf32>
  %p2 = vector.shape_cast %p1 : vector<16x16x2xf32> to vector<16x32xf32>
  %q2 = vector.shape_cast %q1 : vector<16x2x16xf32> to vector<32x16xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %s = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p2, %q2, %zero
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    vector.transfer_write %s, %w[%c0, %c0] {in_bounds = [true, true]}
        : vector<16x16xf32>, memref<16x16xf32>
  }
  return
}

// Two tensors may be the same memory.

// CHECK-LABEL: func.func @written_before
// CHECK: vector.transfer_read
// CHECK: scf.for
// CHECK-NOT: vector.transfer_read
func.func @written_before(%a: memref<16x16x2xbf16>, %w: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
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
  vector.transfer_write %zero, %w[%c0, %c0] {in_bounds = [true, true]}
      : vector<16x16xf32>, memref<16x16xf32>
  %o = memref.alloc() : memref<16x16xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %s = vector.contract {indexing_maps = [#left, #right, #sums],
        iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %p2, %q2, %zero
        : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
    vector.transfer_write %s, %o[%c0, %c0] {in_bounds = [true, true]}
        : vector<16x16xf32>, memref<16x16xf32>
  }
  return
}

// A read beside the product stays where it is.

// CHECK-LABEL: func.func @beside
// CHECK: vector.transfer_read
// CHECK: arith.addi
// CHECK-NOT: vector.transfer_read
func.func @beside(%a: memref<16x16x2xbf16>, %w: memref<16x16xf32>,
                  %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
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
  %m = arith.addi %n, %c4 : index
  %s = vector.contract {indexing_maps = [#left, #right, #sums],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %p2, %q2, %zero
      : vector<16x32xf32>, vector<32x16xf32> into vector<16x16xf32>
  vector.transfer_write %s, %w[%c0, %c0] {in_bounds = [true, true]}
      : vector<16x16xf32>, memref<16x16xf32>
  return %m : index
}
