// One chunk is all tokens: the loop over chunks turns once and is gone, and o is
// stored where the caller wants it all the same.

// RUN: delta-compile %s --target=nvptx --sm=80 --cuda=none -o %t.so
// RUN: delta-run %t.so --kernel=one --device=sim | FileCheck %s
// CHECK: schedule {{.*}}chunked-matrix
// CHECK: o reference {{.*}} pass
// CHECK: ht reference {{.*}} pass
func.func @one(%q: tensor<64x1x16xbf16>, %k: tensor<64x1x16xbf16>,
               %v: tensor<64x1x16xbf16>, %g: tensor<64x1xf32>,
               %beta: tensor<64x1xf32>, %s: tensor<1x1x16x16xf32>)
    -> (tensor<64x1x16xbf16>, tensor<1x1x16x16xf32>) {
  %o, %final = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%s) {l2norm_eps = 1.0e-6 : f32}
      : (tensor<64x1x16xbf16>, tensor<64x1x16xbf16>, tensor<64x1x16xbf16>,
         tensor<64x1xf32>, tensor<64x1xf32>, tensor<1x1x16x16xf32>)
      -> (tensor<64x1x16xbf16>, tensor<1x1x16x16xf32>)
  return %o, %final : tensor<64x1x16xbf16>, tensor<1x1x16x16xf32>
}
