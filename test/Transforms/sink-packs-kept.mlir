// RUN: delta-opt %s -deltanet-sink-packs | FileCheck %s
// RUN: delta-opt %s -deltanet-sink-packs -remarks-filter="deltanet-layout" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#all = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @split_twice_used
// CHECK: linalg.transpose
// REMARK: Reason="others use the split rows"
func.func @split_twice_used(%x: tensor<32x64xf32>, %k: tensor<32x64xf32>,
                            %out: tensor<2x64x16xf32>)
    -> (tensor<2x64x16xf32>, tensor<2x16x64xf32>) {
  %s = linalg.generic {indexing_maps = [#all, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<32x64xf32>) outs(%k : tensor<32x64xf32>) {
  ^bb0(%in: f32, %old: f32):
    %z = arith.negf %in : f32
    linalg.yield %z : f32
  } -> tensor<32x64xf32>
  %e = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 16, 64]
      : tensor<32x64xf32> into tensor<2x16x64xf32>
  %p = linalg.transpose ins(%e : tensor<2x16x64xf32>)
      outs(%out : tensor<2x64x16xf32>) permutation = [0, 2, 1]
  return %p, %e : tensor<2x64x16xf32>, tensor<2x16x64xf32>
}

// CHECK-LABEL: func.func @of_unknown_rows
// CHECK: linalg.transpose
// REMARK: Reason="the operation before it has tensors that cannot be split"
func.func @of_unknown_rows(%x: tensor<?x64xf32>, %k: tensor<32x64xf32>,
                           %out: tensor<2x64x16xf32>) -> tensor<2x64x16xf32> {
  %s = linalg.generic {indexing_maps = [#all, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x64xf32>) outs(%k : tensor<32x64xf32>) {
  ^bb0(%in: f32, %old: f32):
    %z = arith.negf %in : f32
    linalg.yield %z : f32
  } -> tensor<32x64xf32>
  %e = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 16, 64]
      : tensor<32x64xf32> into tensor<2x16x64xf32>
  %p = linalg.transpose ins(%e : tensor<2x16x64xf32>)
      outs(%out : tensor<2x64x16xf32>) permutation = [0, 2, 1]
  return %p : tensor<2x64x16xf32>
}

// What the operation reads may be written before the pack.

// CHECK-LABEL: func.func @of_memory
// CHECK: linalg.generic
// CHECK: memref.store
// CHECK: linalg.transpose
// REMARK: Reason="the operation before it is not elementwise"
func.func @of_memory(%m: memref<f32>, %f: f32, %x: tensor<32x64xf32>,
                     %k: tensor<32x64xf32>, %out: tensor<2x64x16xf32>)
    -> tensor<2x64x16xf32> {
  %s = linalg.generic {indexing_maps = [#all, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<32x64xf32>) outs(%k : tensor<32x64xf32>) {
  ^bb0(%in: f32, %old: f32):
    %y = memref.load %m[] : memref<f32>
    %z = arith.mulf %in, %y : f32
    linalg.yield %z : f32
  } -> tensor<32x64xf32>
  memref.store %f, %m[] : memref<f32>
  %e = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 16, 64]
      : tensor<32x64xf32> into tensor<2x16x64xf32>
  %p = linalg.transpose ins(%e : tensor<2x16x64xf32>)
      outs(%out : tensor<2x64x16xf32>) permutation = [0, 2, 1]
  return %p : tensor<2x64x16xf32>
}
