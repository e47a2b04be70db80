// RUN: delta-opt %s -deltanet-vectorize-token-step -split-input-file | FileCheck %s

// vk, two heads, four rows at once: row r and, 32 rows further on, the second
// half of each head. Eight sums, then eight lanes of sums, then the update.

// CHECK-LABEL: func.func @rows_of_values(
// CHECK-SAME: %[[S:[^:]*]]: tensor<2x64x128xf32>, %[[K:[^:]*]]: tensor<128xf32>, %[[Q:[^:]*]]: tensor<128xf32>
// CHECK: %[[DECAY:.*]] = vector.from_elements %{{.*}} : vector<4xf32>
// CHECK: scf.for %[[R:.*]] = %c0{{.*}} to %c32{{.*}} step %c1{{.*}} iter_args(%{{.*}}, %[[S1:.*]] = %{{.*}}) -> (tensor<2x64xf32>, tensor<2x64x128xf32>)
// CHECK:   scf.for %{{.*}} to %c128{{.*}} step %c16{{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK:     vector.transfer_read %[[K]]
// CHECK:     vector.transfer_read %[[Q]]
// CHECK:     vector.transfer_read %[[S]][%c0{{.*}}, %[[R]], %{{.*}}]
// CHECK:     vector.transfer_read %[[S]][%c1{{.*}}, %[[R]], %{{.*}}]
// CHECK:     %[[FAR:.*]] = arith.addi %[[R]], %c32
// CHECK:     vector.transfer_read %[[S]][%c0{{.*}}, %[[FAR]], %{{.*}}]
// CHECK:     scf.yield
// CHECK:   } {deltanet.keep_loop}
// CHECK-COUNT-14: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK:   vector.extract_strided_slice %{{.*}} {offsets = [0], sizes = [4], strides = [1]}
// CHECK-COUNT-4: tensor.insert
// CHECK:   scf.for %{{.*}} to %c128{{.*}} step %c16
// CHECK-COUNT-8: vector.transfer_write
// CHECK-NOT: deltanet.prefetch_here
func.func @rows_of_values(
    %s: tensor<2x64x128xf32>, %k: tensor<128xf32>, %q: tensor<128xf32>,
    %v: tensor<2x64xf32>, %f: tensor<2x2xf32>, %x: f32, %o: tensor<2x64xf32>,
    %d: tensor<2x64x128xf32>) -> (tensor<2x64xf32>, tensor<2x64x128xf32>) {
  %r:2 = deltanet.token_step vk state(%s) key(%k) query(%q) values(%v)
      factors(%f) product(%x) scale(%x) outs(%o, %d) {rows = 4 : i64}
      : (tensor<2x64x128xf32>, tensor<128xf32>, tensor<128xf32>,
         tensor<2x64xf32>, tensor<2x2xf32>, f32, f32, tensor<2x64xf32>,
         tensor<2x64x128xf32>) -> (tensor<2x64xf32>, tensor<2x64x128xf32>)
  return %r#0, %r#1 : tensor<2x64xf32>, tensor<2x64x128xf32>
}

// -----

// kv, two rows at once, 32 rows apart, for the sums of all columns; then two
// neighbours a turn for the update, where the next state may be prefetched.

// CHECK-LABEL: func.func @rows_of_keys(
// CHECK-SAME: %[[S:[^:]*]]: tensor<1x64x32xf32>
// CHECK: %[[SUMS:.*]] = bufferization.alloc_tensor() : tensor<2x32xf32>
// CHECK: scf.for %[[R:.*]] = %c0{{.*}} to %c32{{.*}} step %c1
// CHECK:   %[[FAR:.*]] = arith.addi %[[R]], %c32
// CHECK:   scf.for %[[C:.*]] = %c0{{.*}} to %c32{{.*}} step %c16
// CHECK:     vector.transfer_read %[[S]][%{{.*}}, %[[R]], %[[C]]]
// CHECK:     vector.transfer_read %[[S]][%{{.*}}, %[[FAR]], %[[C]]]
// CHECK:   } {deltanet.keep_loop}
// CHECK: scf.for %{{.*}} step %c8
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c64{{.*}} step %c2
// CHECK:   scf.for %[[J:.*]] = %c0{{.*}} to %c32{{.*}} step %c16
// CHECK:     vector.transfer_read %[[S]][%{{.*}}, %[[I]], %[[J]]]
// CHECK-COUNT-4: vector.transfer_write
// CHECK:   } {deltanet.keep_loop, deltanet.prefetch_here}
func.func @rows_of_keys(
    %s: tensor<1x64x32xf32>, %k: tensor<64xf32>, %q: tensor<64xf32>,
    %v: tensor<1x32xf32>, %f: tensor<1x2xf32>, %x: f32, %o: tensor<1x32xf32>,
    %d: tensor<1x64x32xf32>) -> (tensor<1x32xf32>, tensor<1x64x32xf32>) {
  %r:2 = deltanet.token_step kv state(%s) key(%k) query(%q) values(%v)
      factors(%f) product(%x) scale(%x) outs(%o, %d) {rows = 2 : i64}
      : (tensor<1x64x32xf32>, tensor<64xf32>, tensor<64xf32>,
         tensor<1x32xf32>, tensor<1x2xf32>, f32, f32, tensor<1x32xf32>,
         tensor<1x64x32xf32>) -> (tensor<1x32xf32>, tensor<1x64x32xf32>)
  return %r#0, %r#1 : tensor<1x32xf32>, tensor<1x64x32xf32>
}

// -----

// vk, one row at a time: the sums of row 0 come first, then each turn updates
// row r beside the sums of row r + 1, and the last row is only updated.

// CHECK-LABEL: func.func @one_row(
// CHECK-SAME: %[[S:[^:]*]]: tensor<1x64x128xf32>
// CHECK: %[[FIRST:.*]]:2 = scf.for
// CHECK:   vector.transfer_read %[[S]][%c0{{.*}}, %c0{{.*}}, %{{.*}}]
// CHECK: scf.for %[[R:.*]] = %c0{{.*}} to %c63{{.*}} step %c1{{.*}} iter_args({{.*}} = %[[FIRST]]#0, {{.*}} = %[[FIRST]]#1)
// CHECK:   tensor.insert
// CHECK:   %[[NEXT:.*]] = arith.addi %[[R]], %c1
// CHECK:   scf.for %{{.*}} to %c128{{.*}} step %c16{{.*}} -> (tensor<1x64x128xf32>, vector<8xf32>, vector<8xf32>)
// CHECK:     vector.transfer_read %[[S]][%c0{{.*}}, %[[R]], %{{.*}}]
// CHECK:     vector.transfer_write
// CHECK:     vector.transfer_read %[[S]][%c0{{.*}}, %[[NEXT]], %{{.*}}]
// CHECK: tensor.insert %{{.*}}[%c0{{.*}}, %c63{{.*}}]
// CHECK: scf.for
// CHECK:   vector.transfer_read %[[S]][%c0{{.*}}, %c63{{.*}}, %{{.*}}]
// CHECK:   vector.transfer_write
// CHECK: return
func.func @one_row(
    %s: tensor<1x64x128xf32>, %k: tensor<128xf32>, %q: tensor<128xf32>,
    %v: tensor<1x64xf32>, %f: tensor<1x2xf32>, %x: f32, %o: tensor<1x64xf32>,
    %d: tensor<1x64x128xf32>) -> (tensor<1x64xf32>, tensor<1x64x128xf32>) {
  %r:2 = deltanet.token_step vk state(%s) key(%k) query(%q) values(%v)
      factors(%f) product(%x) scale(%x) outs(%o, %d)
      : (tensor<1x64x128xf32>, tensor<128xf32>, tensor<128xf32>,
         tensor<1x64xf32>, tensor<1x2xf32>, f32, f32, tensor<1x64xf32>,
         tensor<1x64x128xf32>) -> (tensor<1x64xf32>, tensor<1x64x128xf32>)
  return %r#0, %r#1 : tensor<1x64xf32>, tensor<1x64x128xf32>
}

// -----

// Without a final state nothing is updated.

// CHECK-LABEL: func.func @stateless
// CHECK: scf.for
// CHECK-NOT: vector.transfer_write
// CHECK: return
func.func @stateless(
    %s: tensor<1x8x16xf32>, %k: tensor<16xf32>, %v: tensor<1x8xf32>,
    %f: tensor<1x2xf32>, %x: f32, %o: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %r = deltanet.token_step vk state(%s) key(%k) query(%k) values(%v)
      factors(%f) product(%x) scale(%x) outs(%o)
      : (tensor<1x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x8xf32>,
         tensor<1x2xf32>, f32, f32, tensor<1x8xf32>) -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}
