// RUN: delta-opt %s -deltanet-select-schedule -verify-diagnostics

// C19: a choice needs a machine.

// expected-error@+1 {{expected a #deltanet.target in 'deltanet.target', got none}}
module {
func.func @f(%q: tensor<?x1x16xf32>, %b: tensor<?x1xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}
}
