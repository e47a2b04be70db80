// RUN: delta-opt %s -deltanet-sink-packs | FileCheck %s
// RUN: delta-opt %s -deltanet-sink-packs -remarks-filter="deltanet-layout" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>

// CHECK-DAG: #[[$FACTORS:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$BLOCKS:.+]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$PANELS:.+]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>

// Scaled and packed in one pass, the rows in place.
// REMARK: packed in the pass of the operation before
// CHECK-LABEL: func.func @scaled
// CHECK-SAME: (%[[F:.+]]: tensor<32xf32>, %[[K:.+]]: tensor<32x64xf32>, %[[OUT:.+]]: tensor<2x64x16xf32>)
// CHECK-DAG: %[[FS:.+]] = tensor.expand_shape %[[F]] {{\[}}[0, 1]]
// CHECK-DAG: %[[KS:.+]] = tensor.expand_shape %[[K]] {{\[}}[0, 1], [2]]
// CHECK: %[[BOTH:.+]]:2 = linalg.generic {indexing_maps = [#[[$FACTORS]], #[[$BLOCKS]], #[[$PANELS]]]
// CHECK-SAME: ins(%[[FS]] : tensor<2x16xf32>) outs(%[[KS]], %[[OUT]] : tensor<2x16x64xf32>, tensor<2x64x16xf32>)
// CHECK: %[[ROWS:.+]] = tensor.collapse_shape %[[BOTH]]#0
// CHECK: return %[[ROWS]], %[[BOTH]]#1
func.func @scaled(%f: tensor<32xf32>, %k: tensor<32x64xf32>,
                  %out: tensor<2x64x16xf32>)
    -> (tensor<32x64xf32>, tensor<2x64x16xf32>) {
  %s = linalg.generic {indexing_maps = [#rows, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%f : tensor<32xf32>) outs(%k : tensor<32x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.mulf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<32x64xf32>
  %e = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 16, 64]
      : tensor<32x64xf32> into tensor<2x16x64xf32>
  %p = linalg.transpose ins(%e : tensor<2x16x64xf32>)
      outs(%out : tensor<2x64x16xf32>) permutation = [0, 2, 1]
  return %s, %p : tensor<32x64xf32>, tensor<2x64x16xf32>
}

// A pack of rows that come from elsewhere stays a pass of its own.
// REMARK: Reason="no elementwise operation on whole tiles precedes it"
// CHECK-LABEL: func.func @gathered
// CHECK: linalg.transpose
func.func @gathered(%k: tensor<32x64xf32>, %out: tensor<2x64x16xf32>)
    -> tensor<2x64x16xf32> {
  %e = tensor.expand_shape %k [[0, 1], [2]] output_shape [2, 16, 64]
      : tensor<32x64xf32> into tensor<2x16x64xf32>
  %p = linalg.transpose ins(%e : tensor<2x16x64xf32>)
      outs(%out : tensor<2x64x16xf32>) permutation = [0, 2, 1]
  return %p : tensor<2x64x16xf32>
}

// REMARK: Reason="the operation before it permutes its operands"
// CHECK-LABEL: func.func @permuted
// CHECK: linalg.transpose
func.func @permuted(%q: tensor<64x32xf32>, %k: tensor<32x64xf32>,
                    %out: tensor<2x64x16xf32>) -> tensor<2x64x16xf32> {
  %s = linalg.generic {indexing_maps = [#swapped, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<64x32xf32>) outs(%k : tensor<32x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.mulf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<32x64xf32>
  %e = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 16, 64]
      : tensor<32x64xf32> into tensor<2x16x64xf32>
  %p = linalg.transpose ins(%e : tensor<2x16x64xf32>)
      outs(%out : tensor<2x64x16xf32>) permutation = [0, 2, 1]
  return %p : tensor<2x64x16xf32>
}

// A plain transpose is no pack.
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: linalg.transpose
// CHECK-NEXT: return
func.func @nothing(%k: tensor<32x64xf32>, %out: tensor<64x32xf32>)
    -> tensor<64x32xf32> {
  %p = linalg.transpose ins(%k : tensor<32x64xf32>)
      outs(%out : tensor<64x32xf32>) permutation = [1, 0]
  return %p : tensor<64x32xf32>
}
