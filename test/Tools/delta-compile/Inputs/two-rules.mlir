// Two kernels: a plain rule in f32 and a gated one in bf16.
func.func @plain(%q: tensor<?x1x16xf32>, %k: tensor<?x1x16xf32>,
                 %v: tensor<?x2x32xf32>, %beta: tensor<?x2xf32>,
                 %s: tensor<1x2x16x32xf32>)
    -> (tensor<?x2x32xf32>, tensor<1x2x16x32xf32>) {
  %o, %f = deltanet.delta_rule delta, grouped, kv
      q(%q) k(%k) v(%v) beta(%beta) state(%s)
      : (tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x2x32xf32>,
         tensor<?x2xf32>, tensor<1x2x16x32xf32>)
      -> (tensor<?x2x32xf32>, tensor<1x2x16x32xf32>)
  return %o, %f : tensor<?x2x32xf32>, tensor<1x2x16x32xf32>
}

func.func @gated(%q: tensor<?x2x32xbf16>, %k: tensor<?x2x32xbf16>,
                 %v: tensor<?x4x16xbf16>, %g: tensor<?x4xf32>,
                 %beta: tensor<?x4xf32>, %cu: tensor<?xi32>)
    -> (tensor<?x4x16xbf16>, tensor<?x4x16x32xf32>) {
  %o, %f = deltanet.delta_rule gated, tiled, vk
      q(%q) k(%k) v(%v) g(%g) beta(%beta) cu_seqlens(%cu)
      {l2norm_eps = 1.0e-6 : f32}
      : (tensor<?x2x32xbf16>, tensor<?x2x32xbf16>, tensor<?x4x16xbf16>,
         tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xi32>)
      -> (tensor<?x4x16xbf16>, tensor<?x4x16x32xf32>)
  return %o, %f : tensor<?x4x16xbf16>, tensor<?x4x16x32xf32>
}
