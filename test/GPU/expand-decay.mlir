// RUN: delta-opt %s -deltanet-gpu-expand-decay | FileCheck %s

// Sums only, of gates that are selected: nothing is subtracted, and exponentials
// alone are multiplied.

// CHECK-DAG: #[[$FIRST:.+]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-DAG: #[[$LAST:.+]] = affine_map<(d0, d1) -> (d0, 15)>
// CHECK-LABEL: func.func @decays
// CHECK-NOT: arith.subf
// CHECK: %[[GATES:.+]] = tensor.expand_shape %{{.+}} {{\[\[}}0, 1]] {{.*}} into tensor<2x16xf32>

// All gates of a block are operands of each of its elements.
// CHECK: %[[SUMS:.+]]:3 = linalg.generic {indexing_maps = [#[[$FIRST]], {{.*}}#[[$LAST]], {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-COUNT-32: arith.select
// CHECK: math.exp
// CHECK: %[[DIAGONAL:.+]] = linalg.generic {{.*}} ins(%[[GATES]], {{.*}} outs(%{{.+}} : tensor<2x16x16xf32>)
// CHECK-COUNT-16: arith.select
// CHECK: %[[EXP:.+]] = math.exp
// CHECK: arith.select %{{.+}}, %[[EXP]], %{{.+}} : f32

// What needs those, and what needs that.
// CHECK: %[[ROWS:.+]] = linalg.generic {{.*}} ins(%[[SUMS]]#0, {{.*}} outs(%{{.+}} : tensor<2x16x2xf32>)
// CHECK: %[[CHUNK:.+]]:2 = linalg.generic {{.*}} ins(%[[SUMS]]#0, {{.*}}%[[SUMS]]#1 :
// CHECK: %[[MATRIX:.+]] = linalg.generic {{.*}} ins(%[[DIAGONAL]], %[[ROWS]], %[[SUMS]]#2 : {{.*}} outs(%{{.+}} : tensor<2x16x2x16xf32>)
// CHECK: arith.mulf
// CHECK-NOT: arith.mulf
// CHECK: %[[D:.+]] = tensor.collapse_shape %[[MATRIX]] {{\[\[}}0, 1], [2, 3]]
// CHECK: %[[P:.+]] = tensor.collapse_shape %[[CHUNK]]#0
// CHECK: %[[S:.+]] = tensor.collapse_shape %[[CHUNK]]#1
// CHECK: return %[[D]], %[[P]], %[[S]]
func.func @decays(%g: tensor<32xf32>)
    -> (tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>) {
  %d, %p, %s = deltanet.decay %g
      : tensor<32xf32> -> tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>
  return %d, %p, %s : tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>
}

// One block is its diagonal.

// CHECK-LABEL: func.func @block
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @block(%g: tensor<16xf32>)
    -> (tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %d, %p, %s = deltanet.decay %g
      : tensor<16xf32> -> tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>
  return %d, %p, %s : tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>
}
