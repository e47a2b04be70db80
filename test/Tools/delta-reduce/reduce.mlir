// RUN: delta-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-rule.sh' | FileCheck %s

// Functions without the operation that a test looks for are taken away.

// CHECK-NOT: @other
// CHECK:     deltanet.delta_rule
// CHECK-NOT: @other
func.func @other(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}
func.func @f(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
             %v: tensor<?x1x16xf32>, %b: tensor<?x1xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}
