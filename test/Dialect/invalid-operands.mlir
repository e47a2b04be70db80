// RUN: delta-opt %s -split-input-file -verify-diagnostics

// Constraints C6 to C10 of deltanet.delta_rule.

// C6
func.func @c6_missing(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                      %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected a g operand with rule gated, got none}}
  %o = deltanet.delta_rule gated, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C6
func.func @c6_superfluous(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                          %g: tensor<?x1xf32>, %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected no g operand with rule delta, got one}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) g(%g) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C6
func.func @c6_heads(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                    %g: tensor<?x2xf32>, %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected g as a tensor [T,HV] like 'tensor<?x1xf32>', got 'tensor<?x2xf32>'}}
  %o = deltanet.delta_rule gated, grouped, kv q(%q) k(%q) v(%v) g(%g) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x2xf32>, tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C6
func.func @c6_element(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                      %g: tensor<?x1xbf16>, %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected g as a tensor [T,HV] like 'tensor<?x1xf32>', got 'tensor<?x1xbf16>'}}
  %o = deltanet.delta_rule gated, grouped, kv q(%q) k(%q) v(%v) g(%g) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xbf16>, tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C7
func.func @c7_rank(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                   %b: tensor<?xf32>) {
  // expected-error@+1 {{expected beta as a tensor [T,HV] like 'tensor<?x1xf32>', got 'tensor<?xf32>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C7
func.func @c7_tokens(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                     %b: tensor<8x1xf32>) {
  // expected-error@+1 {{expected beta as a tensor [T,HV] like 'tensor<?x1xf32>', got 'tensor<8x1xf32>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<8x1xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C8
func.func @c8_kv(%q: tensor<?x1x16xf32>, %v: tensor<?x1x32xf32>,
                 %b: tensor<?x1xf32>, %s: tensor<?x1x32x16xf32>) {
  // expected-error@+1 {{expected state as a tensor [N,HV,K,V] like 'tensor<?x1x16x32xf32>', got 'tensor<?x1x32x16xf32>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      state(%s)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x32xf32>,
         tensor<?x1xf32>, tensor<?x1x32x16xf32>) -> tensor<?x1x32xf32>
  return
}

// -----

// C8
func.func @c8_vk(%q: tensor<?x1x16xf32>, %v: tensor<?x1x32xf32>,
                 %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected the final state as a tensor [N,HV,V,K] like 'tensor<?x1x32x16xf32>', got 'tensor<?x1x16x32xf32>'}}
  %o:2 = deltanet.delta_rule delta, grouped, vk q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x32xf32>,
         tensor<?x1xf32>) -> (tensor<?x1x32xf32>, tensor<?x1x16x32xf32>)
  return
}

// -----

// C8
func.func @c8_rank(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                   %b: tensor<?x1xf32>, %s: tensor<1x16x16xf32>) {
  // expected-error@+1 {{expected state as a tensor [N,HV,K,V] like 'tensor<?x1x16x16xf32>', got 'tensor<1x16x16xf32>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      state(%s)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<1x16x16xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C8
func.func @c8_element(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                      %b: tensor<?x1xf32>, %s: tensor<?x1x16x16xf16>) {
  // expected-error@+1 {{expected state as a tensor [N,HV,K,V] like 'tensor<?x1x16x16xf32>', got 'tensor<?x1x16x16xf16>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      state(%s)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<?x1x16x16xf16>) -> tensor<?x1x16xf32>
  return
}

// -----

// C8
func.func @c8_sequences(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                        %b: tensor<?x1xf32>, %s: tensor<2x1x16x16xf32>) {
  // expected-error@+1 {{expected the final state of N = 2, got 3}}
  %o:2 = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      state(%s)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<2x1x16x16xf32>) -> (tensor<?x1x16xf32>,
         tensor<3x1x16x16xf32>)
  return
}

// -----

// C9
func.func @c9_alone(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                    %b: tensor<?x1xf32>, %s: tensor<2x1x16x16xf32>) {
  // expected-error@+1 {{expected states of N = 1 without cu_seqlens, got N = 2}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      state(%s)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<2x1x16x16xf32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C9
func.func @c9_element(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                      %b: tensor<?x1xf32>, %cu: tensor<?xi16>) {
  // expected-error@+1 {{expected cu_seqlens as a tensor [N+1] of i32 or i64, got 'tensor<?xi16>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      cu_seqlens(%cu)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<?xi16>) -> tensor<?x1x16xf32>
  return
}

// -----

// C9
func.func @c9_rank(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                   %b: tensor<?x1xf32>, %cu: tensor<?x2xi32>) {
  // expected-error@+1 {{expected cu_seqlens as a tensor [N+1] of i32 or i64, got 'tensor<?x2xi32>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      cu_seqlens(%cu)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<?x2xi32>) -> tensor<?x1x16xf32>
  return
}

// -----

// C9
func.func @c9_empty(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                    %b: tensor<?x1xf32>, %cu: tensor<0xi64>) {
  // expected-error@+1 {{expected cu_seqlens of at least 1 element, got 0}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      cu_seqlens(%cu)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<0xi64>) -> tensor<?x1x16xf32>
  return
}

// -----

// C9
func.func @c9_sequences(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                        %b: tensor<?x1xf32>, %s: tensor<3x1x16x16xf32>,
                        %cu: tensor<3xi64>) {
  // expected-error@+1 {{expected cu_seqlens of N+1 elements for N = 3, got 3}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      state(%s) cu_seqlens(%cu)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>, tensor<3x1x16x16xf32>, tensor<3xi64>) ->
         tensor<?x1x16xf32>
  return
}

// -----

// C10
func.func @c10_type(%q: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>,
                    %b: tensor<?x1xf32>) {
  // expected-error@+1 {{expected o of the type of v ('tensor<?x1x16xf32>'), got 'tensor<?x1x16xbf16>'}}
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%q) v(%v) beta(%b)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xbf16>
  return
}
