// RUN: delta-opt %s -deltanet-cpu-keep-loops | FileCheck %s

// CHECK: #[[UNROLL:.+]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[$ANNOTATION:.+]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>

// CHECK-LABEL: func.func @loops
// CHECK: scf.for
// CHECK: scf.for
// CHECK: } {loop_annotation = #[[$ANNOTATION]]}
// CHECK-NOT: deltanet.keep_loop
// CHECK-NOT: loop_annotation
func.func @loops(%m: memref<4x4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %x, %m[%i, %j] : memref<4x4xf32>
    } {deltanet.keep_loop}
  }
  return
}
