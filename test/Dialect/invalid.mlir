// RUN: delta-opt %s -split-input-file -verify-diagnostics

// Constraints C1 to C5 of deltanet.delta_rule; the others are in
// invalid-operands.mlir and invalid-rule-attributes.mlir.

// C1
func.func @c1_rank(%q: tensor<?x16xf32>, %v: tensor<?x1x16xf32>,
                   %b: tensor<?x1xf32>) {
  // expected-error@+1 {{'deltanet.delta_rule' op expected q as a tensor [T,H,K], got 'tensor<?x16xf32>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x16xf32>, tensor<?x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C1
func.func @c1_encoding(%q: tensor<?x1x16xf32, 1 : i32>, %v: tensor<?x1x16xf32>,
                       %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected q as a tensor [T,H,K], got 'tensor<?x1x16xf32, 1 : i32>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x1x16xf32, 1 : i32>, tensor<?x1x16xf32, 1 : i32>,
         tensor<?x1x16xf32>, tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C1
func.func @c1_type_of_k(%q: tensor<?x1x16xf32>, %k: tensor<?x1x32xf32>,
                        %v: tensor<?x1x16xf32>, %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected k of the type of q ('tensor<?x1x16xf32>'), got 'tensor<?x1x32xf32>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x32xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C2
func.func @c2_rank(%q: tensor<?x1x16xf32>, %v: tensor<?x1x1x16xf32>,
                   %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected v as a tensor [T,HV,V], got 'tensor<?x1x1x16xf32>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x1x16xf32>
  return
}

// -----

// C2
func.func @c2_tokens(%q: tensor<8x1x16xf32>, %v: tensor<9x1x16xf32>,
                     %b: tensor<8x1xf32>) {
  // expected-error@+1 {{expected v as a tensor [T,HV,V] like 'tensor<8x1x16xf32>', got 'tensor<9x1x16xf32>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<8x1x16xf32>, tensor<8x1x16xf32>, tensor<9x1x16xf32>,
         tensor<8x1xf32>) -> tensor<9x1x16xf32>
  return
}

// -----

// C2: T is static in all tensors or in none.
func.func @c2_dynamic_tokens(%q: tensor<8x1x16xf32>, %v: tensor<?x1x16xf32>,
                             %b: tensor<8x1xf32>) {
  // expected-error@+1 {{expected v as a tensor [T,HV,V] like 'tensor<8x1x16xf32>', got 'tensor<?x1x16xf32>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<8x1x16xf32>, tensor<8x1x16xf32>, tensor<?x1x16xf32>,
         tensor<8x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C2
func.func @c2_element(%q: tensor<?x1x16xbf16>, %v: tensor<?x1x16xf16>,
                      %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected v as a tensor [T,HV,V] like 'tensor<?x1x16xbf16>', got 'tensor<?x1x16xf16>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x1x16xbf16>, tensor<?x1x16xbf16>, tensor<?x1x16xf16>,
         tensor<?x1xf32>) -> tensor<?x1x16xf16>
  return
}

// -----

// C3
func.func @c3_element(%q: tensor<?x1x16xf64>, %v: tensor<?x1x16xf64>,
                      %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected elements of bf16, f16 or f32, got 'f64'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x1x16xf64>, tensor<?x1x16xf64>, tensor<?x1x16xf64>,
         tensor<?x1xf32>) -> tensor<?x1x16xf64>
  return
}

// -----

// C4
func.func @c4_dynamic_h(%q: tensor<?x?x16xf32>, %v: tensor<?x1x16xf32>,
                        %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected a static H, got a dynamic one}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x?x16xf32>, tensor<?x?x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C4
func.func @c4_no_h(%q: tensor<?x0x16xf32>, %v: tensor<?x1x16xf32>,
                   %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected H from 1 to 1024, got 0}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x0x16xf32>, tensor<?x0x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C4
func.func @c4_many_hv(%q: tensor<?x1x16xf32>, %v: tensor<?x1025x16xf32>,
                      %b: tensor<?x1025xf32>) {
  // expected-error@+1 {{expected HV from 1 to 1024, got 1025}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1025x16xf32>,
         tensor<?x1025xf32>) -> tensor<?x1025x16xf32>
  return
}

// -----

// C4
func.func @c4_dynamic_v(%q: tensor<?x1x16xf32>, %v: tensor<?x1x?xf32>,
                        %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected a static V, got a dynamic one}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x?xf32>,
         tensor<?x1xf32>) -> tensor<?x1x?xf32>
  return
}

// -----

// C4
func.func @c4_large_k(%q: tensor<?x1x512xf32>, %v: tensor<?x1x16xf32>,
                      %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected K as a multiple of 16 from 16 to 256, got 512}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x1x512xf32>, tensor<?x1x512xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C4
func.func @c4_small_v(%q: tensor<?x1x16xf32>, %v: tensor<?x1x0xf32>,
                      %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected V as a multiple of 16 from 16 to 256, got 0}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x0xf32>,
         tensor<?x1xf32>) -> tensor<?x1x0xf32>
  return
}

// -----

// C4
func.func @c4_odd_k(%q: tensor<?x1x40xf32>, %v: tensor<?x1x16xf32>,
                    %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected K as a multiple of 16 from 16 to 256, got 40}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x1x40xf32>, tensor<?x1x40xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C4
func.func @c4_tokens(%q: tensor<1099511627777x1x16xf32>,
                     %v: tensor<1099511627777x1x16xf32>,
                     %b: tensor<1099511627777x1xf32>) {
  // expected-error@+1 {{expected a static T from 1 to 1099511627776, got 1099511627777}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<1099511627777x1x16xf32>, tensor<1099511627777x1x16xf32>,
         tensor<1099511627777x1x16xf32>, tensor<1099511627777x1xf32>) ->
         tensor<1099511627777x1x16xf32>
  return
}

// -----

// C4
func.func @c4_no_tokens(%q: tensor<0x1x16xf32>, %v: tensor<0x1x16xf32>,
                        %b: tensor<0x1xf32>) {
  // expected-error@+1 {{expected a static T from 1 to 1099511627776, got 0}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<0x1x16xf32>, tensor<0x1x16xf32>, tensor<0x1x16xf32>,
         tensor<0x1xf32>) -> tensor<0x1x16xf32>
  return
}

// -----

// C5
func.func @c5_multiple(%q: tensor<?x2x16xf32>, %v: tensor<?x3x16xf32>,
                       %b: tensor<?x3xf32>) {
  // expected-error@+1 {{expected HV as a multiple of H (2), got 3}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x2x16xf32>, tensor<?x2x16xf32>, tensor<?x3x16xf32>,
         tensor<?x3xf32>) -> tensor<?x3x16xf32>
  return
}

// -----

// C26
func.func @c26_misspelt(%q: tensor<?x1x16xf32>, %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected l2norm_eps, scale, schedules or an attribute with a dialect's prefix, got 'l2norm_epsilon'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%q) beta(%b)
      {l2norm_epsilon = 1.0e-6 : f32}
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}
