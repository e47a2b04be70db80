// RUN: delta-opt %s -deltanet-expand-recurrence -cse | FileCheck %s

// One token, the state where it lies: an item is a key head of a sequence, and
// an empty sequence copies its state.

// CHECK-LABEL: func.func @memory
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<?x2x16xf32>, %[[K:[a-z0-9]+]]: tensor<?x2x16xf32>
// CHECK-SAME: %[[STATE:[a-z0-9]+]]: tensor<?x4x16x32xf32>, %[[CU:[a-z0-9]+]]: tensor<?xi32>
// CHECK-SAME: %[[SCALE:[a-z0-9]+]]: f32, %[[OD:[a-z0-9]+]]: tensor<?x4x32xf32>, %[[SD:[a-z0-9]+]]: tensor<?x4x16x32xf32>)
// CHECK: %[[ENTRIES:.+]] = tensor.dim %[[CU]]
// CHECK: %[[N:.+]] = arith.subi %[[ENTRIES]], %c1
// CHECK: scf.forall (%[[SEQ:.+]], %[[H:.+]], %{{.*}}) in (%[[N]], 2, 1) shared_outs(%{{.*}} = %[[OD]], %{{.*}} = %[[SD]])
// CHECK:   tensor.extract %[[CU]][%[[SEQ]]]
// CHECK:   %[[LENGTH:.+]] = arith.subi
// CHECK:   %[[SERVED:.+]] = arith.cmpi sle, %[[LENGTH]], %c1
// CHECK:   scf.if %[[SERVED]]
// CHECK:     %[[SOME:.+]] = arith.cmpi sgt, %[[LENGTH]], %c0
// CHECK:     scf.if %[[SOME]]
// CHECK:       scf.for %[[X:.+]] = %c0 to %c2 step %c1
// CHECK:         %[[S:.+]] = tensor.extract_slice %[[STATE]][%[[SEQ]], %{{.*}}, 0, %{{.*}}] [1, 1, 16, 32] [1, 1, 1, 1]
// CHECK:         math.exp
// CHECK:         deltanet.token_step kv state(%[[S]]) {{.*}} scale(%[[SCALE]])
// CHECK-NOT:   deltanet.recurrence_pass
// CHECK:   tensor.parallel_insert_slice
// CHECK:   tensor.parallel_insert_slice
// CHECK: {deltanet.schedule = #deltanet.schedule<recurrent, max_tokens = 1, state = memory>}
func.func @memory(%q: tensor<?x2x16xf32>, %k: tensor<?x2x16xf32>,
                  %v: tensor<?x4x32xf32>, %g: tensor<?x4xf32>,
                  %b: tensor<?x4xf32>, %s: tensor<?x4x16x32xf32>,
                  %cu: tensor<?xi32>, %scale: f32, %od: tensor<?x4x32xf32>,
                  %sd: tensor<?x4x16x32xf32>)
    -> (tensor<?x4x32xf32>, tensor<?x4x16x32xf32>) {
  %o, %f = deltanet.delta_rule gated, grouped, kv q(%q) k(%k) v(%v) g(%g)
      beta(%b) state(%s) cu_seqlens(%cu) scale(%scale) outs(%od, %sd)
      {schedules = [#deltanet.schedule<recurrent, max_tokens = 1,
                                       state = memory>]}
      : (tensor<?x2x16xf32>, tensor<?x2x16xf32>, tensor<?x4x32xf32>,
         tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x16x32xf32>,
         tensor<?xi32>, f32, tensor<?x4x32xf32>, tensor<?x4x16x32xf32>)
      -> (tensor<?x4x32xf32>, tensor<?x4x16x32xf32>)
  return %o, %f : tensor<?x4x32xf32>, tensor<?x4x16x32xf32>
}

// vk, four rows, six value heads that are two apart: two heads at once, each
// with two rows.

// CHECK-LABEL: func.func @bundle
// CHECK-SAME: %[[STATE:[a-z0-9]+]]: tensor<1x12x32x16xf32>
// CHECK: scf.for %{{.*}} = %c0 to %c6 step %c2
// CHECK:   tensor.extract_slice %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] [1, 2, 32] [1, 2, 1]
// CHECK:   %[[S:.+]] = tensor.extract_slice %[[STATE]][%{{.*}}, %{{.*}}, %{{.*}}, 0] [1, 2, 32, 16] [1, 2, 1, 1]
// CHECK-NOT: math.exp
// CHECK:   deltanet.token_step vk state(%[[S]]) {{.*}} {rows = 4 : i64}
func.func @bundle(%q: tensor<?x2x16xf32>, %v: tensor<?x12x32xf32>,
                  %b: tensor<?x12xf32>, %s: tensor<1x12x32x16xf32>,
                  %scale: f32, %od: tensor<?x12x32xf32>,
                  %sd: tensor<1x12x32x16xf32>)
    -> (tensor<?x12x32xf32>, tensor<1x12x32x16xf32>) {
  %o, %f = deltanet.delta_rule delta, tiled, vk q(%q) k(%q) v(%v) beta(%b)
      state(%s) scale(%scale) outs(%od, %sd)
      {schedules = [#deltanet.schedule<recurrent, max_tokens = 1, rows = 4,
                                       state = memory>]}
      : (tensor<?x2x16xf32>, tensor<?x2x16xf32>, tensor<?x12x32xf32>,
         tensor<?x12xf32>, tensor<1x12x32x16xf32>, f32, tensor<?x12x32xf32>,
         tensor<1x12x32x16xf32>)
      -> (tensor<?x12x32xf32>, tensor<1x12x32x16xf32>)
  return %o, %f : tensor<?x12x32xf32>, tensor<1x12x32x16xf32>
}

// Blocks of 6 tokens, three a pass, over slices of 32 columns of V = 64: the
// state is copied into scratch of [heads, slices of columns, K, W], and each
// pass sees the keys of the three tokens before. The two passes over three rows
// ask for two lines each of o, and of the v, k and q to be gathered next.

// CHECK-LABEL: func.func @scratch
// CHECK: scf.forall (%{{.*}}, %[[H:.+]], %[[PART:.+]]) in (%c1, 1, 2)
// CHECK:   %[[STATES:.+]] = {{.*}}tensor<2x2x16x16xf32>
// CHECK:   linalg.transpose ins(%{{.*}} : tensor<16x16xf32>) outs(%{{.*}} : tensor<16x16xf32>)
// CHECK:   scf.for %{{.*}} = %c0 to %{{.*}} step %c6
// CHECK:     arith.minsi
// CHECK:     math.sqrt
// CHECK:     scf.for %[[X:.+]] = %c0 to %c2
// CHECK:       scf.for %{{.*}} = %c0 to %c2
// CHECK:         scf.for %[[GROUP:.+]] = %c0 to
// CHECK:           %[[ROW:.+]] = arith.muli %[[GROUP]], %c3
// CHECK:           memref.prefetch %{{.*}}, write
// CHECK:           memref.prefetch %{{.*}}, read, {{.*}} : memref<?x2x64xbf16
// CHECK:           memref.prefetch %{{.*}}, write
// CHECK:           memref.prefetch %{{.*}}, read, {{.*}} : memref<?x2x64xbf16
// CHECK-COUNT-4:   memref.prefetch %{{.*}}, read, {{.*}} : memref<?x1x16xbf16
// CHECK-NOT:       memref.prefetch
// CHECK:           %[[BEFORE:.+]] = tensor.extract_slice %[[KEYS:.+]][%[[ROW]], 0, 0] [3, 2, 16]
// CHECK:           %[[NEXT:.+]] = arith.addi %[[ROW]], %c3
// CHECK:           %[[NOW:.+]] = tensor.extract_slice %[[KEYS]][%[[NEXT]], 0, 0] [3, 2, 16]
// CHECK:           deltanet.recurrence_pass state(%{{.*}}) previous(%[[BEFORE]]) current(%[[NOW]]) {{.*}} {rows = 2 : i64}
// CHECK-NOT: math.exp
func.func @scratch(%q: tensor<?x1x16xbf16>, %k: tensor<?x1x16xbf16>,
                   %v: tensor<?x2x64xbf16>, %b: tensor<?x2xf32>,
                   %s: tensor<1x2x64x16xf32>, %scale: f32,
                   %od: tensor<?x2x64xbf16>, %sd: tensor<1x2x64x16xf32>)
    -> (tensor<?x2x64xbf16>, tensor<1x2x64x16xf32>) {
  %o, %f = deltanet.delta_rule delta, tiled, vk q(%q) k(%k) v(%v) beta(%b)
      state(%s) scale(%scale) outs(%od, %sd)
      {l2norm_eps = 1.0e-6 : f32,
       schedules = [#deltanet.schedule<recurrent, value_slice = 32, tokens = 3,
                                       rows = 2, block = 6>]}
      : (tensor<?x1x16xbf16>, tensor<?x1x16xbf16>, tensor<?x2x64xbf16>,
         tensor<?x2xf32>, tensor<1x2x64x16xf32>, f32, tensor<?x2x64xbf16>,
         tensor<1x2x64x16xf32>)
      -> (tensor<?x2x64xbf16>, tensor<1x2x64x16xf32>)
  return %o, %f : tensor<?x2x64xbf16>, tensor<1x2x64x16xf32>
}

// Lengths from 2 to 9 only: other sequences keep what is in the destination.
// With gates a pass may have to multiply the state.

// CHECK-LABEL: func.func @range
// CHECK: %[[LOW:.+]] = arith.cmpi sge, %[[LENGTH:.+]], %c2
// CHECK: %[[HIGH:.+]] = arith.cmpi sle, %[[LENGTH]], %c9
// CHECK: %[[SERVED:.+]] = arith.andi %[[LOW]], %[[HIGH]]
// CHECK: scf.if %[[SERVED]]
// CHECK: deltanet.recurrence_pass {{.*}} {rare_decay}
// CHECK: } else {
// CHECK-NEXT: scf.yield
func.func @range(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
                 %v: tensor<?x1x16xf32>, %g: tensor<?x1xf32>,
                 %b: tensor<?x1xf32>, %scale: f32, %od: tensor<?x1x16xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule gated, grouped, kv q(%q) k(%k) v(%v) g(%g) beta(%b)
      scale(%scale) outs(%od)
      {schedules = [#deltanet.schedule<recurrent, min_tokens = 2,
                                       max_tokens = 9>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<?x1xf32>, f32, tensor<?x1x16xf32>)
      -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// Chunked schedules are left alone.

// CHECK-LABEL: func.func @chunked
// CHECK-NEXT: deltanet.delta_rule
// CHECK-NEXT: return
func.func @chunked(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
                   %v: tensor<?x1x16xf32>, %b: tensor<?x1xf32>, %scale: f32,
                   %od: tensor<?x1x16xf32>) -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      scale(%scale) outs(%od) {schedules = [#deltanet.schedule<chunked>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, f32, tensor<?x1x16xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}
