// RUN: not delta-compile %s -o %t.o 2>&1 | FileCheck %s

// Errors name file, line and column, so that editors can jump.

// CHECK: located-errors.mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'deltanet.delta_rule' op expected {{.*}} got
func.func @f(%q: tensor<?x1x24xf32>, %k: tensor<?x1x24xf32>,
             %v: tensor<?x1x16xf32>, %b: tensor<?x1xf32>)
    -> tensor<?x1x16xf32> {
  %o = deltanet.delta_rule delta, grouped, kv q(%q) k(%k) v(%v) beta(%b)
      : (tensor<?x1x24xf32>, tensor<?x1x24xf32>, tensor<?x1x16xf32>,
         tensor<?x1xf32>) -> tensor<?x1x16xf32>
  return %o : tensor<?x1x16xf32>
}
