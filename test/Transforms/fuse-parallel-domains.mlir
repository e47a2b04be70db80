// RUN: delta-opt %s -deltanet-form-kernels -deltanet-split-sequence-into-chunks -deltanet-fuse-parallel-domains | FileCheck %s
// RUN: delta-opt %s -deltanet-form-kernels -deltanet-split-sequence-into-chunks -deltanet-fuse-parallel-domains -remarks-filter="deltanet-fusion" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// One loop over sequences and key heads. The chunks run inside it and carry o and
// the states of all members; only what differs between members is in their loop.
// CHECK-LABEL: func.func @one_pass
// CHECK-NOT: deltanet.slot_sequence
// CHECK: scf.forall (%[[N:.+]], %[[H:.+]]) in (%{{.*}}, 2) shared_outs(%[[O:.+]] = %{{.*}}, %[[FINAL:.+]] = %{{.*}})
// CHECK:   tensor.extract_slice %[[O]][%{{.*}}, %{{.*}}, 0] [%{{.*}}, 3, 48] [1, 1, 1]
// CHECK-SAME: to tensor<?x3x48xf32>
// CHECK:   %[[STATES:.+]] = scf.for %{{.*}} = %c0 to %c3 {{.*}} -> (tensor<3x64x48xf32>)
// CHECK:     linalg.copy
// CHECK:   {deltanet.axis = #deltanet<axis member>}
// CHECK:   scf.for {{.*}} iter_args(%{{.*}}, %{{.*}} = %[[STATES]]) -> (tensor<?x3x48xf32>, tensor<3x64x48xf32>)
// CHECK-NOT: deltanet.axis
// CHECK:     tensor<16x64xf32>, tensor<16x64xf32>
// CHECK:     scf.for %[[X:.+]] = %c0 to %c3
// CHECK:       deltanet.decay
// CHECK:       deltanet.tril_inverse
// CHECK:       tensor.insert_slice %{{.*}} into %{{.*}}[%[[X]], 0, 0] [1, 64, 48]
// CHECK:     {deltanet.axis = #deltanet<axis member>}
// CHECK:   {deltanet.axis = #deltanet<axis chunk>}
// CHECK:   scf.for
// CHECK:     linalg.copy
// CHECK:   {deltanet.axis = #deltanet<axis member>}
// CHECK: {deltanet.domain = #deltanet.domain<[gather, gram, gates, inverse, weights, scan], [sequence, key_head]>
// CHECK-NOT: scf.forall
// CHECK: return

// REMARK-COUNT-3: both run over the same work items
// REMARK-COUNT-2: the producer's chunks are those of the consumer's sequence
// REMARK-NOT: Function=one_pass
func.func @one_pass(%q: tensor<?x2x64xf32>, %k: tensor<?x2x64xf32>,
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

// Two loops: chunks and key heads, then sequences and value heads. Tiled heads
// lie H apart.
// CHECK-LABEL: func.func @two_stage
// CHECK: %[[TILES:.+]]:7 = scf.forall (%{{.*}}, %{{.*}}) in (%{{.*}}, 2)
// CHECK:   deltanet.slot_sequence
// CHECK:   scf.if
// CHECK:     scf.for %{{.*}} = %c0 to %c3
// CHECK:       deltanet.tril_inverse
// CHECK:     {deltanet.axis = #deltanet<axis member>}
// CHECK: #deltanet.domain<[gather, gram, gates, inverse, weights], [chunk, key_head]>
// CHECK: scf.forall (%{{.*}}, %[[H:.+]], %[[X:.+]]) in (%{{.*}}, 2, 3)
// CHECK:   %[[OFFSET:.+]] = arith.muli %[[X]], %c2
// CHECK:   arith.addi %[[H]], %[[OFFSET]]
// CHECK:   tensor.extract_slice %[[TILES]]#0
// CHECK: #deltanet.domain<[scan], [sequence, key_head, member]>
// CHECK-NOT: scf.forall
// CHECK: return

// REMARK: Reason="the consumer's members are a local loop of the producer's work items"{{.*}}"merged [gather, gram] over (chunk, key_head) with [gates, inverse, weights] over (chunk, key_head, member)"
// REMARK: Reason="staging = two_stage keeps the chunks of a sequence parallel"{{.*}}"kept [gather, gram, gates, inverse, weights] over (chunk, key_head) and [scan] over (sequence, key_head, member) apart"
func.func @two_stage(%q: tensor<?x2x64xf32>, %k: tensor<?x2x64xf32>,
                     %v: tensor<?x6x48xf32>, %g: tensor<?x6xf32>,
                     %beta: tensor<?x6xf32>, %s: tensor<?x6x64x48xf32>,
                     %cu: tensor<?xi32>)
    -> (tensor<?x6x48xf32>, tensor<?x6x64x48xf32>) {
  %o, %f = deltanet.delta_rule gated, tiled, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s) cu_seqlens(%cu)
      {schedules = [#deltanet.schedule<chunked, chunk = 32,
                                       staging = two_stage>]}
      : (tensor<?x2x64xf32>, tensor<?x2x64xf32>, tensor<?x6x48xf32>,
         tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6x64x48xf32>,
         tensor<?xi32>) -> (tensor<?x6x48xf32>, tensor<?x6x64x48xf32>)
  return %o, %f : tensor<?x6x48xf32>, tensor<?x6x64x48xf32>
}

// A key head with one value head needs no loop over members.
// CHECK-LABEL: func.func @one_member
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (%{{.*}}, 2)
// CHECK-NOT: #deltanet<axis member>
// CHECK: #deltanet.domain<[gather, gram, gates, inverse, weights, scan], [sequence, key_head]>
func.func @one_member(%q: tensor<?x2x16xf32>, %k: tensor<?x2x16xf32>,
                      %v: tensor<?x2x16xf32>, %beta: tensor<?x2xf32>)
    -> tensor<?x2x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%beta)
      {schedules = [#deltanet.schedule<chunked>]}
      : (tensor<?x2x16xf32>, tensor<?x2x16xf32>, tensor<?x2x16xf32>,
         tensor<?x2xf32>) -> tensor<?x2x16xf32>
  return %o : tensor<?x2x16xf32>
}
