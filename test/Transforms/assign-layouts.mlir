// RUN: delta-opt %s -deltanet-form-kernels -deltanet-split-sequence-into-chunks -deltanet-fuse-parallel-domains -deltanet-assign-layouts | FileCheck %s
// RUN: delta-opt %s -deltanet-form-kernels -deltanet-split-sequence-into-chunks -deltanet-fuse-parallel-domains -deltanet-assign-layouts -remarks-filter="deltanet-layout" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The states of both members in blocks of 16 columns from load to store; all
// that is computed from them is a loop over the blocks. Keys as panels.
// REMARK: the state lies in blocks of 16 columns
// REMARK: 2 products take their transpose
// CHECK-LABEL: func.func @members
// CHECK: bufferization.alloc_tensor() : tensor<2x3x64x16xf32>
// CHECK: scf.for %[[X:.+]] = %c0 to %c2
// CHECK:   scf.for %[[B:.+]] = %c0 to %c3
// CHECK:     %[[COLUMN:.+]] = arith.muli %[[B]], %c16
// CHECK:     tensor.extract_slice %{{.*}}[%[[B]], 0, 0] [1, 64, 16]
// CHECK:     tensor.extract_slice %{{.*}}[0, %[[COLUMN]]] [64, 16]
// CHECK:     linalg.copy
// CHECK:   {deltanet.axis = #deltanet<axis columns>}
// CHECK: scf.for {{.*}} -> (tensor<?x2x48xf32>, tensor<2x3x64x16xf32>)
// CHECK:   %[[PANELS:.+]] = linalg.transpose {{.*}} outs(%{{.*}} : tensor<2x64x16xf32>) permutation = [0, 2, 1]
// CHECK:   scf.for %[[J:.+]] = %c0 to %c32 step %c16
// CHECK:     %[[PANEL:.+]] = arith.divui %[[J]], %c16
// CHECK:     tensor.extract_slice %[[PANELS]][%[[PANEL]], 0, 0] [1, 64, 16]
// CHECK:     linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<16x64xf32>, tensor<64x16xf32>)
// CHECK:   scf.for {{.*}} iter_args(%[[O:.+]] = %{{.*}}, %[[S:.+]] = %{{.*}}) -> (tensor<32x48xf32>, tensor<3x64x16xf32>)
// CHECK:     linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<32x64xf32>, tensor<64x16xf32>) outs(%{{.*}} : tensor<32x16xf32>)
// CHECK:   {deltanet.axis = #deltanet<axis columns>}
// CHECK: {deltanet.axis = #deltanet<axis chunk>}
// CHECK: scf.for
// CHECK:   scf.for
// CHECK:     linalg.copy
// CHECK:   {deltanet.axis = #deltanet<axis columns>}
func.func @members(%q: tensor<?x2x64xf32>, %k: tensor<?x2x64xf32>,
                   %v: tensor<?x4x48xf32>, %g: tensor<?x4xf32>,
                   %beta: tensor<?x4xf32>, %s: tensor<?x4x64x48xf32>,
                   %cu: tensor<?xi32>)
    -> (tensor<?x4x48xf32>, tensor<?x4x64x48xf32>) {
  %o, %f = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s) cu_seqlens(%cu)
      {schedules = [#deltanet.schedule<chunked, chunk = 32>]}
      : (tensor<?x2x64xf32>, tensor<?x2x64xf32>, tensor<?x4x48xf32>,
         tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x64x48xf32>,
         tensor<?xi32>) -> (tensor<?x4x48xf32>, tensor<?x4x64x48xf32>)
  return %o, %f : tensor<?x4x48xf32>, tensor<?x4x64x48xf32>
}

// Two stages, states [V,K]: blocks of rows of the state in memory.
// REMARK: Reason="no chunk follows another"{{.*}}[gather, gram, gates, inverse, weights] over (chunk, key_head): no state in blocks of columns
// REMARK: [scan] over (sequence, key_head, member): the state lies in blocks of 32 columns
// CHECK-LABEL: func.func @stages
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 1]
// CHECK: #deltanet.domain<[gather, gram, gates, inverse, weights], [chunk, key_head]>
// CHECK: linalg.fill {{.*}} outs(%{{.*}} : tensor<16x32xf32>)
// CHECK: scf.for {{.*}} -> (tensor<?x64xf32>, tensor<2x16x32xf32>)
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, 0] [32, 16] [1, 1] : tensor<64x16xf32> to tensor<32x16xf32>
// CHECK: linalg.transpose ins(%{{.*}} : tensor<16x32xf32>)
func.func @stages(%q: tensor<?x2x16xf32>, %k: tensor<?x2x16xf32>,
                  %v: tensor<?x4x64xf32>, %beta: tensor<?x4xf32>)
    -> (tensor<?x4x64xf32>, tensor<1x4x64x16xf32>) {
  %o, %f = deltanet.delta_rule delta, grouped, vk q(%q) k(%k) v(%v) beta(%beta)
      {schedules = [#deltanet.schedule<chunked, columns = 32, chunk = 16,
                                       staging = two_stage>]}
      : (tensor<?x2x16xf32>, tensor<?x2x16xf32>, tensor<?x4x64xf32>,
         tensor<?x4xf32>) -> (tensor<?x4x64xf32>, tensor<1x4x64x16xf32>)
  return %o, %f : tensor<?x4x64xf32>, tensor<1x4x64x16xf32>
}

// Rows of one block of columns need no blocks.
// REMARK: Reason="its rows are one block of columns"
// CHECK-LABEL: func.func @narrow
// CHECK-NOT: #deltanet<axis columns>
// CHECK: scf.for {{.*}} -> (tensor<?x16xf32>, tensor<32x16xf32>)
// CHECK: return
func.func @narrow(%q: tensor<?x1x32xf32>, %k: tensor<?x1x32xf32>,
                  %v: tensor<?x1x16xf32>, %beta: tensor<?x1xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%beta)
      {schedules = [#deltanet.schedule<chunked, staging = two_stage>]}
      : (tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}
