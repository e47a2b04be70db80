// RUN: delta-compile %s --isa=generic --emit=rule -o %t 2>&1 | FileCheck %s
// RUN: delta-compile %s --isa=generic --emit=rule -o %t --schedule='#deltanet.schedule<recurrent>' 2>&1 | count 0

// Lengths that no schedule serves do not go unnoticed.

// CHECK: unserved-lengths.mlir:[[#@LINE+4]]:8: warning: expected schedules for all lengths, got none for 5 or more tokens: outputs of such sequences are not written
func.func @f(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
             %v: tensor<?x1x16xf32>, %b: tensor<?x1xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      {schedules = [#deltanet.schedule<recurrent, max_tokens = 4>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}
