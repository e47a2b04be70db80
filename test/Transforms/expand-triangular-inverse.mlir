// RUN: delta-opt %s -deltanet-expand-triangular-inverse -split-input-file | FileCheck %s

// Two diagonal blocks of 16, row by row, then one pair.

// CHECK-LABEL: func.func @pair
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<32x32xf32>
// CHECK:       %[[D:.*]] = scf.for %[[B:[a-z0-9]+]] = %c0 to %c2 step %c1 iter_args({{.*}}) -> (tensor<2x16x16xf32>)
// CHECK:         %[[BEGIN:.*]] = arith.muli %[[B]], %c16
// CHECK:         tensor.extract_slice %[[A]][%[[BEGIN]], %[[BEGIN]]] [16, 16] [1, 1]
// CHECK:         arith.cmpi ugt
// CHECK:         arith.negf
// CHECK:         scf.for %[[R:[a-z0-9]+]] =
// CHECK:           %[[L:.*]] = tensor.extract_slice %{{.*}}[%[[R]], 0] [1, %[[R]]] [1, 1]
// CHECK:           %[[X:.*]] = tensor.extract_slice %{{.*}}[%[[B]], 0, 0] [1, %[[R]], 16] [1, 1, 1]
// CHECK:           linalg.matmul ins(%[[L]], %[[X]] : tensor<1x?xf32>, tensor<?x16xf32>)
// CHECK:       %[[M:.*]] = scf.for %[[P:[a-z0-9]+]] = %c0{{.*}} to %c1{{.*}} step %c1{{.*}} iter_args({{.*}}) -> (tensor<1x32x32xf32>)
// CHECK-COUNT-2: linalg.copy
// CHECK:         %[[T:.*]] = linalg.matmul
// CHECK:         linalg.matmul ins(%{{.*}}, %[[T]] :
// CHECK:         arith.negf
// CHECK:       %[[RESULT:.*]] = tensor.extract_slice %[[M]][0, 0, 0] [1, 32, 32] [1, 1, 1]
// CHECK:       return %[[RESULT]]
func.func @pair(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %x = deltanet.tril_inverse %a : tensor<32x32xf32>
  return %x : tensor<32x32xf32>
}

// -----

// One block needs no merge, 128 rows need three.

// CHECK-LABEL: func.func @block
// CHECK-NOT:   linalg.copy
// CHECK:       tensor.extract_slice {{.*}} tensor<1x16x16xf32> to tensor<16x16xf32>
// CHECK-NEXT:  return
func.func @block(%a: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %x = deltanet.tril_inverse %a : tensor<16x16xf32>
  return %x : tensor<16x16xf32>
}

// CHECK-LABEL: func.func @levels
// CHECK:       scf.for {{.*}} -> (tensor<8x16x16xf32>)
// CHECK:       scf.for {{.*}} -> (tensor<4x32x32xf32>)
// CHECK:       scf.for {{.*}} -> (tensor<2x64x64xf32>)
// CHECK:       scf.for {{.*}} -> (tensor<1x128x128xf32>)
func.func @levels(%a: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %x = deltanet.tril_inverse %a : tensor<128x128xf32>
  return %x : tensor<128x128xf32>
}

// -----

// CHECK-LABEL: func.func @nothing
// CHECK-NEXT:  return %arg0
func.func @nothing(%a: tensor<16x16xf32>) -> tensor<16x16xf32> {
  return %a : tensor<16x16xf32>
}
