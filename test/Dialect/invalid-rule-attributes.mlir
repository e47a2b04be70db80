// RUN: delta-opt %s -split-input-file -verify-diagnostics

// Constraints C11 to C13 of deltanet.delta_rule, and its enumerations.

// C11
func.func @c11_negative_eps(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                            %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected a finite l2norm_eps >= 0, got -9.99999997E-7}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      {l2norm_eps = -1.0e-6 : f32}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C11
func.func @c11_nan_eps(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                       %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected a finite l2norm_eps >= 0, got 0x7FC00000}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      {l2norm_eps = 0x7FC00000 : f32}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C11
func.func @c11_infinite_scale(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                              %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected a finite scale, got 0xFF800000}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      {scale = 0xFF800000 : f32}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C12
func.func @c12_none(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                    %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected at least one schedule, got none}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      {schedules = []}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C12
func.func @c12_order(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                     %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected schedules of ascending, disjoint lengths, got min_tokens = 0 after max_tokens = 1}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      {schedules = [#deltanet.schedule<recurrent, max_tokens = 1>,
      #deltanet.schedule<recurrent>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C12
func.func @c12_overlap(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                       %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected schedules of ascending, disjoint lengths, got min_tokens = 8 after max_tokens = 8}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      {schedules = [#deltanet.schedule<recurrent, max_tokens = 8>,
      #deltanet.schedule<chunked, min_tokens = 8>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C12
func.func @c12_after_unbounded(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                               %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected no schedule after one without max_tokens, got #deltanet.schedule<chunked, min_tokens = 64>}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      {schedules = [#deltanet.schedule<recurrent>, #deltanet.schedule<chunked,
      min_tokens = 64>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C12
func.func @c12_columns(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                       %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected columns to divide V (16), got 64}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      {schedules = [#deltanet.schedule<recurrent, columns = 64>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C12
func.func @c12_value_slice(%q: tensor<?x1x16xf32>, %v: tensor<?x1x48xf32>,
                           %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected value_slice to divide V (48), got 32}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      {schedules = [#deltanet.schedule<recurrent, value_slice = 32>]}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x48xf32>,
         tensor<?x1xf32>) -> tensor<?x1x48xf32>
  return
}

// -----

// C13
func.func @c13_o(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                 %b: tensor<?x1xf32>, %od: tensor<8x1x16xf32>) {
  // expected-error@+1 {{expected the o destination of type 'tensor<?x1x16xf32>', got 'tensor<8x1x16xf32>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      outs(%od)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<8x1x16xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C13
func.func @c13_no_state(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                        %b: tensor<?x1xf32>, %od: tensor<?x1x16xf32>) {
  // expected-error@+1 {{expected one destination for each result, got none for the final state}}
  %o:2 = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      outs(%od)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<?x1x16xf32>) -> (tensor<?x1x16xf32>,
         tensor<?x1x16x16xf32>)
  return
}

// -----

// C13
func.func @c13_superfluous_state(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                                 %b: tensor<?x1xf32>, %od: tensor<?x1x16xf32>,
                                 %sd: tensor<?x1x16x16xf32>) {
  // expected-error@+1 {{expected one destination for each result, got one for the final state}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      outs(%od, %sd)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<?x1x16xf32>, tensor<?x1x16x16xf32>) ->
         tensor<?x1x16xf32>
  return
}

// -----

// C13
func.func @c13_state(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                     %b: tensor<?x1xf32>, %od: tensor<?x1x16xf32>,
                     %sd: tensor<1x1x16x16xf32>) {
  // expected-error@+1 {{expected the state destination of type 'tensor<?x1x16x16xf32>', got 'tensor<1x1x16x16xf32>'}}
  %o:2 = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      outs(%od, %sd)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<?x1x16xf32>, tensor<1x1x16x16xf32>) ->
         (tensor<?x1x16xf32>, tensor<?x1x16x16xf32>)
  return
}

// -----

// C13: only in the generic form.
func.func @c13_state_without_o(%q: tensor<?x1x16xf32>, %b: tensor<?x1xf32>,
                               %s: tensor<?x1x16x16xf32>) {
  // expected-error@+1 {{expected one destination for each result, got none for o}}
  %o = "deltanet.delta_rule"(%q, %q, %q, %b, %s) <{
      rule = #deltanet<rule delta>, head_map = #deltanet<head_map grouped>,
      state_layout = #deltanet<state_layout kv>,
      operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 0, 0, 0, 1>}>
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<?x1x16x16xf32>) -> tensor<?x1x16xf32>
  return
}
