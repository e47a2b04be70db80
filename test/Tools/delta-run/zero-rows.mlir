// RUN: delta-compile %s -o %t.so
// RUN: delta-run %t.so --kernel zero --shape T=15 --keys=zero --isa=generic | FileCheck %s
// RUN: delta-run %t.so --kernel zero --shape T=15 --keys=zero --isa=generic --tokens-per-call=1 | FileCheck %s
// RUN: delta-run %t.so --kernel zero --shape T=15 --keys=zero | FileCheck %s
// RUN: delta-run %t.so --kernel zero --shape T=15 --keys=zero --tokens-per-call=1 | FileCheck %s
// RUN: delta-compile %s -o %t-chunked.so --schedule='#deltanet.schedule<chunked, chunk = 16>'
// RUN: delta-run %t-chunked.so --kernel zero --shape T=15 --keys=zero | FileCheck %s
// RUN: delta-run %s --stage=rule --shape T=15 --keys=zero | FileCheck %s

// Rows of zeros have no direction: L2 norm with eps = 0 leaves them zero.

// CHECK: o reference {{.*}} pass
// CHECK: ht reference {{.*}} pass

func.func @zero(%q: tensor<?x1x32xf32>, %k: tensor<?x1x32xf32>,
                %v: tensor<?x2x32xf32>, %b: tensor<?x2xf32>,
                %s: tensor<1x2x32x32xf32>)
    -> (tensor<?x2x32xf32>, tensor<1x2x32x32xf32>) {
  %o, %f = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      state(%s) {l2norm_eps = 0.0 : f32}
      : (tensor<?x1x32xf32>, tensor<?x1x32xf32>, tensor<?x2x32xf32>,
         tensor<?x2xf32>, tensor<1x2x32x32xf32>)
      -> (tensor<?x2x32xf32>, tensor<1x2x32x32xf32>)
  return %o, %f : tensor<?x2x32xf32>, tensor<1x2x32x32xf32>
}
