// RUN: delta-opt %s -deltanet-prefetch-state -cse | FileCheck %s

// Four rows a turn of states of 16 rows: beside the first read of turn t, from row
// %i = 4 t on, a line of row t / 4 of part t % 4 of the next state is asked for,
// 4096 bytes or 1024 floats further on.

// CHECK-LABEL: func.func @next
// CHECK-SAME: %[[S:[a-z0-9]+]]: memref<2x16x64xf32> {deltanet.role = #deltanet<role state_in>}
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: scf.for %[[C:[a-z0-9]+]] =
// CHECK: %[[TURN:.+]] = arith.divui %[[I]], %c4
// CHECK: %[[ROW:.+]] = arith.divui %[[TURN]], %c4
// CHECK: %[[PART:.+]] = arith.remui %[[TURN]], %c4
// CHECK: %[[BEGIN:.+]] = arith.muli %[[PART]], %c4
// CHECK: %[[AHEAD:.+]] = arith.addi %[[BEGIN]], %[[ROW]]
// CHECK: %[[COLUMN:.+]] = arith.addi %[[C]], %c1024
// CHECK: memref.prefetch %[[S]][%{{.*}}, %[[AHEAD]], %[[COLUMN]]], read, locality<2>, data
// CHECK-NOT: memref.prefetch
// CHECK: vector.transfer_read %[[S]]
// CHECK-NOT: memref.prefetch
func.func @next(
    %s: memref<2x16x64xf32> {deltanet.role = #deltanet<role state_in>},
    %o: memref<2x16x64xf32> {deltanet.role = #deltanet<role state_out>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%n) in (2) {
    scf.for %i = %c0 to %c16 step %c4 {
      scf.for %c = %c0 to %c64 step %c16 {
        %j = arith.addi %i, %c1 : index
        %x = vector.transfer_read %s[%n, %i, %c], %zero {in_bounds = [true]}
            : memref<2x16x64xf32>, vector<16xf32>
        vector.transfer_write %x, %o[%n, %i, %c] {in_bounds = [true]}
            : vector<16xf32>, memref<2x16x64xf32>
        %y = vector.transfer_read %s[%n, %j, %c], %zero {in_bounds = [true]}
            : memref<2x16x64xf32>, vector<16xf32>
        vector.transfer_write %y, %o[%n, %j, %c] {in_bounds = [true]}
            : vector<16xf32>, memref<2x16x64xf32>
      } {deltanet.prefetch_here}
    }
  } {deltanet.schedule = #deltanet.schedule<recurrent, max_tokens = 1, rows = 4,
                                            state = memory, prefetch = 4096>}
  return
}

// The state is found behind views, and other memory passed over. One row a turn
// is one part.

// CHECK-LABEL: func.func @view
// CHECK: %[[VIEW:.+]] = memref.subview
// CHECK: vector.transfer_read %{{.*}} : memref<64xf32>
// CHECK: memref.prefetch %[[VIEW]]
// CHECK-NOT: memref.prefetch
// CHECK: vector.transfer_read %[[VIEW]]
func.func @view(
    %s: memref<4x16x64xf32> {deltanet.role = #deltanet<role state_in>},
    %o: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%n) in (2) {
    %v = memref.subview %s[%n, 0, 0] [1, 16, 64] [1, 1, 1]
        : memref<4x16x64xf32> to memref<16x64xf32, strided<[64, 1], offset: ?>>
    scf.for %c = %c0 to %c64 step %c16 {
      %d = vector.transfer_read %o[%c], %zero {in_bounds = [true]}
          : memref<64xf32>, vector<16xf32>
      %x = vector.transfer_read %v[%n, %c], %zero {in_bounds = [true]}
          : memref<16x64xf32, strided<[64, 1], offset: ?>>, vector<16xf32>
      %y = arith.addf %d, %x : vector<16xf32>
      vector.transfer_write %y, %o[%c] {in_bounds = [true]}
          : vector<16xf32>, memref<64xf32>
    } {deltanet.prefetch_here}
  } {deltanet.schedule = #deltanet.schedule<recurrent, max_tokens = 1,
                                            state = memory, prefetch = 4096>}
  return
}

// Nothing is asked for in other loops, without a distance, without a schedule.

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
    scf.for %i = %c0 to %c4 step %c1 {
      %x = vector.transfer_read %s[%i, %c0], %zero {in_bounds = [true]}
          : memref<4x64xf32>, vector<16xf32>
      vector.transfer_write %x, %o[%i, %c0] {in_bounds = [true]}
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
    } {deltanet.prefetch_here}
  } {deltanet.schedule = #deltanet.schedule<recurrent, max_tokens = 1,
                                            state = memory>}
  scf.forall (%n) in (2) {
    scf.for %i = %c0 to %c4 step %c1 {
      %x = vector.transfer_read %s[%i, %c0], %zero {in_bounds = [true]}
          : memref<4x64xf32>, vector<16xf32>
      vector.transfer_write %x, %o[%i, %c0] {in_bounds = [true]}
          : vector<16xf32>, memref<4x64xf32>
    } {deltanet.prefetch_here}
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
    } {deltanet.prefetch_here}
  } {deltanet.schedule = #deltanet.schedule<recurrent, max_tokens = 1,
                                            state = memory, prefetch = 64>}
  return
}
