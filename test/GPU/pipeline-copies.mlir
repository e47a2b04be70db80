// A loop that begins with copies copies for its next turn, into the other of two
// slots, where the schedule has two stages.

// RUN: delta-opt %s -deltanet-gpu-pipeline-copies | FileCheck %s

#one = #deltanet.schedule<chunked, value_slice = 16, staging = two_stage, matrix = mma, warps = 1>
#two = #deltanet.schedule<chunked, value_slice = 16, staging = two_stage, matrix = mma, warps = 1, stages = 2>
#lanes = #fragment.lanes<lanes = [1, 32], warps = [1, 1]>
!rows = memref<32x128xf32, strided<[128, 1], offset: ?>>
!tile = !fragment.tile<32x128xf32, #lanes>

// CHECK-LABEL: func.func @pipelined
// CHECK: %[[SLOTS:.+]] = memref.alloc() : memref<2x32x128xf32>
// CHECK: %[[FIRST:.+]] = arith.cmpi slt, %[[LOWER:.+]], %[[UPPER:.+]] : index
// CHECK: scf.if %[[FIRST]] {
// CHECK:   memref.subview %{{.*}}[%[[LOWER]], 0, 0] [1, 32, 128]
// CHECK:   fragment.copy_async
// CHECK: }
// CHECK-NEXT: fragment.commit
// CHECK: scf.for %[[I:.+]] = %[[LOWER]] to %[[UPPER]] step %[[STEP:.+]] {
// CHECK:   %[[NEXT:.+]] = arith.addi %[[I]], %[[STEP]]
// CHECK:   %[[HAS:.+]] = arith.cmpi slt, %[[NEXT]], %[[UPPER]]
// CHECK:   scf.if %[[HAS]] {
// CHECK:     %[[FROM:.+]] = memref.subview %{{.*}}[%[[NEXT]], 0, 0] [1, 32, 128]
// CHECK:     %[[PASSED:.+]] = arith.subi %[[NEXT]], %[[LOWER]]
// CHECK:     %[[TURN:.+]] = arith.divui %[[PASSED]], %[[STEP]]
// CHECK:     %[[OTHER:.+]] = arith.remui %[[TURN]]
// CHECK:     %[[TO:.+]] = memref.subview %[[SLOTS]][%[[OTHER]], 0, 0]
// CHECK:     fragment.copy_async %[[FROM]] to %[[TO]]
// CHECK:   }
// CHECK-NEXT: fragment.commit
// CHECK-NEXT: fragment.wait 1
// CHECK-NOT:  fragment.copy_async
// CHECK:   %[[SLOT:.+]] = memref.subview %[[SLOTS]]
// CHECK:   fragment.load %[[SLOT]]
func.func @pipelined(%x: memref<?x32x128xf32>, %n: index, %o: memref<32x128xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.forall (%w) in (%n) {
    scf.for %i = %c1 to %n step %c3 {
      %a = memref.alloc() : memref<32x128xf32>
      %r = memref.subview %x[%i, 0, 0] [1, 32, 128] [1, 1, 1]
          : memref<?x32x128xf32> to !rows
      fragment.copy_async %r to %a : !rows, memref<32x128xf32>
      %t = fragment.load %a : memref<32x128xf32> -> !tile
      fragment.store %t, %o : !tile, memref<32x128xf32>
    }
  } {deltanet.schedule = #two}
  return
}

// One stage; a source that memory tells, which another turn may have written; memory
// that outlives a turn; and more.

// CHECK-LABEL: func.func @left_alone
// CHECK-NOT: fragment.commit
// CHECK: return
func.func @left_alone(%x: memref<?x32x128xf32>, %n: index, %o: memref<32x128xf32>,
                      %numbers: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%w) in (%n) {
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<32x128xf32>
      %r = memref.subview %x[%i, 0, 0] [1, 32, 128] [1, 1, 1]
          : memref<?x32x128xf32> to !rows
      fragment.copy_async %r to %a : !rows, memref<32x128xf32>
      %t = fragment.load %a : memref<32x128xf32> -> !tile
      fragment.store %t, %o : !tile, memref<32x128xf32>
    }
  } {deltanet.schedule = #one}
  scf.forall (%w) in (%n) {
    %kept = memref.alloc() : memref<32x128xf32>
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<32x128xf32>
      %p = memref.load %numbers[%i] : memref<?xindex>
      %r = memref.subview %x[%p, 0, 0] [1, 32, 128] [1, 1, 1]
          : memref<?x32x128xf32> to !rows
      fragment.copy_async %r to %a : !rows, memref<32x128xf32>
      %t = fragment.load %a : memref<32x128xf32> -> !tile
      fragment.store %t, %o : !tile, memref<32x128xf32>
    }
    scf.for %i = %c0 to %n step %c1 {
      %r = memref.subview %x[%i, 0, 0] [1, 32, 128] [1, 1, 1]
          : memref<?x32x128xf32> to !rows
      fragment.copy_async %r to %kept : !rows, memref<32x128xf32>
      %t = fragment.load %kept : memref<32x128xf32> -> !tile
      fragment.store %t, %o : !tile, memref<32x128xf32>
    }
    // Two copies to one memory.
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<32x128xf32>
      %r = memref.subview %x[%i, 0, 0] [1, 32, 128] [1, 1, 1]
          : memref<?x32x128xf32> to !rows
      fragment.copy_async %r to %a : !rows, memref<32x128xf32>
      fragment.copy_async %r to %a : !rows, memref<32x128xf32>
      %t = fragment.load %a : memref<32x128xf32> -> !tile
      fragment.store %t, %o : !tile, memref<32x128xf32>
    }
    // A turn writes what the next one copies.
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<32x128xf32>
      %r = memref.subview %x[%i, 0, 0] [1, 32, 128] [1, 1, 1]
          : memref<?x32x128xf32> to !rows
      fragment.copy_async %r to %a : !rows, memref<32x128xf32>
      %t = fragment.load %a : memref<32x128xf32> -> !tile
      %j = arith.addi %i, %c1 : index
      %next = memref.subview %x[%j, 0, 0] [1, 32, 128] [1, 1, 1]
          : memref<?x32x128xf32> to !rows
      fragment.store %t, %next : !tile, !rows
    }
    // The memory holds something else before.
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<32x128xf32>
      %u = fragment.load %o : memref<32x128xf32> -> !tile
      fragment.store %u, %a : !tile, memref<32x128xf32>
      %r = memref.subview %x[%i, 0, 0] [1, 32, 128] [1, 1, 1]
          : memref<?x32x128xf32> to !rows
      fragment.copy_async %r to %a : !rows, memref<32x128xf32>
      %t = fragment.load %a : memref<32x128xf32> -> !tile
      fragment.store %t, %o : !tile, memref<32x128xf32>
    }
  } {deltanet.schedule = #two}
  return
}
