// RUN: delta-opt %s -deltanet-expand-decay | FileCheck %s

// Sums only: nothing is subtracted but token numbers.
// CHECK-LABEL: func.func @decays
// CHECK-NOT: arith.subf

// Sums of the chunk and of the block, forward and backward.
// CHECK: %[[FORWARD:.+]]:3 = scf.for %{{.*}} = %c0{{.*}} to %c32{{.*}} step %c16
// CHECK: %[[BACKWARD:.+]]:3 = scf.for %{{.*}} = %c0{{.*}} to %c32{{.*}} step %c16

// The row scan of a diagonal block masks before the exponential.
// CHECK: %[[MATRIX:.+]] = scf.for %[[COLUMN:.+]] = %c0{{.*}} to %c32{{.*}} step %c16
// CHECK:   scf.for %[[ROW:.+]] = %c0
// CHECK:     linalg.generic
// CHECK:       %[[SUM:.+]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK:       math.exp %[[SUM]]

// A block below is an outer product of exponentials.
// CHECK:   scf.for
// CHECK:     %[[DECAYS:.+]] = linalg.generic
// CHECK:       math.exp
// CHECK:     linalg.generic {{.*}} ins(%[[DECAYS]], %{{.*}} : tensor<16xf32>, tensor<16xf32>) outs(%{{.*}} : tensor<16x16xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT:    arith.mulf
// CHECK: return %[[MATRIX]], %[[FORWARD]]#0, %[[BACKWARD]]#0
func.func @decays(%g: tensor<32xf32>)
    -> (tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>) {
  %d, %p, %s = deltanet.decay %g
      : tensor<32xf32> -> tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>
  return %d, %p, %s : tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>
}

// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: return
func.func @nothing(%g: tensor<32xf32>) -> tensor<32xf32> {
  return %g : tensor<32xf32>
}
