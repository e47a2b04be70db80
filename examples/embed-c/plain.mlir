// A delta rule without gate on one sequence: f32, 2 heads, state rows in V.
func.func @plain(
    %q: tensor<?x2x64xf32>, %k: tensor<?x2x64xf32>, %v: tensor<?x2x64xf32>,
    %beta: tensor<?x2xf32>, %state: tensor<1x2x64x64xf32>)
    -> (tensor<?x2x64xf32>, tensor<1x2x64x64xf32>) {
  %o, %final = deltanet.delta_rule delta, grouped, vk
      q(%q) k(%k) v(%v) beta(%beta) state(%state)
      {l2norm_eps = 1.0e-6 : f32}
      : (tensor<?x2x64xf32>, tensor<?x2x64xf32>, tensor<?x2x64xf32>,
         tensor<?x2xf32>, tensor<1x2x64x64xf32>)
      -> (tensor<?x2x64xf32>, tensor<1x2x64x64xf32>)
  return %o, %final : tensor<?x2x64xf32>, tensor<1x2x64x64xf32>
}
