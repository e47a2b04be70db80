// RUN: delta-opt %s -one-shot-bufferize="bufferize-function-boundaries \
// RUN:     function-boundary-type-conversion=identity-layout-map" -cse -canonicalize | FileCheck %s
// RUN: delta-opt %s -loop-invariant-subset-hoisting -canonicalize | FileCheck %s --check-prefix=HOIST

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
#other = #fragment.lanes<lanes = [2, 16], warps = [4, 1]>
!state = !fragment.tile<32x128xf32, #lanes>

// A loop over tokens that reads and writes the state: in place, and in registers.
// CHECK-LABEL: @loop
//  CHECK-SAME: %[[S:[^:]+]]: memref<32x128xf32>
//   CHECK-NOT: memref.alloc
//   CHECK-NOT: memref.copy
//       CHECK: scf.for
//       CHECK:   %[[OLD:.+]] = fragment.load %[[IN:.+]] alignment 16 : memref<32x128xf32
//       CHECK:   %[[NEW:.+]] = fragment.map %[[OLD]]
//       CHECK:   fragment.store %[[NEW]], %[[IN]] : <32x128xf32, #{{.+}}>, memref<32x128xf32
// HOIST-LABEL: @loop
//  HOIST-SAME: %[[S:[^:]+]]: tensor<32x128xf32>
//       HOIST: %[[FIRST:.+]] = fragment.load %[[S]] alignment 16
//       HOIST: %[[LAST:.+]] = scf.for {{.*}} iter_args(%[[T:.+]] = %[[FIRST]]) -> (!fragment.tile
//       HOIST:   fragment.map %[[T]]
//       HOIST: %[[R:.+]] = fragment.store %[[LAST]], %[[S]]
//       HOIST: return %[[R]]
func.func @loop(%s: tensor<32x128xf32> {bufferization.writable = true}, %n: index)
    -> tensor<32x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> tensor<32x128xf32> {
    %old = fragment.load %t alignment 16 : tensor<32x128xf32> -> !state
    %new = fragment.map %old : (!state) -> !state {
    ^bb0(%x: f32):
      %y = arith.addf %x, %x : f32
      fragment.yield %y : f32
    }
    %u = fragment.store %new, %t : !state, tensor<32x128xf32>
    scf.yield %u : tensor<32x128xf32>
  }
  return %r : tensor<32x128xf32>
}

// Neither another layout, nor transposed, nor rows beyond the end of memory, which
// are zero again when they are loaded.
// HOIST-LABEL: @not_hoisted
// HOIST-COUNT-3: iter_args(%{{.+}} = %{{.+}}) -> (tensor<
func.func @not_hoisted(%s: tensor<32x128xf32>, %q: tensor<128x128xf32>, %d: tensor<?x128xf32>, %n: index)
    -> (tensor<32x128xf32>, tensor<128x128xf32>, tensor<?x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> tensor<32x128xf32> {
    %old = fragment.load %t : tensor<32x128xf32> -> !fragment.tile<32x128xf32, #other>
    %x = fragment.reduce %old along 1 : !fragment.tile<32x128xf32, #other> -> !fragment.tile<32x1xf32, #other>
    func.call @use(%x) : (!fragment.tile<32x1xf32, #other>) -> ()
    %new = func.call @make() : () -> !state
    %u = fragment.store %new, %t : !state, tensor<32x128xf32>
    scf.yield %u : tensor<32x128xf32>
  }
  %r1 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %q) -> tensor<128x128xf32> {
    %old = fragment.load %t dims [1, 0] : tensor<128x128xf32> -> !fragment.tile<128x128xf32, #lanes>
    %u = fragment.store %old, %t : !fragment.tile<128x128xf32, #lanes>, tensor<128x128xf32>
    scf.yield %u : tensor<128x128xf32>
  }
  %r2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %d) -> tensor<?x128xf32> {
    %old = fragment.load %t : tensor<?x128xf32> -> !state
    %u = fragment.store %old, %t : !state, tensor<?x128xf32>
    scf.yield %u : tensor<?x128xf32>
  }
  return %r0, %r1, %r2 : tensor<32x128xf32>, tensor<128x128xf32>, tensor<?x128xf32>
}
func.func private @use(!fragment.tile<32x1xf32, #other>)
func.func private @make() -> !state

// A store into a part of a tensor writes there.
// CHECK-LABEL: @part
//  CHECK-SAME: %[[T:[^:]+]]: !fragment{{.*}}, %[[M:.+]]: memref<64x128xf32>
//       CHECK: %[[V:.+]] = memref.subview %[[M]][32, 0] [32, 128] [1, 1]
//       CHECK: fragment.store %[[T]], %[[V]]
//   CHECK-NOT: memref.copy
func.func @part(%t: !state, %m: tensor<64x128xf32> {bufferization.writable = true})
    -> tensor<64x128xf32> {
  %v = tensor.extract_slice %m[32, 0] [32, 128] [1, 1] : tensor<64x128xf32> to tensor<32x128xf32>
  %s = fragment.store %t, %v : !state, tensor<32x128xf32>
  %r = tensor.insert_slice %s into %m[32, 0] [32, 128] [1, 1]
      : tensor<32x128xf32> into tensor<64x128xf32>
  return %r : tensor<64x128xf32>
}

// The old tensor is read later: bufferization makes a new one, and copies nothing
// into it.
// CHECK-LABEL: @read_later
//       CHECK: %[[A:.+]] = memref.alloc
//   CHECK-NOT: memref.copy
//       CHECK: fragment.store %{{.+}}, %[[A]]
//       CHECK: fragment.load %{{.+}} : memref<32x128xf32>
func.func @read_later(%t: !state, %m: tensor<32x128xf32> {bufferization.writable = true})
    -> (tensor<32x128xf32>, !state) {
  %s = fragment.store %t, %m : !state, tensor<32x128xf32>
  %l = fragment.load %m : tensor<32x128xf32> -> !state
  return %s, %l : tensor<32x128xf32>, !state
}

// CHECK-LABEL: @product
//  CHECK-SAME: %{{[^,]+}}: !fragment{{.*}}, %[[K:.+]]: memref<?x128xbf16>, %[[S:.+]]: memref<64x128xbf16>
//       CHECK: fragment.copy_async %[[K]] to %[[S]] alignment 16 swizzled : memref<?x128xbf16>, memref
//       CHECK: fragment.mma %{{.+}}, %[[S]], %{{.+}} dims [1, 0]
func.func @product(%l: !fragment.tile<64x128xbf16, #fragment.left<warps = [4, 1]>>,
                   %k: tensor<?x128xbf16>, %s: tensor<64x128xbf16> {bufferization.writable = true})
    -> !fragment.tile<64x64xf32, #fragment.accumulator<warps = [4, 1]>> {
  %zero = arith.constant 0.0 : f32
  %z = fragment.splat %zero : !fragment.tile<64x64xf32, #fragment.accumulator<warps = [4, 1]>>
  %c = fragment.copy_async %k to %s alignment 16 swizzled : tensor<?x128xbf16>, tensor<64x128xbf16>
  %p = fragment.mma %l, %c, %z dims [1, 0]
      : !fragment.tile<64x128xbf16, #fragment.left<warps = [4, 1]>>, tensor<64x128xbf16>,
        !fragment.tile<64x64xf32, #fragment.accumulator<warps = [4, 1]>>
  return %p : !fragment.tile<64x64xf32, #fragment.accumulator<warps = [4, 1]>>
}
