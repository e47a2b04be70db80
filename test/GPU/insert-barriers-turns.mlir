// Fragments that a thread reads where it has written them, and turns of loops
// that do not meet.

// RUN: delta-opt %s -deltanet-gpu-insert-barriers -split-input-file | FileCheck %s

#lanes = #fragment.lanes<lanes = [1, 32], warps = [2, 1]>
#other = #fragment.lanes<lanes = [1, 32], warps = [1, 2]>
#left = #fragment.left<warps = [1, 2]>
!state = memref<4x32x256xf32, 1>
!slice = memref<32x256xf32, strided<[256, 1], offset: ?>, 1>

func.func private @f(
    !state {deltanet.role = #deltanet<role state_in>},
    !state {deltanet.role = #deltanet<role state_out>},
    memref<?x256xf32, 1> {deltanet.role = #deltanet<role o>})
    attributes {deltanet.stages = [
        @same_type, @other_type, @other_place, @held_twice, @states, @items,
        @scratch_of_items]}

// Each thread meets its own elements, also through views that are made again.

// CHECK-LABEL: func.func private @same_type
// CHECK-NOT: nvvm.barrier
// CHECK: return
func.func private @same_type(
    %in: !state, %out: !state, %o: memref<?x256xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<65536xi8, 3>, %begin: index, %end: index) {
  %x = memref.subview %in[%begin, 0, 0] [1, 32, 256] [1, 1, 1]
      : !state to !slice
  %t = fragment.load %x : !slice -> !fragment.tile<32x256xf32, #lanes>
  fragment.store %t, %x alignment 16 : !fragment.tile<32x256xf32, #lanes>, !slice
  %y = memref.subview %in[%begin, 0, 0] [1, 32, 256] [1, 1, 1]
      : !state to !slice
  %u = fragment.load %y : !slice -> !fragment.tile<32x256xf32, #lanes>
  return
}

// CHECK-LABEL: func.func private @other_type
// CHECK: fragment.store
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: fragment.load
func.func private @other_type(
    %in: !state, %out: !state, %o: memref<?x256xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<65536xi8, 3>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %x = memref.view %s[%c0][] : memref<65536xi8, 3> to memref<32x256xf32, 3>
  %t = fragment.splat %zero : !fragment.tile<32x256xf32, #lanes>
  fragment.store %t, %x : !fragment.tile<32x256xf32, #lanes>, memref<32x256xf32, 3>
  %u = fragment.load %x : memref<32x256xf32, 3> -> !fragment.tile<32x256xf32, #other>
  return
}

// The same type, 4 bytes further.

// CHECK-LABEL: func.func private @other_place
// CHECK: fragment.store
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: fragment.load
func.func private @other_place(
    %in: !state, %out: !state, %o: memref<?x256xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<65536xi8, 3>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %x = memref.view %s[%c0][] : memref<65536xi8, 3> to memref<32x256xf32, 3>
  %y = memref.view %s[%c4][] : memref<65536xi8, 3> to memref<32x256xf32, 3>
  %t = fragment.splat %zero : !fragment.tile<32x256xf32, #lanes>
  fragment.store %t, %x : !fragment.tile<32x256xf32, #lanes>, memref<32x256xf32, 3>
  %u = fragment.load %y : memref<32x256xf32, 3> -> !fragment.tile<32x256xf32, #lanes>
  return
}

// Elements that several threads hold, one of which writes them: a row, a column
// and the left operand of two warps.

// CHECK-LABEL: func.func private @held_twice
// CHECK: fragment.store {{.*}} dims [1]
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: fragment.load {{.*}} dims [1]
// CHECK: fragment.store {{.*}} dims [0]
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: fragment.load {{.*}} dims [0]
// CHECK: fragment.store {{.*}} <16x16xbf16
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: fragment.load {{.*}} <16x16xbf16
func.func private @held_twice(
    %in: !state, %out: !state, %o: memref<?x256xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<65536xi8, 3>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.0 : bf16
  %x = memref.view %s[%c0][] : memref<65536xi8, 3> to memref<256xf32, 3>
  %row = fragment.splat %zero : !fragment.tile<1x256xf32, #lanes>
  fragment.store %row, %x dims [1] : !fragment.tile<1x256xf32, #lanes>, memref<256xf32, 3>
  %r = fragment.load %x dims [1] : memref<256xf32, 3> -> !fragment.tile<1x256xf32, #lanes>
  %y = memref.view %w[%c0][] : memref<?xi8, 1> to memref<32xf32, 1>
  %column = fragment.splat %zero : !fragment.tile<32x1xf32, #lanes>
  fragment.store %column, %y dims [0] : !fragment.tile<32x1xf32, #lanes>, memref<32xf32, 1>
  %c = fragment.load %y dims [0] : memref<32xf32, 1> -> !fragment.tile<32x1xf32, #lanes>
  %c4096 = arith.constant 4096 : index
  %z = memref.view %s[%c4096][] : memref<65536xi8, 3> to memref<16x16xbf16, 3>
  %left = fragment.splat %half : !fragment.tile<16x16xbf16, #left>
  fragment.store %left, %z : !fragment.tile<16x16xbf16, #left>, memref<16x16xbf16, 3>
  %l = fragment.load %z : memref<16x16xbf16, 3> -> !fragment.tile<16x16xbf16, #left>
  return
}

// The final state may be the initial one, which another operation may then have
// read elsewhere.

// CHECK-LABEL: func.func private @states
// CHECK: fragment.load
// CHECK-NEXT: fragment.store
// CHECK: nvvm.barrier
// CHECK-NEXT: memref.load
// CHECK-NEXT: return
func.func private @states(
    %in: !state, %out: !state, %o: memref<?x256xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<65536xi8, 3>, %begin: index, %end: index) {
  %x = memref.subview %in[%begin, 0, 0] [1, 32, 256] [1, 1, 1] : !state to !slice
  %y = memref.subview %out[%begin, 0, 0] [1, 32, 256] [1, 1, 1] : !state to !slice
  %t = fragment.load %x : !slice -> !fragment.tile<32x256xf32, #lanes>
  fragment.store %t, %y : !fragment.tile<32x256xf32, #lanes>, !slice
  %c0 = arith.constant 0 : index
  %v = memref.load %in[%c0, %c0, %c0] : !state
  return
}

// Work items are independent: states that one stores are not those that the next
// one loads.

// CHECK-LABEL: func.func private @items
// CHECK-NOT: nvvm.barrier
// CHECK: return
func.func private @items(
    %in: !state, %out: !state, %o: memref<?x256xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<65536xi8, 3>, %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  scf.for %i = %begin to %end step %c1 {
    %x = memref.subview %in[%i, 0, 0] [1, 32, 256] [1, 1, 1] : !state to !slice
    %y = memref.subview %out[%i, 0, 0] [1, 32, 256] [1, 1, 1] : !state to !slice
    %t = fragment.load %x : !slice -> !fragment.tile<32x256xf32, #lanes>
    fragment.store %t, %y : !fragment.tile<32x256xf32, #lanes>, !slice
  }
  return
}

// But they have the same scratch.

// CHECK-LABEL: func.func private @scratch_of_items
// CHECK: scf.for
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load
// CHECK-NEXT: }
func.func private @scratch_of_items(
    %in: !state, %out: !state, %o: memref<?x256xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<65536xi8, 3>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %x = memref.view %s[%c0][] : memref<65536xi8, 3> to memref<256xf32, 3>
  scf.for %i = %begin to %end step %c1 {
    linalg.fill ins(%zero : f32) outs(%x : memref<256xf32, 3>)
    %v = memref.load %x[%c0] : memref<256xf32, 3>
  }
  return
}

// -----

#lanes = #fragment.lanes<lanes = [1, 32], warps = [2, 1]>
!state = memref<4x32x256xf32, 1>
!slice = memref<32x256xf32, strided<[256, 1], offset: ?>, 1>
!row = memref<256xf32, strided<[1], offset: ?>, 1>

func.func private @f(memref<?x256xf32, 1>, !state)
    attributes {deltanet.stages = [
        @own_rows, @rows_of_two_turns, @rows_of_another_loop, @one_place,
        @place_of_a_turn]}

// A loop over tokens writes the row of its token.

// CHECK-LABEL: func.func private @own_rows
// CHECK-NOT: nvvm.barrier
// CHECK: return
func.func private @own_rows(
    %o: memref<?x256xf32, 1>, %m: !state, %w: memref<?xi8, 1>,
    %s: memref<65536xi8, 3>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %t = fragment.splat %zero : !fragment.tile<1x256xf32, #lanes>
  scf.for %i = %c0 to %end step %c1 {
    %x = memref.subview %o[%i, 0] [1, 256] [1, 1] : memref<?x256xf32, 1> to !row
    fragment.store %t, %x dims [1] : !fragment.tile<1x256xf32, #lanes>, !row
  }
  return
}

// Two rows a turn, one of which is the next turn's.

// CHECK-LABEL: func.func private @rows_of_two_turns
// CHECK: memref.subview
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: linalg.fill
func.func private @rows_of_two_turns(
    %o: memref<?x256xf32, 1>, %m: !state, %w: memref<?xi8, 1>,
    %s: memref<65536xi8, 3>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %end step %c1 {
    %x = memref.subview %o[%i, 0] [2, 256] [1, 1] : memref<?x256xf32, 1>
        to memref<2x256xf32, strided<[256, 1], offset: ?>, 1>
    linalg.fill ins(%zero : f32)
        outs(%x : memref<2x256xf32, strided<[256, 1], offset: ?>, 1>)
  }
  return
}

// Rows of the inner loop are met again in the next turn of the outer one.

// CHECK-LABEL: func.func private @rows_of_another_loop
// CHECK: memref.subview
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: fragment.store
func.func private @rows_of_another_loop(
    %o: memref<?x256xf32, 1>, %m: !state, %w: memref<?xi8, 1>,
    %s: memref<65536xi8, 3>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %t = fragment.splat %zero : !fragment.tile<1x256xf32, #lanes>
  scf.for %j = %c0 to %end step %c1 {
    scf.for %i = %c0 to %end step %c1 {
      %x = memref.subview %o[%i, 0] [1, 256] [1, 1] : memref<?x256xf32, 1> to !row
      fragment.store %t, %x dims [1] : !fragment.tile<1x256xf32, #lanes>, !row
    }
  }
  return
}

// A state that all turns update at one place stays with its threads.

// CHECK-LABEL: func.func private @one_place
// CHECK-NOT: nvvm.barrier
// CHECK: return
func.func private @one_place(
    %o: memref<?x256xf32, 1>, %m: !state, %w: memref<?xi8, 1>,
    %s: memref<65536xi8, 3>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %end step %c1 {
    %x = memref.subview %m[%begin, 0, 0] [1, 32, 256] [1, 1, 1] : !state to !slice
    %t = fragment.load %x : !slice -> !fragment.tile<32x256xf32, #lanes>
    fragment.store %t, %x : !fragment.tile<32x256xf32, #lanes>, !slice
  }
  return
}

// Not so where a turn has another view, whatever that is called.

// CHECK-LABEL: func.func private @place_of_a_turn
// CHECK: memref.subview
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: fragment.load
// CHECK-NEXT: fragment.store
func.func private @place_of_a_turn(
    %o: memref<?x256xf32, 1>, %m: !state, %w: memref<?xi8, 1>,
    %s: memref<65536xi8, 3>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.collapse_shape %m [[0, 1], [2]] : !state into memref<128x256xf32, 1>
  scf.for %i = %c0 to %end step %c1 {
    %x = memref.subview %rows[%i, 0] [32, 256] [1, 1] : memref<128x256xf32, 1> to !slice
    %t = fragment.load %x : !slice -> !fragment.tile<32x256xf32, #lanes>
    fragment.store %t, %x : !fragment.tile<32x256xf32, #lanes>, !slice
  }
  return
}
