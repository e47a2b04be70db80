// RUN: delta-opt %s -deltanet-prefetch-state | FileCheck %s

// Columns of 128 bytes are two lines; each is asked for 64 bytes further on.

// CHECK-LABEL: func.func @lines
// CHECK-SAME: %[[S:[a-z0-9]+]]: memref<4x64xf32> {deltanet.role = #deltanet<role state_in>}
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[FIRST:.+]] = arith.constant 16 : index
// CHECK: %[[A:.+]] = arith.addi %[[C:.+]], %[[FIRST]]
// CHECK: memref.prefetch %[[S]][%[[I]], %[[A]]], read, locality<3>, data
// CHECK: %[[SECOND:.+]] = arith.constant 32 : index
// CHECK: %[[B:.+]] = arith.addi %[[C]], %[[SECOND]]
// CHECK: memref.prefetch %[[S]][%[[I]], %[[B]]], read, locality<3>, data
// CHECK-NOT: memref.prefetch
// CHECK: vector.transfer_read %[[S]][%[[I]], %[[C]]]
func.func @lines(%s: memref<4x64xf32> {deltanet.role = #deltanet<role state_in>},
                 %o: memref<4x64xf32> {deltanet.role = #deltanet<role state_out>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%n) in (2) {
    %c = arith.muli %n, %c4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %x = vector.transfer_read %s[%i, %c], %zero {in_bounds = [true]}
          : memref<4x64xf32>, vector<32xf32>
      vector.transfer_write %x, %o[%i, %c] {in_bounds = [true]}
          : vector<32xf32>, memref<4x64xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<recurrent, max_tokens = 1,
                                            state = memory, prefetch = 64>}
  return
}

// The state is found behind views.

// CHECK-LABEL: func.func @view
// CHECK: %[[VIEW:.+]] = memref.subview
// CHECK: memref.prefetch %[[VIEW]]
func.func @view(%s: memref<4x64xf32> {deltanet.role = #deltanet<role state_in>},
                %o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%n) in (2) {
    %v = memref.subview %s[%n, 0] [2, 64] [1, 1]
        : memref<4x64xf32> to memref<2x64xf32, strided<[64, 1], offset: ?>>
    scf.for %i = %c0 to %c2 step %c1 {
      %x = vector.transfer_read %v[%i, %c0], %zero {in_bounds = [true]}
          : memref<2x64xf32, strided<[64, 1], offset: ?>>, vector<16xf32>
      vector.transfer_write %x, %o[%c0] {in_bounds = [true]}
          : vector<16xf32>, memref<16xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<recurrent, max_tokens = 1,
                                            state = memory, prefetch = 8192>}
  return
}

// Nothing is asked for outside a loop, of other memory, without a distance or
// without a schedule.

// CHECK-LABEL: func.func @unchanged
// CHECK-NOT: memref.prefetch
func.func @unchanged(
    %s: memref<4x64xf32> {deltanet.role = #deltanet<role state_in>},
    %o: memref<4x64xf32> {deltanet.role = #deltanet<role state_out>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%n) in (2) {
    %x = vector.transfer_read %s[%n, %c0], %zero {in_bounds = [true]}
        : memref<4x64xf32>, vector<16xf32>
    scf.for %i = %c0 to %c4 step %c1 {
      %y = vector.transfer_read %o[%i, %c0], %zero {in_bounds = [true]}
          : memref<4x64xf32>, vector<16xf32>
      %z = arith.addf %x, %y : vector<16xf32>
      vector.transfer_write %z, %o[%i, %c0] {in_bounds = [true]}
          : vector<16xf32>, memref<4x64xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<recurrent, max_tokens = 1,
                                            state = memory, prefetch = 64>}
  scf.forall (%n) in (2) {
    scf.for %i = %c0 to %c4 step %c1 {
      %x = vector.transfer_read %s[%i, %c0], %zero {in_bounds = [true]}
          : memref<4x64xf32>, vector<16xf32>
      vector.transfer_write %x, %o[%i, %c0] {in_bounds = [true]}
          : vector<16xf32>, memref<4x64xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<recurrent>}
  scf.forall (%n) in (2) {
    scf.for %i = %c0 to %c4 step %c1 {
      %x = vector.transfer_read %s[%i, %c0], %zero {in_bounds = [true]}
          : memref<4x64xf32>, vector<16xf32>
      vector.transfer_write %x, %o[%i, %c0] {in_bounds = [true]}
          : vector<16xf32>, memref<4x64xf32>
    }
  }
  return
}

// A kernel without an initial state has nothing to ask for.

// CHECK-LABEL: func.func @stateless
// CHECK-NOT: memref.prefetch
func.func @stateless(%q: memref<4x64xf32> {deltanet.role = #deltanet<role q>},
                     %o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%n) in (2) {
    scf.for %i = %c0 to %c4 step %c1 {
      %x = vector.transfer_read %q[%i, %c0], %zero {in_bounds = [true]}
          : memref<4x64xf32>, vector<16xf32>
      vector.transfer_write %x, %o[%c0] {in_bounds = [true]}
          : vector<16xf32>, memref<16xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<recurrent, max_tokens = 1,
                                            state = memory, prefetch = 64>}
  return
}
