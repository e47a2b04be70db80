// The linear attention of Qwen3-Next, one layer: 16 key heads, 32 value heads,
// 128 channels each. Requests of any lengths are packed into one call, with
// their states before and after; one token a request is a decode step.
//
//   delta-compile qwen3-next.mlir -o qwen3-next.o --header qwen3-next.h
//
// g is the log decay −exp(A_log)·softplus(a + dt_bias), beta is σ(b), q, k and v
// come out of the short convolution; the L2 norm of q and k happens here.
func.func @qwen3_next(
    %q: tensor<?x16x128xbf16>, %k: tensor<?x16x128xbf16>,
    %v: tensor<?x32x128xbf16>, %g: tensor<?x32xf32>, %beta: tensor<?x32xf32>,
    %state: tensor<?x32x128x128xf32>, %cu_seqlens: tensor<?xi32>)
    -> (tensor<?x32x128xbf16>, tensor<?x32x128x128xf32>) {
  %o, %final = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta) state(%state) cu_seqlens(%cu_seqlens)
      {l2norm_eps = 1.0e-6 : f32}
      : (tensor<?x16x128xbf16>, tensor<?x16x128xbf16>, tensor<?x32x128xbf16>,
         tensor<?x32xf32>, tensor<?x32xf32>, tensor<?x32x128x128xf32>,
         tensor<?xi32>)
      -> (tensor<?x32x128xbf16>, tensor<?x32x128x128xf32>)
  return %o, %final : tensor<?x32x128xbf16>, tensor<?x32x128x128xf32>
}
