// RUN: delta-opt -canonicalize -split-input-file %s | FileCheck %s

#lanes = #fragment.lanes<lanes = [1, 32], warps = [4, 1]>
!state = !fragment.tile<32x128xf32, #lanes>

// CHECK-LABEL: @load_of_store
//  CHECK-SAME: %[[T:[^:]+]]: !fragment.tile<32x128xf32
//   CHECK-NOT: fragment.load
//       CHECK: return %[[T]]
func.func @load_of_store(%t: !state, %m: tensor<32x128xf32>) -> !state {
  %s = fragment.store %t, %m : !state, tensor<32x128xf32>
  %l = fragment.load %s alignment 16 : tensor<32x128xf32> -> !state
  return %l : !state
}

// A tile of another layout, a transposed one, and one that memory cuts off.
// CHECK-LABEL: @other_loads
// CHECK-COUNT-3: fragment.load
func.func @other_loads(%t: !state, %m: tensor<32x128xf32>, %q: tensor<128x128xf32>,
                       %u: !fragment.tile<128x128xf32, #lanes>, %d: tensor<?x128xf32>)
    -> (!fragment.tile<32x128xf32, #fragment.lanes<lanes = [2, 16], warps = [4, 1]>>,
        !fragment.tile<128x128xf32, #lanes>, !state) {
  %0 = fragment.store %t, %m : !state, tensor<32x128xf32>
  %1 = fragment.load %0 : tensor<32x128xf32>
      -> !fragment.tile<32x128xf32, #fragment.lanes<lanes = [2, 16], warps = [4, 1]>>
  %2 = fragment.store %u, %q : !fragment.tile<128x128xf32, #lanes>, tensor<128x128xf32>
  %3 = fragment.load %2 dims [1, 0] : tensor<128x128xf32> -> !fragment.tile<128x128xf32, #lanes>
  %4 = fragment.store %t, %d : !state, tensor<?x128xf32>
  %5 = fragment.load %4 : tensor<?x128xf32> -> !state
  return %1, %3, %5 : !fragment.tile<32x128xf32, #fragment.lanes<lanes = [2, 16], warps = [4, 1]>>,
      !fragment.tile<128x128xf32, #lanes>, !state
}

// CHECK-LABEL: @load_of_fill
//       CHECK: %[[ZERO:.+]] = arith.constant 0.0
//       CHECK: %[[S:.+]] = fragment.splat %[[ZERO]] : <32x128xf32
//       CHECK: return %[[S]]
func.func @load_of_fill(%m: tensor<32x128xf32>) -> !state {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%m : tensor<32x128xf32>) -> tensor<32x128xf32>
  %l = fragment.load %f : tensor<32x128xf32> -> !state
  return %l : !state
}

// What was known of the alignment was true of the copy.
// CHECK-LABEL: @load_of_copy
//  CHECK-SAME: %[[A:[^:]+]]: tensor<32x128xf32>
//       CHECK: fragment.load %[[A]] : tensor<32x128xf32>
func.func @load_of_copy(%a: tensor<32x128xf32>, %m: tensor<32x128xf32>) -> !state {
  %c = linalg.copy ins(%a : tensor<32x128xf32>) outs(%m : tensor<32x128xf32>) -> tensor<32x128xf32>
  %l = fragment.load %c alignment 16 : tensor<32x128xf32> -> !state
  return %l : !state
}

// A copy that converts is none.
// CHECK-LABEL: @load_of_conversion
//       CHECK: %[[C:.+]] = linalg.copy
//       CHECK: fragment.load %[[C]]
func.func @load_of_conversion(%a: tensor<32x128xbf16>, %m: tensor<32x128xf32>) -> !state {
  %c = linalg.copy ins(%a : tensor<32x128xbf16>) outs(%m : tensor<32x128xf32>) -> tensor<32x128xf32>
  %l = fragment.load %c : tensor<32x128xf32> -> !state
  return %l : !state
}

// CHECK-LABEL: @overwritten
//  CHECK-SAME: %[[T:[^:]+]]: !fragment{{.*}}, %{{.+}}: tensor<32x128xf32>, %[[M:.+]]: tensor<32x128xf32>
//  CHECK-NEXT: %[[S:.+]] = fragment.store %[[T]], %[[M]]
//  CHECK-NEXT: return %[[S]]
func.func @overwritten(%t: !state, %a: tensor<32x128xf32>, %m: tensor<32x128xf32>)
    -> tensor<32x128xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%m : tensor<32x128xf32>) -> tensor<32x128xf32>
  %1 = linalg.copy ins(%a : tensor<32x128xf32>) outs(%0 : tensor<32x128xf32>) -> tensor<32x128xf32>
  %2 = fragment.store %t, %1 : !state, tensor<32x128xf32>
  %3 = fragment.store %t, %2 : !state, tensor<32x128xf32>
  return %3 : tensor<32x128xf32>
}

// More rows than the tile has may stay as they are.
// CHECK-LABEL: @not_overwritten
//       CHECK: %[[F:.+]] = linalg.fill
//       CHECK: fragment.store %{{.+}}, %[[F]]
func.func @not_overwritten(%t: !state, %m: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%m : tensor<?x128xf32>) -> tensor<?x128xf32>
  %1 = fragment.store %t, %0 : !state, tensor<?x128xf32>
  return %1 : tensor<?x128xf32>
}

// CHECK-LABEL: @map
//  CHECK-SAME: %[[T:[^:]+]]: !fragment.tile<32x128xf32, #{{.+}}>, %[[X:.+]]: f32
//       CHECK: %[[R:.+]] = fragment.map %[[T]] : (!fragment.tile<32x128xf32, #{{.+}}>) -> !fragment
//  CHECK-NEXT: ^bb0(%[[A:.+]]: f32):
//  CHECK-NEXT:   %[[P:.+]] = arith.mulf %[[A]], %[[X]]
//  CHECK-NEXT:   %[[Q:.+]] = arith.addf %[[P]], %[[A]]
//  CHECK-NEXT:   fragment.yield %[[Q]]
//       CHECK: return %[[R]]
func.func @map(%t: !state, %x: f32) -> !state {
  %s = fragment.splat %x : !fragment.tile<1x1xf32, #lanes>
  %r:3 = fragment.map %t, %t, %s, %t
      : (!state, !state, !fragment.tile<1x1xf32, #lanes>, !state) -> (!state, !state, !state) {
  ^bb0(%a: f32, %b: f32, %c: f32, %unused: f32):
    %p = arith.mulf %a, %c : f32
    %q = arith.addf %p, %b : f32
    fragment.yield %p, %q, %b : f32, f32, f32
  }
  return %r#1 : !state
}

// CHECK-LABEL: @folds
//  CHECK-SAME: %[[T:[^:]+]]: !fragment.tile<32x1xf32, #{{.+}}>, %[[X:.+]]: f32
//  CHECK-NEXT: return %[[T]], %[[X]]
func.func @folds(%t: !fragment.tile<32x1xf32, #lanes>, %x: f32)
    -> (!fragment.tile<32x1xf32, #lanes>, f32) {
  %r = fragment.reduce %t along 1 : !fragment.tile<32x1xf32, #lanes> -> !fragment.tile<32x1xf32, #lanes>
  %s = fragment.splat %x : !fragment.tile<1x1xf32, #lanes>
  %y = fragment.extract %s : !fragment.tile<1x1xf32, #lanes>
  return %r, %y : !fragment.tile<32x1xf32, #lanes>, f32
}
