// A gated delta rule on packed sequences: bf16, 2 key heads, 4 value heads.
func.func @gated(
    %q: tensor<?x2x64xbf16>, %k: tensor<?x2x64xbf16>, %v: tensor<?x4x64xbf16>,
    %g: tensor<?x4xf32>, %beta: tensor<?x4xf32>,
    %state: tensor<?x4x64x64xf32>, %cu: tensor<?xi32>)
    -> (tensor<?x4x64xbf16>, tensor<?x4x64x64xf32>) {
  %o, %final = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%state) cu_seqlens(%cu)
      {l2norm_eps = 1.0e-6 : f32}
      : (tensor<?x2x64xbf16>, tensor<?x2x64xbf16>, tensor<?x4x64xbf16>,
         tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4x64x64xf32>,
         tensor<?xi32>)
      -> (tensor<?x4x64xbf16>, tensor<?x4x64x64xf32>)
  return %o, %final : tensor<?x4x64xbf16>, tensor<?x4x64x64xf32>
}
