// One kernel for all levels, of which DispatchTest lets each machine pick.
func.func @five_levels(%q: tensor<?x1x32xbf16>, %k: tensor<?x1x32xbf16>,
                       %v: tensor<?x1x16xbf16>, %beta: tensor<?x1xf32>)
    -> tensor<?x1x16xbf16> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%beta)
      : (tensor<?x1x32xbf16>, tensor<?x1x32xbf16>, tensor<?x1x16xbf16>,
         tensor<?x1xf32>) -> tensor<?x1x16xbf16>
  return %o : tensor<?x1x16xbf16>
}
