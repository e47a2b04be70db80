// Asynchronous copies to shared memory are there after a wait and a barrier.

// RUN: delta-opt %s -deltanet-gpu-insert-barriers | FileCheck %s
// RUN: delta-opt %s -deltanet-gpu-insert-barriers -deltanet-gpu-insert-barriers | FileCheck %s

#lanes = #fragment.lanes<lanes = [1, 32], warps = [1, 1]>
!rows = memref<32x128xf32, 1>
!slot = memref<32x128xf32, 3>
!tile = !fragment.tile<32x128xf32, #lanes>

func.func private @f(!rows) attributes {deltanet.stages = [
    @once, @two_groups, @turns, @double, @met]}

// A barrier between copy and wait does not bring the copy; the one after the wait
// does.

// CHECK-LABEL: func.func private @once
// CHECK: fragment.copy_async
// CHECK-NEXT: fragment.commit
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load
// CHECK-NEXT: fragment.wait 0
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: fragment.load
// CHECK-NEXT: return
func.func private @once(%x: !rows, %w: memref<?xi8, 1>, %s: memref<65536xi8, 3>,
                        %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c16384 = arith.constant 16384 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.view %s[%c0][] : memref<65536xi8, 3> to !slot
  %b = memref.view %s[%c16384][] : memref<65536xi8, 3> to memref<32xf32, 3>
  fragment.copy_async %x to %a alignment 16 : !rows, !slot
  fragment.commit
  linalg.fill ins(%zero : f32) outs(%b : memref<32xf32, 3>)
  %v = memref.load %b[%c0] : memref<32xf32, 3>
  fragment.wait 0
  %t = fragment.load %a : !slot -> !tile
  return
}

// A wait that leaves one group may leave either; after the next one both are done.

// CHECK-LABEL: func.func private @two_groups
// CHECK: fragment.wait 1
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: fragment.load
// CHECK-NEXT: fragment.wait 0
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: fragment.load
// CHECK-NEXT: fragment.load
// CHECK-NEXT: return
func.func private @two_groups(%x: !rows, %w: memref<?xi8, 1>, %s: memref<65536xi8, 3>,
                              %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c16384 = arith.constant 16384 : index
  %a = memref.view %s[%c0][] : memref<65536xi8, 3> to !slot
  %b = memref.view %s[%c16384][] : memref<65536xi8, 3> to !slot
  fragment.copy_async %x to %a alignment 16 : !rows, !slot
  fragment.commit
  fragment.copy_async %x to %b alignment 16 : !rows, !slot
  fragment.commit
  fragment.wait 1
  %t = fragment.load %a : !slot -> !tile
  fragment.wait 0
  %u = fragment.load %a : !slot -> !tile
  %v = fragment.load %b : !slot -> !tile
  return
}

// A turn copies what the next one waits for and reads; who copies again waits for
// those who read.

// CHECK-LABEL: func.func private @turns
// CHECK: fragment.copy_async
// CHECK-NEXT: fragment.commit
// CHECK-NEXT: scf.for
// CHECK-NEXT: fragment.wait 0
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: fragment.load
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: fragment.copy_async
// CHECK-NEXT: fragment.commit
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func private @turns(%x: !rows, %w: memref<?xi8, 1>, %s: memref<65536xi8, 3>,
                         %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.view %s[%c0][] : memref<65536xi8, 3> to !slot
  fragment.copy_async %x to %a alignment 16 : !rows, !slot
  fragment.commit
  scf.for %i = %begin to %end step %c1 {
    fragment.wait 0
    %t = fragment.load %a : !slot -> !tile
    fragment.copy_async %x to %a alignment 16 : !rows, !slot
    fragment.commit
  }
  return
}

// Two slots in turn, told by a number: each turn waits for the copy of the last one,
// and copies when all have read.

// CHECK-LABEL: func.func private @double
// CHECK: scf.for
// CHECK: nvvm.barrier
// CHECK-NEXT: fragment.copy_async
// CHECK-NEXT: fragment.commit
// CHECK-NEXT: fragment.wait 1
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: fragment.load
// CHECK-NOT: nvvm.barrier
// CHECK: return
func.func private @double(%x: !rows, %w: memref<?xi8, 1>, %s: memref<65536xi8, 3>,
                          %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %slots = memref.view %s[%c0][] : memref<65536xi8, 3> to memref<2x32x128xf32, 3>
  scf.for %i = %begin to %end step %c1 {
    %n = arith.remui %i, %c2 : index
    %m = arith.subi %c1, %n : index
    %to = memref.subview %slots[%m, 0, 0] [1, 32, 128] [1, 1, 1]
        : memref<2x32x128xf32, 3>
          to memref<32x128xf32, strided<[128, 1], offset: ?>, 3>
    %from = memref.subview %slots[%n, 0, 0] [1, 32, 128] [1, 1, 1]
        : memref<2x32x128xf32, 3>
          to memref<32x128xf32, strided<[128, 1], offset: ?>, 3>
    fragment.copy_async %x to %to alignment 16
        : !rows, memref<32x128xf32, strided<[128, 1], offset: ?>, 3>
    fragment.commit
    fragment.wait 1
    %t = fragment.load %from
        : memref<32x128xf32, strided<[128, 1], offset: ?>, 3> -> !tile
  }
  return
}

// A barrier that is there already is one.

// CHECK-LABEL: func.func private @met
// CHECK: fragment.wait 0
// CHECK-NEXT: fragment.barrier
// CHECK-NEXT: fragment.load
func.func private @met(%x: !rows, %w: memref<?xi8, 1>, %s: memref<65536xi8, 3>,
                       %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %a = memref.view %s[%c0][] : memref<65536xi8, 3> to !slot
  fragment.copy_async %x to %a alignment 16 : !rows, !slot
  fragment.commit
  fragment.wait 0
  fragment.barrier
  %t = fragment.load %a : !slot -> !tile
  return
}
