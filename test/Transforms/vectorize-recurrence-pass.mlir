// RUN: delta-opt %s -deltanet-vectorize-recurrence-pass -split-input-file | FileCheck %s

// One token, eight columns, one row a turn, a decay that is always applied:
//   s = decay S[i] + p[i] d;  S[i] = s;  key += k[i] s;  query += q[i] s
//   u = beta v - ck key;  out = cq query + mix u;  d' = carry u

// CHECK-LABEL: func.func @one_token(
// CHECK-SAME: %[[S:[^:]*]]: tensor<16x8xf32>, %[[P:[^:]*]]: tensor<1x2x16xf32>, %[[C:[^:]*]]: tensor<1x2x16xf32>, %[[D:[^:]*]]: tensor<1x8xf32>, %[[V:[^:]*]]: tensor<1x8xf32>, %[[F:[^:]*]]: tensor<6xf32>, %[[O:[^:]*]]: tensor<1x8xf32>)
// CHECK: %[[DELTA:.*]] = vector.transfer_read %[[D]]{{.*}} vector<8xf32>
// CHECK: %[[C5:.*]] = arith.constant 5 : index
// CHECK: %[[DECAY:.*]] = tensor.extract %[[F]][%[[C5]]]
// CHECK: %[[DECAYS:.*]] = vector.broadcast %[[DECAY]] : f32 to vector<8xf32>
// CHECK-NOT: scf.if
// CHECK: %[[L:.*]]:3 = scf.for %[[I0:.*]] = {{.*}} iter_args(%[[SI:.*]] = %[[S]], %[[KI:.*]] = %{{.*}}, %[[QI:.*]] = %{{.*}}) -> (tensor<16x8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK: %[[I:.*]] = arith.addi %[[I0]]
// CHECK: %[[ROW:.*]] = vector.transfer_read %[[SI]][%[[I]],
// CHECK: %[[DECAYED:.*]] = arith.mulf %[[ROW]], %[[DECAYS]]
// CHECK: tensor.extract %[[P]]
// CHECK: %[[NEW:.*]] = vector.fma %{{.*}}, %[[DELTA]], %[[DECAYED]]
// CHECK: %[[SN:.*]] = vector.transfer_write %[[NEW]], %[[SI]][%[[I]],
// CHECK: tensor.extract %[[C]]
// CHECK: %[[KN:.*]] = vector.fma %{{.*}}, %[[NEW]], %[[KI]]
// CHECK: tensor.extract %[[C]]
// CHECK: %[[QN:.*]] = vector.fma %{{.*}}, %[[NEW]], %[[QI]]
// CHECK: scf.yield %[[SN]], %[[KN]], %[[QN]]
// CHECK: } {deltanet.keep_loop}
// CHECK: %[[VAL:.*]] = vector.transfer_read %[[V]]
// CHECK: %[[NEWV:.*]] = arith.mulf %{{.*}}, %[[VAL]]
// CHECK: %[[U:.*]] = vector.fma %{{.*}}, %[[L]]#1, %[[NEWV]]
// CHECK: %[[CARRIED:.*]] = arith.mulf %{{.*}}, %[[U]]
// CHECK: %[[DN:.*]] = vector.transfer_write %[[CARRIED]], %[[D]]
// CHECK: %[[READ:.*]] = arith.mulf %{{.*}}, %[[L]]#2
// CHECK: %[[OUT:.*]] = vector.fma %{{.*}}, %[[U]], %[[READ]]
// CHECK: %[[ON:.*]] = vector.transfer_write %[[OUT]], %[[O]]
// CHECK: return %[[L]]#0, %[[DN]], %[[ON]]
func.func @one_token(
    %s: tensor<16x8xf32>, %p: tensor<1x2x16xf32>, %c: tensor<1x2x16xf32>,
    %d: tensor<1x8xf32>, %v: tensor<1x8xf32>, %f: tensor<6xf32>,
    %o: tensor<1x8xf32>)
    -> (tensor<16x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>) {
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rows = 1 : i64}
      : (tensor<16x8xf32>, tensor<1x2x16xf32>, tensor<1x2x16xf32>,
         tensor<1x8xf32>, tensor<1x8xf32>, tensor<6xf32>, tensor<1x8xf32>)
      -> (tensor<16x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>)
  return %r#0, %r#1, %r#2
      : tensor<16x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>
}

// -----

// Two tokens, 32 columns in two vectors, two rows a turn, a rare decay: two
// loops, of which only that of a decay other than one multiplies the state.
// Each carries 2·2·2 accumulators; a row has 3·2·2 multiply-adds.

// CHECK-LABEL: func.func @two_tokens
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: %[[DUE:.*]] = arith.cmpf une, %{{.*}}, %[[ONE]]
// CHECK: %[[R:.*]]:9 = scf.if %[[DUE]]
// CHECK: scf.for {{.*}} -> (tensor<64x32xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-2: arith.mulf
// CHECK-COUNT-12: vector.fma
// CHECK-COUNT-2: arith.mulf
// CHECK-COUNT-12: vector.fma
// CHECK-NOT: {{arith.mulf|vector.fma}}
// CHECK: scf.yield
// CHECK: else
// CHECK: scf.for
// CHECK-NOT: arith.mulf
// CHECK-COUNT-24: vector.fma
// CHECK-NOT: {{arith.mulf|vector.fma}}
// CHECK: scf.yield
// For each half and token, the key's product and a mix product; the second token
// owes the first one erase and another mix product.
// CHECK: } {deltanet.keep_loop}
// CHECK-COUNT-12: vector.fma
// CHECK-NOT: vector.fma
// CHECK: return %[[R]]#0
func.func @two_tokens(
    %s: tensor<64x32xf32>, %p: tensor<2x2x64xf32>, %c: tensor<2x2x64xf32>,
    %d: tensor<2x32xf32>, %v: tensor<2x32xf32>, %f: tensor<13xf32>,
    %o: tensor<2x32xf32>)
    -> (tensor<64x32xf32>, tensor<2x32xf32>, tensor<2x32xf32>) {
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%c) delta(%d)
      values(%v) coefficients(%f) outs(%o) {rare_decay, rows = 2 : i64}
      : (tensor<64x32xf32>, tensor<2x2x64xf32>, tensor<2x2x64xf32>,
         tensor<2x32xf32>, tensor<2x32xf32>, tensor<13xf32>, tensor<2x32xf32>)
      -> (tensor<64x32xf32>, tensor<2x32xf32>, tensor<2x32xf32>)
  return %r#0, %r#1, %r#2
      : tensor<64x32xf32>, tensor<2x32xf32>, tensor<2x32xf32>
}

// -----

// 24 columns are three vectors of eight.

// CHECK-LABEL: func.func @odd_columns
// CHECK: scf.for {{.*}} -> (tensor<16x24xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
func.func @odd_columns(
    %s: tensor<16x24xf32>, %p: tensor<1x2x16xf32>, %d: tensor<1x24xf32>,
    %f: tensor<6xf32>) -> tensor<16x24xf32> {
  %r:3 = deltanet.recurrence_pass state(%s) previous(%p) current(%p) delta(%d)
      values(%d) coefficients(%f) outs(%d)
      : (tensor<16x24xf32>, tensor<1x2x16xf32>, tensor<1x2x16xf32>,
         tensor<1x24xf32>, tensor<1x24xf32>, tensor<6xf32>, tensor<1x24xf32>)
      -> (tensor<16x24xf32>, tensor<1x24xf32>, tensor<1x24xf32>)
  return %r#0 : tensor<16x24xf32>
}

// -----

// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: return
func.func @nothing() { return }
