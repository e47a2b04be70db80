// Rules of the shapes that were recorded from public model code: each kernel is
// named after its file in test/Execution/golden. quickstart.sh runs them.

// One head of Qwen3-Next: L2 norm inside, no initial state.
func.func @gdn_t130_128x128_l2(
    %q: tensor<?x1x128xbf16>, %k: tensor<?x1x128xbf16>,
    %v: tensor<?x1x128xbf16>, %g: tensor<?x1xf32>, %beta: tensor<?x1xf32>)
    -> (tensor<?x1x128xbf16>, tensor<1x1x128x128xf32>) {
  %o, %final = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) {l2norm_eps = 1.0e-6 : f32}
      : (tensor<?x1x128xbf16>, tensor<?x1x128xbf16>, tensor<?x1x128xbf16>,
         tensor<?x1xf32>, tensor<?x1xf32>)
      -> (tensor<?x1x128xbf16>, tensor<1x1x128x128xf32>)
  return %o, %final : tensor<?x1x128xbf16>, tensor<1x1x128x128xf32>
}

// The same head with a given state and keys that are already normalized.
func.func @gdn_t65_128x128_h0(
    %q: tensor<?x1x128xbf16>, %k: tensor<?x1x128xbf16>,
    %v: tensor<?x1x128xbf16>, %g: tensor<?x1xf32>, %beta: tensor<?x1xf32>,
    %state: tensor<1x1x128x128xf32>)
    -> (tensor<?x1x128xbf16>, tensor<1x1x128x128xf32>) {
  %o, %final = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%state)
      : (tensor<?x1x128xbf16>, tensor<?x1x128xbf16>, tensor<?x1x128xbf16>,
         tensor<?x1xf32>, tensor<?x1xf32>, tensor<1x1x128x128xf32>)
      -> (tensor<?x1x128xbf16>, tensor<1x1x128x128xf32>)
  return %o, %final : tensor<?x1x128xbf16>, tensor<1x1x128x128xf32>
}

// Packed sequences, one of them empty; two value heads a key head.
func.func @gdn_varlen_16x32_gva2(
    %q: tensor<?x2x16xbf16>, %k: tensor<?x2x16xbf16>, %v: tensor<?x4x32xbf16>,
    %g: tensor<?x4xf32>, %beta: tensor<?x4xf32>, %state: tensor<?x4x16x32xf32>,
    %cu_seqlens: tensor<?xi32>)
    -> (tensor<?x4x32xbf16>, tensor<?x4x16x32xf32>) {
  %o, %final = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%state) cu_seqlens(%cu_seqlens)
      : (tensor<?x2x16xbf16>, tensor<?x2x16xbf16>, tensor<?x4x32xbf16>,
         tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x16x32xf32>,
         tensor<?xi32>)
      -> (tensor<?x4x32xbf16>, tensor<?x4x16x32xf32>)
  return %o, %final : tensor<?x4x32xbf16>, tensor<?x4x16x32xf32>
}

// f32 throughout; some gates are minus infinity.
func.func @gdn_t66_16x16_ginf(
    %q: tensor<?x2x16xf32>, %k: tensor<?x2x16xf32>, %v: tensor<?x2x16xf32>,
    %g: tensor<?x2xf32>, %beta: tensor<?x2xf32>, %state: tensor<1x2x16x16xf32>)
    -> (tensor<?x2x16xf32>, tensor<1x2x16x16xf32>) {
  %o, %final = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%state)
      : (tensor<?x2x16xf32>, tensor<?x2x16xf32>, tensor<?x2x16xf32>,
         tensor<?x2xf32>, tensor<?x2xf32>, tensor<1x2x16x16xf32>)
      -> (tensor<?x2x16xf32>, tensor<1x2x16x16xf32>)
  return %o, %final : tensor<?x2x16xf32>, tensor<1x2x16x16xf32>
}

// The delta rule without a gate.
func.func @delta_t65_64x32(
    %q: tensor<?x2x64xbf16>, %k: tensor<?x2x64xbf16>, %v: tensor<?x2x32xbf16>,
    %beta: tensor<?x2xf32>, %state: tensor<1x2x64x32xf32>)
    -> (tensor<?x2x32xbf16>, tensor<1x2x64x32xf32>) {
  %o, %final = deltanet.delta_rule delta, grouped, kv
      q(%q) k(%k) v(%v) beta(%beta) state(%state)
      : (tensor<?x2x64xbf16>, tensor<?x2x64xbf16>, tensor<?x2x32xbf16>,
         tensor<?x2xf32>, tensor<1x2x64x32xf32>)
      -> (tensor<?x2x32xbf16>, tensor<1x2x64x32xf32>)
  return %o, %final : tensor<?x2x32xbf16>, tensor<1x2x64x32xf32>
}
