// Channels beyond the limit are refused with the limit, at the operation.
// RUN: not delta-compile %s -o %t.so 2>&1 | FileCheck %s

// CHECK: case-39.mlir:[[@LINE+4]]:{{[0-9]+}}: error: 'deltanet.delta_rule' op expected V as a multiple of 16 from 16 to 256, got 512
func.func @wide(%q: tensor<?x2x256xbf16>, %k: tensor<?x2x256xbf16>,
                %v: tensor<?x2x512xbf16>, %g: tensor<?x2xf32>,
                %beta: tensor<?x2xf32>) -> tensor<?x2x512xbf16> {
  %o = deltanet.delta_rule gated, grouped, kv
      q(%q) k(%k) v(%v) g(%g) beta(%beta)
      : (tensor<?x2x256xbf16>, tensor<?x2x256xbf16>, tensor<?x2x512xbf16>,
         tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2x512xbf16>
  return %o : tensor<?x2x512xbf16>
}
