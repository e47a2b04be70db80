// RUN: delta-opt %s --deltanet-gpu-version-by-alignment | FileCheck %s

// Fragments of tensors of a call, also through views, have a version for calls
// that are aligned; those of the workspace and of scratch are aligned in both.

#lanes = #fragment.lanes<lanes = [1, 32], warps = [1, 1]>

// CHECK-LABEL: func.func private @f.stage0
// CHECK-SAME: deltanet.unaligned = @f.stage0.unaligned
// CHECK: fragment.load %{{.*}} alignment 16 : memref<4x128xf32, strided<[128, 1], offset: ?>, 1>
// CHECK: fragment.load %{{.*}} alignment 16 : memref<4x128xf32, 3>
// CHECK: fragment.load %{{.*}} alignment 16 : memref<4x128xf32, 1>
// CHECK: fragment.store %{{.*}}, %{{.*}} alignment 16 : <4x128xf32, #{{.*}}>, memref<4x128xf32, strided<[?, 1]>, 1>
// CHECK-LABEL: func.func private @f.stage0.unaligned
// CHECK-NOT: deltanet.unaligned
// CHECK: fragment.load %{{.*}} : memref<4x128xf32, strided<[128, 1], offset: ?>, 1>
// CHECK: fragment.load %{{.*}} alignment 16 : memref<4x128xf32, 3>
// CHECK: fragment.load %{{.*}} alignment 16 : memref<4x128xf32, 1>
// CHECK: fragment.store %{{.*}}, %{{.*}} : <4x128xf32, #{{.*}}>, memref<4x128xf32, strided<[?, 1]>, 1>
// CHECK: fragment.store %{{.*}}, %{{.*}} alignment 16 : <4x128xf32, #{{.*}}>, memref<4x128xf32, 3>
// CHECK: fragment.copy_async %{{.*}} to %{{.*}} swizzled : memref<4x128xf32, strided<[128, 1], offset: ?>, 1>
// CHECK: fragment.copy_async %{{.*}} to %{{.*}} alignment 16 swizzled : memref<4x128xf32, 1>
func.func private @f.stage0(%state: memref<?x4x128xf32, strided<[?, 128, 1]>, 1>,
                            %out: memref<4x128xf32, strided<[?, 1]>, 1>,
                            %workspace: memref<?xi8, 1>, %scratch: memref<2048xi8, 3>,
                            %begin: index, %end: index)
    attributes {deltanet.threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %one = memref.subview %state[%begin, 0, 0] [1, 4, 128] [1, 1, 1]
      : memref<?x4x128xf32, strided<[?, 128, 1]>, 1>
      to memref<4x128xf32, strided<[128, 1], offset: ?>, 1>
  %shared = memref.view %scratch[%c0][] : memref<2048xi8, 3> to memref<4x128xf32, 3>
  %a = fragment.load %one : memref<4x128xf32, strided<[128, 1], offset: ?>, 1>
      -> !fragment.tile<4x128xf32, #lanes>
  %b = fragment.load %shared : memref<4x128xf32, 3> -> !fragment.tile<4x128xf32, #lanes>
  %passed = memref.view %workspace[%c0][] : memref<?xi8, 1> to memref<4x128xf32, 1>
  %c = fragment.load %passed : memref<4x128xf32, 1> -> !fragment.tile<4x128xf32, #lanes>
  fragment.store %a, %out
      : !fragment.tile<4x128xf32, #lanes>, memref<4x128xf32, strided<[?, 1]>, 1>
  fragment.store %b, %shared
      : !fragment.tile<4x128xf32, #lanes>, memref<4x128xf32, 3>
  fragment.copy_async %one to %shared swizzled
      : memref<4x128xf32, strided<[128, 1], offset: ?>, 1>, memref<4x128xf32, 3>
  fragment.copy_async %passed to %shared swizzled
      : memref<4x128xf32, 1>, memref<4x128xf32, 3>
  return
}
func.func private @f.items0() -> index
func.func private @f.workspace() -> index
func.func private @f(memref<?x4x128xf32, strided<[?, 128, 1]>>,
                     memref<4x128xf32, strided<[?, 1]>>)
    attributes {deltanet.stages = [@f.stage0], deltanet.items = [@f.items0],
                deltanet.workspace = @f.workspace}

// A stage without fragments of tensors of a call serves all calls.

// CHECK-LABEL: func.func private @g.stage0
// CHECK-NOT: deltanet.unaligned
// CHECK: fragment.load %{{.*}} alignment 16
// CHECK-NOT: @g.stage0.unaligned
func.func private @g.stage0(%out: memref<4xf32, 1>, %workspace: memref<?xi8, 1>,
                            %scratch: memref<0xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %passed = memref.view %workspace[%c0][] : memref<?xi8, 1> to memref<4x128xf32, 1>
  %a = fragment.load %passed : memref<4x128xf32, 1> -> !fragment.tile<4x128xf32, #lanes>
  return
}
func.func private @g(memref<4xf32>)
    attributes {deltanet.stages = [@g.stage0], deltanet.items = [@f.items0],
                deltanet.workspace = @f.workspace}
