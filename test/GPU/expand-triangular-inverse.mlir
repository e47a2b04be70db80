// RUN: delta-opt %s -deltanet-gpu-expand-triangular-inverse | FileCheck %s

// The columns of two blocks, then one pair. L is read in place, all elements of a
// block below its diagonal by each column.

// CHECK-DAG: #[[$FIRST:.+]] = affine_map<(d0, d1, d2) -> (d0, 1, d0, 0)>
// CHECK-DAG: #[[$LAST:.+]] = affine_map<(d0, d1, d2) -> (d0, 15, d0, 14)>
// CHECK-DAG: #[[$ROWS:.+]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-LABEL: func.func @pair
// CHECK: %[[BLOCKS:.+]] = tensor.expand_shape %{{.+}} into tensor<2x16x2x16xf32>
// CHECK: %[[X0:.+]] = linalg.generic {indexing_maps = [#[[$FIRST]], {{.*}}#[[$LAST]], #[[$ROWS]]], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[BLOCKS]], {{.*}} outs(%{{.+}} : tensor<2x16x16xf32>) attrs = {deltanet.together}
// CHECK-COUNT-120: math.fma
// CHECK-NOT: math.fma

// Zeros to add to are written a step before, the diagonal beside the first product.
// CHECK: %[[ZEROS:.+]] = linalg.fill
// CHECK: %[[DIAGONAL:.+]] = tensor.expand_shape %[[X0]] {{.*}} into tensor<1x2x16x16xf32>
// CHECK: %[[X1:.+]] = linalg.generic {{.*}} ins(%[[DIAGONAL]] : {{.*}} outs(%{{.+}} : tensor<1x2x16x2x16xf32>)
// CHECK: arith.select
// CHECK: %[[SUMS:.+]] = tensor.expand_shape %[[ZEROS]] {{.*}} into tensor<1x4x4x16xf32>
// CHECK: %[[T:.+]] = linalg.generic {{.*}}"parallel", "reduction"]} {{.*}} outs(%[[SUMS]] : {{.*}}) attrs = {deltanet.together}

// CHECK: %[[CORNER:.+]] = tensor.extract_slice %[[X1]][0, 1, 0, 0, 0] [1, 1, 16, 1, 16]
// CHECK: %[[RIGHT:.+]] = tensor.collapse_shape %[[T]]
// CHECK: %[[PARTS:.+]] = tensor.expand_shape %[[CORNER]]
// CHECK: %[[X21:.+]] = linalg.generic {{.*}} ins(%{{.+}}, %[[RIGHT]] : {{.*}} outs(%[[PARTS]] : {{.*}}) attrs = {deltanet.together}
// CHECK: arith.negf
// CHECK: %[[FLAT:.+]] = tensor.collapse_shape %[[X21]]
// CHECK: tensor.insert_slice %[[FLAT]] into %[[X1]][0, 1, 0, 0, 0]
// CHECK: return
func.func @pair(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %x = deltanet.tril_inverse %a : tensor<32x32xf32>
  return %x : tensor<32x32xf32>
}

// One block needs no merge, 128 rows need three.

// CHECK-LABEL: func.func @block
// CHECK: linalg.generic
// CHECK-NOT: linalg.{{generic|fill}}
// CHECK: return
func.func @block(%a: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %x = deltanet.tril_inverse %a : tensor<16x16xf32>
  return %x : tensor<16x16xf32>
}

// CHECK-LABEL: func.func @levels
// CHECK: linalg.generic {{.*}} outs(%{{.+}} : tensor<8x16x16xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.+}} : tensor<4x2x16x2x16xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.+}} : tensor<2x2x32x2x32xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.+}} : tensor<1x2x64x2x64xf32>)
func.func @levels(%a: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %x = deltanet.tril_inverse %a : tensor<128x128xf32>
  return %x : tensor<128x128xf32>
}
