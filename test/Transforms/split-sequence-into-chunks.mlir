// RUN: delta-opt %s -deltanet-form-kernels -deltanet-split-sequence-into-chunks | FileCheck %s

// Six phases over their own work items; T/C + N slots, none without sequences.
// CHECK-LABEL: func.func @gated
// CHECK-SAME: %[[CU:[a-z0-9]+]]: tensor<?xi32> {deltanet.role = #deltanet<role cu_seqlens>}
// CHECK: %[[QUOTIENT:.+]] = arith.divui %{{.*}}, %c32
// CHECK: %[[SUM:.+]] = arith.addi %[[QUOTIENT]], %[[N:.+]] : index
// CHECK: %[[SLOTS:.+]] = arith.select %{{.*}}, %c0, %[[SUM]]

// gather: rows of the chunk, zeros behind them, unused slots left alone.
// CHECK: %[[ROWS:.+]]:2 = scf.forall (%[[SLOT:.+]], %[[H:.+]]) in (%[[SLOTS]], 2) shared_outs
// CHECK:   %[[OWNER:.+]] = deltanet.slot_sequence %[[SLOT]] in %[[CU]] {chunk = 32 : i64}
// CHECK:   tensor.extract %[[CU]][%[[OWNER]]]
// CHECK:   %[[COUNT:.+]] = arith.minsi
// CHECK:   %[[USED:.+]] = arith.cmpi sgt, %[[COUNT]], %c0
// CHECK:   scf.if %[[USED]]
// CHECK:     tensor.extract_slice %{{.*}}[%{{.*}}, %[[H]], 0] [%[[COUNT]], 1, 64]
// CHECK:     linalg.copy
// CHECK:     linalg.fill
// CHECK: } {deltanet.domain = #deltanet.domain<[gather], [chunk, key_head]>, deltanet.schedule = #deltanet.schedule<chunked, chunk = 32>}

// gram: one product with the keys for k and one for q, blocks j ≤ i.
// CHECK: %[[GRAM:.+]]:2 = scf.forall
// CHECK:   scf.for %[[COLUMN:.+]] = %c0 to %c32 step %c16
// CHECK:     scf.for %{{.*}} = %[[COLUMN]] to %c32 step %c16
// CHECK-COUNT-2: linalg.matmul indexing_maps = [{{.*}}] ins(%{{.*}}, %{{.*}} : tensor<16x64xf32>, tensor<16x64xf32>)
// CHECK: #deltanet.domain<[gram], [chunk, key_head]>

// CHECK: %[[GATES:.+]]:5 = scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) in (%[[SLOTS]], 2, 3)
// CHECK:   deltanet.decay %{{.*}} : tensor<32xf32>
// CHECK:   math.exp
// CHECK: #deltanet.domain<[gates], [chunk, key_head, member]>

// CHECK: scf.forall
// CHECK:   deltanet.tril_inverse
// CHECK: #deltanet.domain<[inverse], [chunk, key_head, member]>

// CHECK: scf.forall
// CHECK:   arith.select
// CHECK: #deltanet.domain<[weights], [chunk, key_head, member]>

// scan: the chunks of a sequence in order, carrying its rows of o and the state.
// CHECK: scf.forall (%[[SEQ:.+]], %{{.*}}, %{{.*}}) in (%[[N]], 2, 3)
// CHECK:   scf.for %[[S:.+]] = %{{.*}} to %{{.*}} step %c1 iter_args(%{{.*}} = %{{.*}}, %[[STATE:.+]] = %{{.*}}) -> (tensor<?x48xf32>, tensor<64x48xf32>)
// CHECK:     %[[K:.+]] = tensor.extract_slice %[[ROWS]]#0[%[[S]], %{{.*}}, 0, 0] [1, 1, 32, 64]
// CHECK:     linalg.matmul ins(%[[K]], %[[STATE]] : tensor<32x64xf32>, tensor<64x48xf32>)
// CHECK:     scf.for %[[ROW:.+]] = %c0 to %c32 step %c16
// CHECK:       %[[END:.+]] = arith.addi %[[ROW]], %c16
// CHECK:       tensor.extract_slice %{{.*}}[%[[ROW]], 0] [16, %[[END]]]
// CHECK: {deltanet.axis = #deltanet<axis chunk>}
// CHECK: #deltanet.domain<[scan], [sequence, key_head, member]>
func.func @gated(%q: tensor<?x2x64xf32>, %k: tensor<?x2x64xf32>,
                 %v: tensor<?x6x48xf32>, %g: tensor<?x6xf32>,
                 %beta: tensor<?x6xf32>, %s: tensor<?x6x64x48xf32>,
                 %cu: tensor<?xi32>)
    -> (tensor<?x6x48xf32>, tensor<?x6x64x48xf32>) {
  %o, %f = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s) cu_seqlens(%cu)
      {schedules = [#deltanet.schedule<chunked, chunk = 32>]}
      : (tensor<?x2x64xf32>, tensor<?x2x64xf32>, tensor<?x6x48xf32>,
         tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6x64x48xf32>,
         tensor<?xi32>) -> (tensor<?x6x48xf32>, tensor<?x6x64x48xf32>)
  return %o, %f : tensor<?x6x48xf32>, tensor<?x6x64x48xf32>
}

// Without gates: no exponential, no decay; 16-bit rows are widened on the way in
// and rounded once on the way out; states [V,K] are transposed.
// CHECK-LABEL: func.func @delta
// CHECK-NOT: math.exp
// CHECK-NOT: deltanet.decay
// CHECK-NOT: deltanet.slot_sequence
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: math.sqrt
// CHECK: #deltanet.domain<[scan], [sequence, key_head, member, columns]>
func.func @delta(%q: tensor<?x2x32xbf16>, %k: tensor<?x2x32xbf16>,
                 %v: tensor<?x2x64xbf16>, %beta: tensor<?x2xf32>)
    -> (tensor<?x2x64xbf16>, tensor<1x2x64x32xf32>) {
  %o, %f = deltanet.delta_rule delta, grouped, vk q(%q) k(%k) v(%v) beta(%beta)
      {l2norm_eps = 1.0e-6 : f32, schedules = [#deltanet.schedule<
          chunked, value_slice = 32, staging = two_stage>]}
      : (tensor<?x2x32xbf16>, tensor<?x2x32xbf16>, tensor<?x2x64xbf16>,
         tensor<?x2xf32>) -> (tensor<?x2x64xbf16>, tensor<1x2x64x32xf32>)
  return %o, %f : tensor<?x2x64xbf16>, tensor<1x2x64x32xf32>
}

// A schedule for some lengths leaves the other sequences alone.
// CHECK-LABEL: func.func @short
// CHECK: arith.cmpi sge, %[[LENGTH:.+]], %c16
// CHECK: arith.cmpi sle, %[[LENGTH]], %c99
// CHECK: #deltanet.domain<[scan]
func.func @short(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
                 %v: tensor<?x1x16xf32>, %beta: tensor<?x1xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%beta)
      {schedules = [#deltanet.schedule<chunked, min_tokens = 16,
                                       max_tokens = 99>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// Recurrent schedules and rules without a schedule are not touched.
// CHECK-LABEL: func.func @recurrent
// CHECK: deltanet.delta_rule
// CHECK-NOT: scf.forall
func.func @recurrent(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
                     %v: tensor<?x1x16xf32>, %beta: tensor<?x1xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%beta)
      {schedules = [#deltanet.schedule<recurrent>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}
