// RUN: delta-opt %s -split-input-file -verify-diagnostics -deltanet-expand-recurrence

func.func @two(%q: tensor<?x1x16xf32>, %b: tensor<?x1xf32>, %scale: f32,
               %od: tensor<?x1x16xf32>) -> tensor<?x1x16xf32> {
  // expected-error@+1 {{expected one schedule, outs and a scale operand, got 2 schedules}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      scale(%scale) outs(%od)
      {schedules = [#deltanet.schedule<recurrent, max_tokens = 9>,
                    #deltanet.schedule<recurrent, min_tokens = 10>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, f32, tensor<?x1x16xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

func.func @none(%q: tensor<?x1x16xf32>, %b: tensor<?x1xf32>, %scale: f32,
                %od: tensor<?x1x16xf32>) -> tensor<?x1x16xf32> {
  // expected-error@+1 {{expected one schedule, outs and a scale operand, got 0 schedules}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      scale(%scale) outs(%od)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, f32, tensor<?x1x16xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

func.func @outs(%q: tensor<?x1x16xf32>, %b: tensor<?x1xf32>, %scale: f32)
    -> tensor<?x1x16xf32> {
  // expected-error@+1 {{expected one schedule, outs and a scale operand, got no outs}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      scale(%scale) {schedules = [#deltanet.schedule<recurrent>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, f32) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}

// -----

func.func @scale(%q: tensor<?x1x16xf32>, %b: tensor<?x1xf32>,
                 %od: tensor<?x1x16xf32>) -> tensor<?x1x16xf32> {
  // expected-error@+1 {{expected one schedule, outs and a scale operand, got no scale operand}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      outs(%od) {schedules = [#deltanet.schedule<recurrent>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<?x1x16xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}
