// RUN: delta-opt %s | delta-opt | FileCheck %s

// CHECK-LABEL: func @owner
func.func @owner(%slot: index, %cu: tensor<?xi32>) -> index {
  // CHECK: deltanet.slot_sequence %{{.*}} in %{{.*}} {chunk = 64 : i64} : tensor<?xi32>
  %n = deltanet.slot_sequence %slot in %cu {chunk = 64 : i64} : tensor<?xi32>
  return %n : index
}

// CHECK-LABEL: func @decays
func.func @decays(%g: tensor<64xf32>)
    -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) {
  // CHECK: deltanet.decay %{{.*}} : tensor<64xf32> -> tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>
  %d, %p, %s = deltanet.decay %g
      : tensor<64xf32> -> tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>
  return %d, %p, %s : tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: func @inverse
func.func @inverse(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // CHECK: deltanet.tril_inverse %{{.*}} : tensor<64x64xf32>
  %t = deltanet.tril_inverse %a : tensor<64x64xf32>
  return %t : tensor<64x64xf32>
}

// CHECK-LABEL: func @solve
func.func @solve(%a: tensor<32x32xf32>, %x: tensor<32x64xf32>,
                 %f: tensor<32xf32>) -> tensor<32x64xf32> {
  // CHECK: %[[U:.*]] = deltanet.tril_solve matrix(%{{.*}}) rhs(%{{.*}}) outs(%{{.*}}) : (tensor<32x32xf32>, tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  %u = deltanet.tril_solve matrix(%a) rhs(%x) outs(%x)
      : (tensor<32x32xf32>, tensor<32x64xf32>, tensor<32x64xf32>)
      -> tensor<32x64xf32>
  // CHECK: deltanet.tril_solve matrix(%{{.*}}) rhs(%{{.*}}) factors(%{{.*}}, %{{.*}}, %{{.*}}) outs(%{{.*}}, %[[U]])
  %r:2 = deltanet.tril_solve matrix(%a) rhs(%x) factors(%f, %f, %f)
      outs(%x, %u)
      : (tensor<32x32xf32>, tensor<32x64xf32>, tensor<32xf32>,
         tensor<32xf32>, tensor<32xf32>, tensor<32x64xf32>,
         tensor<32x64xf32>) -> (tensor<32x64xf32>, tensor<32x64xf32>)
  return %r#1 : tensor<32x64xf32>
}

// CHECK: func.func private @axes
// CHECK-SAME: a = #deltanet.domain<[gather, gram], [chunk, key_head]>
// CHECK-SAME: b = #deltanet.domain<[scan], [sequence, key_head, member, columns]>
// CHECK-SAME: c = #deltanet<axis chunk>
func.func private @axes() attributes {
    a = #deltanet.domain<[gather, gram], [chunk, key_head]>,
    b = #deltanet.domain<[scan], [sequence, key_head, member, columns]>,
    c = #deltanet<axis chunk>}
