func.func @delta(%q: tensor<?x2x16xf32>, %k: tensor<?x2x16xf32>,
                 %v: tensor<?x2x16xf32>, %beta: tensor<?x2xf32>)
    -> (tensor<?x2x16xf32>, tensor<1x2x16x16xf32>) {
  %r:2 = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%beta)
      : (tensor<?x2x16xf32>, tensor<?x2x16xf32>, tensor<?x2x16xf32>,
         tensor<?x2xf32>)
      -> (tensor<?x2x16xf32>, tensor<1x2x16x16xf32>)
  return %r#0, %r#1 : tensor<?x2x16xf32>, tensor<1x2x16x16xf32>
}
