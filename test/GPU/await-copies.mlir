// RUN: delta-opt %s -deltanet-gpu-await-copies | FileCheck %s
// RUN: delta-opt %s -deltanet-gpu-await-copies -o %t.once
// RUN: delta-opt %t.once -deltanet-gpu-await-copies | diff %t.once -

#lanes = #fragment.lanes<lanes = [1, 32], warps = [1, 1]>
!rows = memref<32x128xf32, 1>
!slot = memref<32x128xf32, 3>
!tile = !fragment.tile<32x128xf32, #lanes>

func.func private @f(!rows) attributes {deltanet.stages = [
    @one, @two, @committed, @of_a_branch, @unread, @within, @turn]}

// Copies between which nothing happens are one group; the wait is as late as it can
// be, behind what touches other memory.

// CHECK-LABEL: func.func private @one
// CHECK: fragment.copy_async
// CHECK-NEXT: memref.view
// CHECK-NEXT: fragment.copy_async
// CHECK-NEXT: fragment.commit
// CHECK-NEXT: %[[OTHER:.+]] = memref.view
// CHECK-NEXT: fragment.load %[[OTHER]]
// CHECK-NEXT: fragment.wait 0
// CHECK-NEXT: fragment.load
// CHECK-NOT: fragment.{{commit|wait}}
// CHECK: return
func.func private @one(%x: !rows, %w: memref<?xi8, 1>, %s: memref<65536xi8, 3>,
                       %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c16384 = arith.constant 16384 : index
  %c32768 = arith.constant 32768 : index
  %a = memref.view %s[%c0][] : memref<65536xi8, 3> to !slot
  fragment.copy_async %x to %a : !rows, !slot
  %b = memref.view %s[%c16384][] : memref<65536xi8, 3> to !slot
  fragment.copy_async %x to %b : !rows, !slot
  %c = memref.view %s[%c32768][] : memref<65536xi8, 3> to !slot
  %t = fragment.load %c : !slot -> !tile
  %u = fragment.load %b : !slot -> !tile
  %v = fragment.load %a : !slot -> !tile
  return
}

// What happens between copies begins another group. A write waits, too.

// CHECK-LABEL: func.func private @two
// CHECK: fragment.copy_async %{{.*}} to %[[A:.+]] :
// CHECK-NEXT: fragment.commit
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: fragment.copy_async %{{.*}} to %[[B:.+]] :
// CHECK-NEXT: fragment.commit
// CHECK-NEXT: fragment.wait 0
// CHECK-NEXT: fragment.load %[[A]]
// CHECK-NEXT: fragment.wait 0
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[B]]
// CHECK-NEXT: return
func.func private @two(%x: !rows, %w: memref<?xi8, 1>, %s: memref<65536xi8, 3>,
                       %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c16384 = arith.constant 16384 : index
  %c32768 = arith.constant 32768 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.view %s[%c0][] : memref<65536xi8, 3> to !slot
  %b = memref.view %s[%c16384][] : memref<65536xi8, 3> to !slot
  %c = memref.view %s[%c32768][] : memref<65536xi8, 3> to !slot
  fragment.copy_async %x to %a : !rows, !slot
  linalg.fill ins(%zero : f32) outs(%c : !slot)
  fragment.copy_async %x to %b : !rows, !slot
  %t = fragment.load %a : !slot -> !tile
  linalg.fill ins(%zero : f32) outs(%b : !slot)
  return
}

// Groups that are made already stay, as does the wait that leaves one of them.

// CHECK-LABEL: func.func private @committed
// CHECK: fragment.copy_async
// CHECK-NEXT: fragment.commit
// CHECK-NEXT: fragment.copy_async
// CHECK-NEXT: fragment.commit
// CHECK-NEXT: fragment.wait 1
// CHECK-NEXT: fragment.load
// CHECK-NEXT: return
func.func private @committed(%x: !rows, %w: memref<?xi8, 1>, %s: memref<65536xi8, 3>,
                             %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c16384 = arith.constant 16384 : index
  %a = memref.view %s[%c0][] : memref<65536xi8, 3> to !slot
  %b = memref.view %s[%c16384][] : memref<65536xi8, 3> to !slot
  fragment.copy_async %x to %a : !rows, !slot
  fragment.commit
  fragment.copy_async %x to %b : !rows, !slot
  fragment.commit
  fragment.wait 1
  %t = fragment.load %a : !slot -> !tile
  return
}

// So does a group that is committed behind the branch that copies; one that is not
// ends with the branch.

// CHECK-LABEL: func.func private @of_a_branch
// CHECK: scf.if
// CHECK-NEXT: fragment.copy_async
// CHECK-NEXT: }
// CHECK-NEXT: fragment.commit
// CHECK-NEXT: scf.if
// CHECK-NEXT: fragment.copy_async
// CHECK-NEXT: fragment.commit
// CHECK-NEXT: fragment.wait 0
// CHECK-NEXT: }
// CHECK-NEXT: fragment.wait 0
// CHECK-NEXT: return
func.func private @of_a_branch(%x: !rows, %w: memref<?xi8, 1>, %s: memref<65536xi8, 3>,
                               %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c16384 = arith.constant 16384 : index
  %a = memref.view %s[%c0][] : memref<65536xi8, 3> to !slot
  %b = memref.view %s[%c16384][] : memref<65536xi8, 3> to !slot
  %is = arith.cmpi ult, %begin, %end : index
  scf.if %is {
    fragment.copy_async %x to %a : !rows, !slot
  }
  fragment.commit
  scf.if %is {
    fragment.copy_async %x to %b : !rows, !slot
  }
  fragment.wait 0
  return
}

// Nobody reads it here: the wait is at the end.

// CHECK-LABEL: func.func private @unread
// CHECK: fragment.copy_async
// CHECK-NEXT: fragment.commit
// CHECK-NEXT: fragment.load
// CHECK-NEXT: fragment.wait 0
// CHECK-NEXT: return
func.func private @unread(%x: !rows, %w: memref<?xi8, 1>, %s: memref<65536xi8, 3>,
                          %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %a = memref.view %s[%c0][] : memref<65536xi8, 3> to !slot
  fragment.copy_async %x to %a : !rows, !slot
  %t = fragment.load %x : !rows -> !tile
  return
}

// A loop whose turns read waits once, before it; a part of the memory is enough.

// CHECK-LABEL: func.func private @within
// CHECK: fragment.copy_async
// CHECK-NEXT: fragment.commit
// CHECK-NEXT: scf.for
// CHECK-NEXT: fragment.load
// CHECK-NEXT: }
// CHECK-NEXT: fragment.wait 0
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.subview
// CHECK-NEXT: fragment.load
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func private @within(%x: !rows, %w: memref<?xi8, 1>, %s: memref<65536xi8, 3>,
                          %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.view %s[%c0][] : memref<65536xi8, 3> to !slot
  fragment.copy_async %x to %a : !rows, !slot
  scf.for %i = %begin to %end step %c1 {
    %t = fragment.load %x : !rows -> !tile
  }
  scf.for %i = %begin to %end step %c1 {
    %part = memref.subview %a[%i, 0] [1, 128] [1, 1]
        : !slot to memref<1x128xf32, strided<[128, 1], offset: ?>, 3>
    %t = fragment.load %part : memref<1x128xf32, strided<[128, 1], offset: ?>, 3>
        -> !fragment.tile<1x128xf32, #lanes>
  }
  return
}

// Copies of a turn are waited for in it, also where the next one reads.

// CHECK-LABEL: func.func private @turn
// CHECK: scf.for
// CHECK-NEXT: fragment.load
// CHECK-NEXT: fragment.copy_async
// CHECK-NEXT: fragment.commit
// CHECK-NEXT: fragment.wait 0
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func private @turn(%x: !rows, %w: memref<?xi8, 1>, %s: memref<65536xi8, 3>,
                        %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.view %s[%c0][] : memref<65536xi8, 3> to !slot
  scf.for %i = %begin to %end step %c1 {
    %t = fragment.load %a : !slot -> !tile
    fragment.copy_async %x to %a : !rows, !slot
  }
  return
}
