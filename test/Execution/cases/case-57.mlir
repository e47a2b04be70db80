// A chunk length that no kernel exists for is refused, not rounded.
// RUN: not delta-compile %s -o %t.so 2>&1 | FileCheck %s
// CHECK: case-57.mlir:{{[0-9]+}}:{{[0-9]+}}: error: expected a chunk of 16, 32, 64 or 128 tokens, got 48

func.func @odd(%q: tensor<?x2x64xbf16>, %k: tensor<?x2x64xbf16>,
               %v: tensor<?x2x64xbf16>, %g: tensor<?x2xf32>,
               %beta: tensor<?x2xf32>) -> tensor<?x2x64xbf16> {
  %o = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta)
      {schedules = [#deltanet.schedule<chunked, chunk = 48>]}
      : (tensor<?x2x64xbf16>, tensor<?x2x64xbf16>, tensor<?x2x64xbf16>,
         tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2x64xbf16>
  return %o : tensor<?x2x64xbf16>
}
