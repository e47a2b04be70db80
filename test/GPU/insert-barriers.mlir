// Where threads wait for each other; the pass adds nothing to its own result.

// RUN: delta-opt %s -deltanet-gpu-insert-barriers | FileCheck %s
// RUN: delta-opt %s -deltanet-gpu-insert-barriers -deltanet-gpu-insert-barriers | FileCheck %s

func.func private @f(memref<64xf32, 1>, memref<64xf32, 1>)
    attributes {deltanet.stages = [
        @read_after_write, @write_after_read, @once, @next_turn, @branches,
        @both_branches, @no_branch, @condition, @views, @same_bytes, @arguments,
        @while]}

// CHECK-LABEL: func.func private @read_after_write
// CHECK: linalg.copy
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: linalg.copy
// CHECK-NEXT: return
func.func private @read_after_write(
    %x: memref<64xf32, 1>, %y: memref<64xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<1024xi8, 3>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %a = memref.view %s[%c0][] : memref<1024xi8, 3> to memref<64xf32, 3>
  linalg.copy ins(%x : memref<64xf32, 1>) outs(%a : memref<64xf32, 3>)
  linalg.copy ins(%a : memref<64xf32, 3>) outs(%y : memref<64xf32, 1>)
  return
}

// Single numbers too: the first thread writes what all of them read.

// CHECK-LABEL: func.func private @write_after_read
// CHECK: memref.load
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.store
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load
// CHECK-NEXT: return
func.func private @write_after_read(
    %x: memref<64xf32, 1>, %y: memref<64xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<1024xi8, 3>, %begin: index, %end: index) {
  %v = memref.load %y[%begin] : memref<64xf32, 1>
  memref.store %v, %y[%end] : memref<64xf32, 1>
  %u = memref.load %y[%end] : memref<64xf32, 1>
  return
}

// One barrier is for all that came before it, and reads need none.

// CHECK-LABEL: func.func private @once
// CHECK-COUNT-2: linalg.fill
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.load
// CHECK-NEXT: return
func.func private @once(
    %x: memref<64xf32, 1>, %y: memref<64xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<1024xi8, 3>, %begin: index, %end: index) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%x : memref<64xf32, 1>)
  linalg.fill ins(%zero : f32) outs(%y : memref<64xf32, 1>)
  %a = memref.load %x[%begin] : memref<64xf32, 1>
  %b = memref.load %y[%begin] : memref<64xf32, 1>
  %c = memref.load %y[%end] : memref<64xf32, 1>
  return
}

// What a turn writes at its end is read at the begin of the next one.

// CHECK-LABEL: func.func private @next_turn
// CHECK: scf.for
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load
// CHECK-NEXT: scf.for
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.store
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load
func.func private @next_turn(
    %x: memref<64xf32, 1>, %y: memref<64xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<1024xi8, 3>, %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %end step %c1 {
    %v = memref.load %y[%begin] : memref<64xf32, 1>
    scf.for %j = %c1 to %end step %c1 {
      memref.store %v, %y[%j] : memref<64xf32, 1>
    }
  }
  %v = memref.load %y[%end] : memref<64xf32, 1>
  return
}

// Only one branch writes; whoever comes through the other waits, too.

// CHECK-LABEL: func.func private @branches
// CHECK: scf.if
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: } else {
// CHECK-NEXT: memref.load
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load
func.func private @branches(
    %x: memref<64xf32, 1>, %y: memref<64xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<1024xi8, 3>, %begin: index, %end: index) {
  %zero = arith.constant 0.0 : f32
  %some = arith.cmpi ult, %begin, %end : index
  scf.if %some {
    linalg.fill ins(%zero : f32) outs(%y : memref<64xf32, 1>)
  } else {
    %v = memref.load %y[%begin] : memref<64xf32, 1>
  }
  %v = memref.load %y[%begin] : memref<64xf32, 1>
  return
}

// Where both branches wait, nobody waits again.

// CHECK-LABEL: func.func private @both_branches
// CHECK: scf.if
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load
// CHECK-NEXT: } else {
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load
// CHECK-NEXT: }
// CHECK-NEXT: memref.load
func.func private @both_branches(
    %x: memref<64xf32, 1>, %y: memref<64xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<1024xi8, 3>, %begin: index, %end: index) {
  %zero = arith.constant 0.0 : f32
  %some = arith.cmpi ult, %begin, %end : index
  linalg.fill ins(%zero : f32) outs(%y : memref<64xf32, 1>)
  scf.if %some {
    %v = memref.load %y[%begin] : memref<64xf32, 1>
  } else {
    %v = memref.load %y[%end] : memref<64xf32, 1>
  }
  %v = memref.load %y[%begin] : memref<64xf32, 1>
  return
}

// A branch that may be left out is no place to have waited in.

// CHECK-LABEL: func.func private @no_branch
// CHECK: scf.if
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load
func.func private @no_branch(
    %x: memref<64xf32, 1>, %y: memref<64xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<1024xi8, 3>, %begin: index, %end: index) {
  %zero = arith.constant 0.0 : f32
  %some = arith.cmpi ult, %begin, %end : index
  linalg.fill ins(%zero : f32) outs(%y : memref<64xf32, 1>)
  scf.if %some {
    %v = memref.load %y[%begin] : memref<64xf32, 1>
  }
  %v = memref.load %y[%begin] : memref<64xf32, 1>
  return
}

// The barrier comes before the number that the condition is made of.

// CHECK-LABEL: func.func private @condition
// CHECK: linalg.fill
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load
// CHECK-NEXT: arith.cmpf
// CHECK-NEXT: scf.if
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: linalg.fill
func.func private @condition(
    %x: memref<64xf32, 1>, %y: memref<64xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<1024xi8, 3>, %begin: index, %end: index) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<64xf32, 1>)
  %v = memref.load %y[%begin] : memref<64xf32, 1>
  %some = arith.cmpf ogt, %v, %zero : f32
  scf.if %some {
    linalg.fill ins(%zero : f32) outs(%y : memref<64xf32, 1>)
  }
  return
}

// Parts of the arena that have no byte in common, and one that has one.

// CHECK-LABEL: func.func private @views
// CHECK: linalg.fill {{.*}} memref<64xf32, 3>
// CHECK-NEXT: memref.load %{{.*}} : memref<32xf32, 3>
// CHECK-NEXT: memref.load %{{.*}} : memref<64xf32, strided<[1], offset: 64>, 3>
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load %{{.*}} : memref<16xf32, 3>
func.func private @views(
    %x: memref<64xf32, 1>, %y: memref<64xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<1024xi8, 3>, %begin: index, %end: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c252 = arith.constant 252 : index
  %c256 = arith.constant 256 : index
  %a = memref.view %s[%c0][] : memref<1024xi8, 3> to memref<64xf32, 3>
  %b = memref.view %s[%c256][] : memref<1024xi8, 3> to memref<32xf32, 3>
  %c = memref.view %s[%c252][] : memref<1024xi8, 3> to memref<16xf32, 3>
  %d = memref.view %s[%c0][] : memref<1024xi8, 3> to memref<128xf32, 3>
  %part = memref.subview %d[64] [64] [1]
      : memref<128xf32, 3> to memref<64xf32, strided<[1], offset: 64>, 3>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32, 3>)
  %u = memref.load %b[%c0] : memref<32xf32, 3>
  %t = memref.load %part[%c0]
      : memref<64xf32, strided<[1], offset: 64>, 3>
  %v = memref.load %c[%c0] : memref<16xf32, 3>
  return
}

// Other views of the same bytes are no way around a barrier, nor are bytes that
// only a call knows.

// CHECK-LABEL: func.func private @same_bytes
// CHECK: linalg.fill
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load %{{.*}} : memref<4xf32, 3>
// CHECK: linalg.fill
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load %{{.*}} : memref<4x16xf32, 3>
func.func private @same_bytes(
    %x: memref<64xf32, 1>, %y: memref<64xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<1024xi8, 3>, %begin: index, %end: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %a = memref.view %s[%c512][] : memref<1024xi8, 3> to memref<64xf32, 3>
  %b = memref.view %s[%begin][] : memref<1024xi8, 3> to memref<4xf32, 3>
  %c = memref.expand_shape %a [[0, 1]] output_shape [4, 16]
      : memref<64xf32, 3> into memref<4x16xf32, 3>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32, 3>)
  %v = memref.load %b[%c0] : memref<4xf32, 3>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32, 3>)
  %u = memref.load %c[%c0, %c0] : memref<4x16xf32, 3>
  return
}

// Tensors of a call, workspace and scratch are apart.

// CHECK-LABEL: func.func private @arguments
// CHECK-NOT: nvvm.barrier
// CHECK: return
func.func private @arguments(
    %x: memref<64xf32, 1>, %y: memref<64xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<1024xi8, 3>, %begin: index, %end: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.view %s[%c0][] : memref<1024xi8, 3> to memref<64xf32, 3>
  %b = memref.view %w[%c0][] : memref<?xi8, 1> to memref<64xf32, 1>
  linalg.fill ins(%zero : f32) outs(%y : memref<64xf32, 1>)
  %t = memref.load %x[%c0] : memref<64xf32, 1>
  %u = memref.load %a[%c0] : memref<64xf32, 3>
  %v = memref.load %b[%c0] : memref<64xf32, 1>
  return
}

// From the body to the condition of the next turn, which is the last that a loop
// does.

// CHECK-LABEL: func.func private @while
// CHECK: scf.while
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: memref.load
// CHECK: do {
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: linalg.fill
// CHECK: }
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: linalg.fill
func.func private @while(
    %x: memref<64xf32, 1>, %y: memref<64xf32, 1>, %w: memref<?xi8, 1>,
    %s: memref<1024xi8, 3>, %begin: index, %end: index) {
  %zero = arith.constant 0.0 : f32
  scf.while : () -> () {
    %v = memref.load %y[%begin] : memref<64xf32, 1>
    %more = arith.cmpf ogt, %v, %zero : f32
    scf.condition(%more)
  } do {
    linalg.fill ins(%zero : f32) outs(%y : memref<64xf32, 1>)
    scf.yield
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<64xf32, 1>)
  return
}
